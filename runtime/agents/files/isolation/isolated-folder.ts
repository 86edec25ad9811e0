/** Makes the folder in which an agent works on files of its own: a worktree of git, or a copy, beside the state that it began with. */
import { existsSync } from "node:fs";
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { hashOf } from "../../../scheduler/interrupts.ts";
import type { CalledToolContext, ToolContext } from "../../scope/tools.ts";
import type { ToolCaller } from "../../tools/tool-caller.ts";
import { filesError } from "../files-error.ts";
import { type FileWalk, walk } from "../find-files.ts";
import { RootedFiles } from "../rooted-files.ts";
import { isSecretPath } from "../secret-paths.ts";
import { type FileBytes, putBytes, removeBytes, takeBytes } from "./file-bytes.ts";
import {
  addWorktree,
  type GitWorktree,
  listTracked,
  prefixInRepository,
  pruneWorktrees,
} from "./git-worktree.ts";

/** The way in which the files of an agent are kept apart. */
export type FileIsolation = "worktree" | "copy";

/** The folder of one node run of an agent. */
export interface IsolatedFolder {
  /** The folder with everything that is kept of it. */
  readonly place: string;
  /** The real path of the folder in which the agent works. */
  readonly path: string;
  /** The files as the agent has them. */
  readonly work: RootedFiles;
  /** The files as they were when it began, or as it was last told of them. */
  readonly base: RootedFiles;
  readonly root: RootedFiles;
  readonly rootPath: string;
  /** Lists the files that the agent has. */
  readonly list: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Lists those of `base`. */
  readonly listBase: (signal: AbortSignal) => Promise<readonly string[]>;
}

const FILES_MAX = 20_000;
const BYTES_MAX = 256 * 1024 * 1024;
const LEFT_OVER_MS = 30 * 24 * 3_600_000;
/** Folders of programs, and of what is known of files: a copy has none of them. */
const PASSED = new Set([".git", ".madrigal", "node_modules"]);

/** The folders of the agents that work on one root. */
export class IsolatedFolders {
  readonly #root: string;
  readonly #isolation: FileIsolation;
  readonly #open = new WeakMap<object, Map<string, Promise<IsolatedFolder>>>();

  constructor(root: string, isolation: FileIsolation) {
    this.#root = root;
    this.#isolation = isolation;
  }

  /** Returns the folder of the agent that calls: the same after a crash. Throws M8329 where no agent calls. */
  async of(context: ToolContext): Promise<IsolatedFolder> {
    const { caller } = context as CalledToolContext;
    if (caller === undefined)
      throw filesError("M8329", {
        message: "these files are isolated, and each agent has its own: no agent has called",
        hint: "a `tool` node and TypeScript use tools without `isolate`",
      });
    const known = this.#open.get(caller.open) ?? new Map<string, Promise<IsolatedFolder>>();
    this.#open.set(caller.open, known);
    const found = known.get(caller.turn);
    if (found !== undefined) return found;
    const made = this.#make(caller, context.signal);
    known.set(caller.turn, made);
    made.catch(() => known.delete(caller.turn));
    return made;
  }

