/** Finds what a model on this machine needs: its GGUF file and the package node-llama-cpp. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { RunError } from "../../../failure.ts";
import { workspaceAt } from "../../../store/workspace.ts";
import type { ModelEnvironment } from "../model-handle.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The version that Madrigal is tested with; any of its major version is used. */
export const LLAMA_VERSION = "3.22.1";
export const LLAMA_PACKAGE = "node-llama-cpp";

/** The folder in which `madrigal models fetch` puts models and the package that runs them. */
export function modelCacheFolder(env: Variables): string {
  const home = env.HOME || homedir();
  const caches = env.XDG_CACHE_HOME || join(home, ".cache");
  return join(env.MADRIGAL_CACHE || join(caches, "madrigal"), "models");
}

/** The folder of the cache in which node-llama-cpp is installed. */
export function llamaCacheFolder(env: Variables): string {
  return join(modelCacheFolder(env), LLAMA_PACKAGE);
}

/** A model in the cache. */
export interface FetchedFile {
  /** Its id is `gguf/NAME`. */
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
}

/** The models of the cache, by name. */
export function fetchedModels(env: Variables): readonly FetchedFile[] {
  const cache = modelCacheFolder(env);
  const names = existsSync(cache) ? readdirSync(cache).sort() : [];
  return names
    .map((name) => ({ name, file: fetchedFile(name, env) }))
    .filter(({ name, file }) => !name.endsWith(".part") && file.endsWith(".gguf"))
    .map((one) => ({ ...one, bytes: statSync(one.file).size }));
}

/** Threads of a call where its model says nothing: all cores but one, since llama.cpp's threads spin while they wait. */
export function defaultThreads(): number {
  return Math.max(1, availableParallelism() - 1);
}

/**
 * The GGUF file that the PATH of `gguf/PATH` means: a file by its ending `.gguf`, from the workspace where it is not absolute;
 * else the model of that name in the cache. Throws M8141 where there is none, M8142 where it is something else.
 */
export function ggufFile(path: string, env: Variables): string {
  const file = path.endsWith(".gguf") ? fileAt(path, env) : fetchedFile(path, env);
  if (!file.endsWith(".gguf") || !existsSync(file)) throw noFile(path, file);
  if (!beginsAsGguf(file)) throw notGguf(path, file);
  return file;
}

function fileAt(path: string, env: Variables): string {
  return isAbsolute(path) ? path : join(workspaceAt(process.cwd(), env).root, path);
}

/** The file of a model that was fetched, else the folder in which it would be. */
function fetchedFile(name: string, env: Variables): string {
  const folder = join(modelCacheFolder(env), name);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return folder;
  const file = readdirSync(folder).find((one) => one.endsWith(".gguf"));
  return file === undefined ? folder : join(folder, file);
}

function beginsAsGguf(file: string): boolean {
  const start = Buffer.alloc(4);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, start, 0, 4, 0);
  } finally {
    closeSync(descriptor);
  }
  return start.toString("latin1") === "GGUF";
}

/** A place where node-llama-cpp is installed. */
export interface InstalledLlama {
  readonly folder: string;
  readonly version: string;
  /** Found in the workspace, beside Madrigal, or in the cache of fetched models. */
  readonly from: "project" | "madrigal" | "cache";
}

/** Finds node-llama-cpp: the project's own before the one beside Madrigal, and that before the fetched one. */
export function findLlama(env: Variables, folder?: string): InstalledLlama | undefined {
  const starts = [
    ["project", folder ?? workspaceAt(process.cwd(), env).root],
    ["madrigal", import.meta.dirname],
    ["cache", llamaCacheFolder(env)],
  ] as const;
  for (const [from, start] of starts) {
    const folder = nearestPackage(start);
    if (folder === undefined) continue;
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { folder, version: String(version), from };
  }
  return undefined;
}

function nearestPackage(start: string): string | undefined {
  const folder = join(start, "node_modules", LLAMA_PACKAGE);
  if (existsSync(join(folder, "package.json"))) return folder;
  return dirname(start) === start ? undefined : nearestPackage(dirname(start));
}

/** Returns the folder of node-llama-cpp; throws M8140 where it is not installed, or is one that we can't use. */
export function llamaFolder(
  id: string,
  { env, folder }: Pick<ModelEnvironment, "env" | "folder">,
): string {
  const found = findLlama(env, folder);
  if (found === undefined) throw withoutPackage(id, "is not installed");
  if (isUsableLlama(found)) return found.folder;
  throw withoutPackage(id, `in ${found.folder} is version ${found.version}, not ${MAJOR}.x`);
}

const [MAJOR] = LLAMA_VERSION.split(".");

/** Returns whether the package is of the major version that Madrigal is tested with. */
export function isUsableLlama({ version }: Pick<InstalledLlama, "version">): boolean {
  return version.startsWith(`${MAJOR}.`);
}

// ── what is missing ─────────────────────────────────────────────────────────────────────────────

function withoutPackage(id: string, what: string): RunError {
  return new RunError("M8140", `\`${id}\` cannot run: the package ${LLAMA_PACKAGE} ${what}`, {
    hint: `\`npx madrigal models fetch smollm2\` installs it into your cache, \`npm install ${LLAMA_PACKAGE}@${LLAMA_VERSION}\` into your project`,
  });
}

function noFile(path: string, file: string): RunError {
  const hint = path.endsWith(".gguf")
    ? "a relative path begins at the workspace, the folder that holds `.madrigal/`"
    : `\`npx madrigal models fetch ${path}\` installs the model; a file is named with its ending, \`gguf/models/mine.gguf\``;
  return new RunError("M8141", `\`gguf/${path}\` cannot run: there is no ${file}`, { hint });
}

function notGguf(path: string, file: string): RunError {
  return new RunError("M8142", `\`gguf/${path}\` cannot run: ${file} is not a GGUF file`, {
    hint: "models of llama.cpp are GGUF files; one that a browser saved may be a web page instead",
  });
}
