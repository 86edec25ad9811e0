/** Installs our kernelspec in a data folder of Jupyter, and removes it. */
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { KERNEL_NAME, type Kernelspec } from "./kernelspec.ts";
import { LOGO_SVG } from "./logo.ts";

const SPEC = "kernel.json";
const LOGO = "logo-svg.svg";

/** The folder of our kernelspec in a data folder. */
export function kernelFolder(dataFolder: string): string {
  return join(dataFolder, "kernels", KERNEL_NAME);
}

/** Writes the kernelspec; one of an earlier installation of ours is replaced. The folder that it is in. */
export function installKernelspec(dataFolder: string, spec: Kernelspec): string {
  const folder = kernelFolder(dataFolder);
  assertOurs(folder);
  try {
    mkdirSync(folder, { recursive: true });
    writeWhole(folder, LOGO, LOGO_SVG);
    // Last, so that nobody ever sees a kernelspec without its files.
    writeWhole(folder, SPEC, `${JSON.stringify(spec, null, 2)}\n`);
  } catch (cause) {
    throw notWritable(folder, cause);
  }
  return folder;
}

/** Removes the kernelspec; whether there was one. */
export function uninstallKernelspec(dataFolder: string): boolean {
  const folder = kernelFolder(dataFolder);
  assertOurs(folder);
  const files = filesIn(folder);
  try {
    // First, so that nobody ever sees a kernelspec without its files.
    for (const name of [SPEC, LOGO]) rmSync(join(folder, name), { force: true });
    if (files !== undefined) rmdirSync(folder);
  } catch (cause) {
    throw notWritable(folder, cause);
  }
  return files?.includes(SPEC) ?? false;
}

/** The kernelspec in a data folder, as it stands in the file; undefined without one, or when it is damaged. */
export function readKernelspec(dataFolder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(join(kernelFolder(dataFolder), SPEC), "utf8"));
    return typeof json === "object" && json !== null ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}

/** Throws M7721 when the folder has a kernelspec that starts something else, or files that we never write. */
function assertOurs(folder: string): void {
  const files = filesIn(folder) ?? [];
  const foreign = files.find((name) => name !== SPEC && name !== LOGO);
  const dataFolder = join(folder, "..", "..");
  const isOurs = !files.includes(SPEC) || startsUs(readKernelspec(dataFolder));
  if (foreign === undefined && isOurs) return;
  const what =
    foreign === undefined ? "its kernel.json starts something else" : `it has \`${foreign}\``;
  throw new CommandError("M7721", `\`${folder}\` is not ours: ${what}`, {
    hint: "look at it, and move it away if you don't need it",
    exitCode: EXIT.wrong,
  });
}

/** Returns whether a kernelspec starts Madrigal, also another clone or one that is gone. */
function startsUs(spec: Readonly<Record<string, unknown>> | undefined): boolean {
  const argv = spec?.argv;
  return Array.isArray(argv) && argv.some((word) => /[\\/]kernel[\\/]madrigal\.js$/.test(word));
}

function filesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw notWritable(folder, cause);
  }
}

/** Replaces a file atomically. Names that begin with a dot are ours only while they are written. */
function writeWhole(folder: string, name: string, text: string): void {
  const unfinished = join(folder, "..", `.${KERNEL_NAME}-${randomUUID()}`);
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, join(folder, name));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** A folder of Jupyter that can't be written. */
export function notWritable(folder: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError("M7720", `\`${folder}\` can't be written: ${reason}`, {
    hint: "set JUPYTER_DATA_DIR to a folder that is yours, or name one with `--prefix`",
    exitCode: EXIT.wrong,
    cause,
  });
}