  async #make({ run, turn, open }: ToolCaller, signal: AbortSignal): Promise<IsolatedFolder> {
    const rootPath = await realpath(this.#root);
    const all = folderOfAll();
    const ofRun = join(all, safeName(run));
    const place = join(ofRun, `${safeName(turn)}-${hashOf(rootPath).slice(0, 12)}`);
    await removeLeftOver(all, ofRun);
    if (!existsSync(join(place, "ready.json"))) {
      await rm(place, { recursive: true, force: true });
      await this.#fill(place, rootPath, signal);
    }
    open.add(async (isOver) => {
      if (!isOver) return;
      await rm(place, { recursive: true, force: true });
      // The repository may be gone by now, and another agent of the run may have its folder still.
      await pruned(this.#isolation, rootPath).catch(() => {});
      await rmdir(ofRun).catch(() => {});
    });
    return this.#opened(place, rootPath);
  }

  async #fill(place: string, rootPath: string, signal: AbortSignal): Promise<void> {
    const [work, base] = [join(place, "work"), join(place, "base")];
    await mkdir(base, { recursive: true, mode: 0o700 });
    const root = new RootedFiles(rootPath);
    if (this.#isolation === "copy") {
      await mkdir(work);
      const paths = await listCopied(root, signal);
      await copyAll(root, [new RootedFiles(work), new RootedFiles(base)], paths);
      await writeFile(join(place, "ready.json"), JSON.stringify({ path: work }));
      return;
    }
    await pruned("worktree", rootPath);
    const prefix = await prefixInRepository(rootPath);
    const { all, deleted } = await listTracked(rootPath);
    const worktree = await addWorktree(rootPath, work);
    const path = join(work, prefix);
    await mkdir(path, { recursive: true });
    const inWork = new RootedFiles(path);
    for (const gone of deleted) if (!isSecretPath(gone)) await removeBytes(inWork, gone);
    await copyAll(root, [inWork, new RootedFiles(base)], all);
    await writeFile(join(place, "ready.json"), JSON.stringify({ path, worktree }));
  }

  async #opened(place: string, rootPath: string): Promise<IsolatedFolder> {
    const made = JSON.parse(await readFile(join(place, "ready.json"), "utf8"));
    const { path, worktree } = made as { readonly path: string; readonly worktree?: GitWorktree };
    const now = new Date();
    await utimes(dirname(place), now, now);
    const work = new RootedFiles(path);
    const base = new RootedFiles(join(place, "base"));
    return {
      ...{ place, path: await realpath(path), work, rootPath, base },
      root: new RootedFiles(rootPath),
      listBase: (signal) => listBelow(base, { signal }),
      list: async (signal) => {
        if (worktree === undefined) return listCopied(work, signal);
        const { all, deleted } = await listTracked(path, worktree);
        return all.filter((one) => !deleted.has(one) && !isSecretPath(one));
      },
    };
  }
}

function folderOfAll(): string {
  const { XDG_STATE_HOME, HOME } = process.env;
  const states = XDG_STATE_HOME || join(HOME || homedir(), ".local", "state");
  return join(states, "madrigal", "files");
}

function safeName(name: string): string {
  return name.replace(/[^\w-]/g, "_");
}

async function pruned(isolation: FileIsolation, rootPath: string): Promise<void> {
  if (isolation === "worktree") await pruneWorktrees(rootPath);
}

/** Removes the folders of runs that nobody has gone on with for 30 days. */
async function removeLeftOver(all: string, ofRun: string): Promise<void> {
  await mkdir(ofRun, { recursive: true, mode: 0o700 });
  for (const name of await readdir(all)) {
    const place = join(all, name);
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Date.now() }));
    if (place !== ofRun && Date.now() - mtimeMs > LEFT_OVER_MS)
      await rm(place, { recursive: true, force: true });
  }
}

function listCopied(files: RootedFiles, signal: AbortSignal): Promise<readonly string[]> {
  return listBelow(files, { signal, isPassed: (name) => PASSED.has(name) });
}

async function listBelow(files: RootedFiles, way: FileWalk): Promise<readonly string[]> {
  const found: string[] = [];
  const visit = async ({ path }: { readonly path: string }) => found.push(path) <= FILES_MAX;
  const isWhole = await walk(files, way, visit);
  if (!isWhole) throw tooLarge(`${FILES_MAX} files`);
  return found;
}

async function copyAll(
  from: RootedFiles,
  to: readonly RootedFiles[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length > FILES_MAX) throw tooLarge(`${FILES_MAX} files`);
  let bytes = 0;
  for (const path of paths.filter((one) => !isSecretPath(one))) {
    const one: FileBytes | undefined = await takeBytes(from, path, BYTES_MAX);
    if (one === undefined) continue;
    bytes += one.bytes.length;
    if (bytes > BYTES_MAX) throw tooLarge(`${BYTES_MAX} bytes`);
    for (const target of to) await putBytes(target, path, one);
  }
}

function tooLarge(most: string): Error {
  return filesError("M8328", {
    message: `the root has more than ${most}, which is the most that an agent gets of its own`,
    hint: "name a folder further down as the root",
  });
}
