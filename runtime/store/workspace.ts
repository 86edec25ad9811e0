/** Finds the workspace of a folder (`.madrigal` or MADRIGAL_HOME), names its files, and makes them private to their user. */
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../failure.ts";

/** The folders in which a project keeps its runs. None of them need exist yet. */
export interface Workspace {
  readonly root: string;
  /** `.madrigal` in the root. */
  readonly dataDir: string;
  readonly runsFile: string;
  readonly artifactsDir: string;
  readonly tracesDir: string;
  readonly outDir: string;
}

const DATA_FOLDER = ".madrigal";

/**
 * The workspace of a working folder: its nearest ancestor with `.madrigal/`, else with `package.json`, else itself.
 * `MADRIGAL_HOME` overrides all of that; it names the folder that holds (or will hold) `.madrigal/`, or `.madrigal/` itself.
 */
export function workspaceAt(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Workspace {
  if (!env.MADRIGAL_HOME) return workspaceIn(nearestRoot(resolve(cwd)));
  const home = resolve(cwd, env.MADRIGAL_HOME);
  return workspaceIn(basename(home) === DATA_FOLDER ? dirname(home) : home);
}

/** The paths of the workspace whose root is this folder. */
export function workspaceIn(root: string): Workspace {
  const dataDir = join(root, DATA_FOLDER);
  return {
    root,
    dataDir,
    runsFile: join(dataDir, "runs.sqlite"),
    artifactsDir: join(dataDir, "artifacts"),
    tracesDir: join(dataDir, "traces"),
    outDir: join(dataDir, "out"),
  };
}

/** Makes a folder that only its owner can enter, whatever the umask; one that is there is closed to others too. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    makePrivate(path, 0o700);
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

/** Sets the mode of our own file or folder. Someone else's, and a folder that users share (`/tmp`), stay as they are. */
export function makePrivate(path: string, mode: 0o600 | 0o700): void {
  const { uid, mode: current } = statSync(path);
  if ((current & STICKY) !== 0 || uid !== process.getuid?.()) return;
  if ((current & 0o777) !== mode) chmodSync(path, mode);
}

/** The bit of a folder in which each user may delete only what is his. */
const STICKY = 0o1000;

/** The error for a path in which nothing can be stored. */
export function notWritable(path: string, cause: unknown): RunError {
  return new RunError("M5101", `\`${path}\` can't be written`, {
    hint: "make it writable, or set MADRIGAL_HOME to a folder that is",
    cause,
  });
}

function nearestRoot(cwd: string): string {
  return nearestWith(cwd, DATA_FOLDER) ?? nearestWith(cwd, "package.json") ?? cwd;
}

function nearestWith(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestWith(parent, name);
}
