/**
 * Finds the user's own modules that have changed on disk, and loads them again. Node keeps a module for good under its
 * URL, so one that changed, and all that import it, get URLs of their own: `tools.ts?madrigal=2`.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isOwnUrl } from "../../own-code.ts";
import { importFrom } from "../../programs/import-module.ts";

/** An export that is another one now. */
export interface ChangedExport {
  readonly now: unknown;
  readonly file: string;
}

export interface Reloaded {
  /** By what the exports were: functions and objects, which nothing else can be. */
  readonly exports: ReadonlyMap<unknown, ChangedExport>;
  /** All that were loaded again. */
  readonly files: ReadonlySet<string>;
  /** Files that can't be loaded as they are now; what they gave before stays. */
  readonly faults: readonly { readonly file: string; readonly thrown: unknown }[];
}

interface LoadedModule {
  readonly modifiedMs: number;
  readonly size: number;
  readonly hash: string;
}

type Namespace = Readonly<Record<string, unknown>>;

/** One a process, as Node's hooks are. */
const loaded = new Map<string, LoadedModule>();
const importers = new Map<string, Set<string>>();
const versions = new Map<string, number>();
/**
 * The namespaces of modules that were loaded again; `failed` has the errors of those that could not
 * be.
 */
const namespaces = new Map<string, Namespace>();
const failed = new Map<string, unknown>();
let versionsSoFar = 0;
let isWatching = false;
let reloading: Promise<Reloaded | undefined> = Promise.resolve(undefined);

/** Notes modules as they are loaded, from now on. */
export function watchModules(): void {
  if (isWatching) return;
  isWatching = true;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const file = localFile(found.url);
      if (file === undefined) return found;
      const importer = localFile(context.parentURL ?? "");
      if (importer !== undefined) noteImporter(file, importer);
      const version = versions.get(file);
      return version === undefined ? found : { ...found, url: `${found.url}${QUERY}${version}` };
    },
    load(url, context, next) {
      const file = localFile(url);
      if (file !== undefined) loaded.set(file, lookAt(file));
      return next(url, context);
    },
  });
}

/** Loads those anew that have changed, and what imports them; undefined where none has. */
export function reloadModules(): Promise<Reloaded | undefined> {
  // Two cells that begin at once see one change; a fault of one is not that of all later ones.
  reloading = reloading.then(reload, reload);
  return reloading;
}

/** The module of a file that was loaded again; throws what kept it from that. */
export function reloadedModule(file: string): Namespace | undefined {
  if (failed.has(file)) throw failed.get(file);
  return namespaces.get(file);
}

/**
 * Returns whether Node's `require` gives the module as it is; an ES module comes by `import` alone.
 */
export function isCommonJs(namespace: Namespace): boolean {
  return "module.exports" in namespace;
}

/** A stack, or any text, without the versions of modules. */
export function withoutVersions(text: string): string {
  return text.replaceAll(VERSION, "");
}

const QUERY = "?madrigal=";
const VERSION = /\?madrigal=\d+/g;

async function reload(): Promise<Reloaded | undefined> {
  const changed = new Set(
    [...loaded].flatMap(([file, then]) => (isSame(file, then) ? [] : [file])),
  );
  const stale = withImporters(new Set([...changed, ...failed.keys()]));
  if (stale.size === 0) return undefined;
  const before = new Map<string, Namespace>();
  for (const file of stale) {
    const namespace = namespaces.get(file) ?? (await importAsItWas(file));
    if (namespace !== undefined) before.set(file, { ...namespace });
  }
  for (const file of stale) {
    versionsSoFar += 1;
    versions.set(file, versionsSoFar);
    delete require.cache[file];
  }
  const exports = new Map<unknown, ChangedExport>();
  const faults: { file: string; thrown: unknown }[] = [];
  for (const file of stale) {
    try {
      const namespace = await importNow(file);
      namespaces.set(file, namespace);
      failed.delete(file);
      noteChanged(exports, file, [before.get(file) ?? {}, namespace]);
    } catch (thrown) {
      failed.set(file, thrown);
      loaded.set(file, lookAt(file));
      if (changed.has(file)) faults.push({ file, thrown });
    }
  }
  return { exports, files: new Set([...stale].filter((file) => !failed.has(file))), faults };
}

const require = createRequire(import.meta.url);

/**
 * Imports a module that is loaded, so that nothing of it runs again; undefined for one that failed.
 */
function importAsItWas(file: string): Promise<Namespace | undefined> {
  return importNow(file).catch(() => undefined);
}

function importNow(file: string): Promise<Namespace> {
  return importFrom(pathToFileURL(file).href, file);
}

function noteChanged(
  exports: Map<unknown, ChangedExport>,
  file: string,
  [before, now]: readonly [Namespace, Namespace],
): void {
  for (const [name, value] of [...Object.entries(before), ...membersOf(before["module.exports"])]) {
    const isTold = typeof value === "function" || (typeof value === "object" && value !== null);
    const next = now[name] ?? Object.fromEntries(membersOf(now["module.exports"]))[name];
    if (isTold && next !== undefined && next !== value) exports.set(value, { now: next, file });
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Adds the modules that import one of the files, directly or not: each holds the old version of it. */
function withImporters(files: Set<string>): Set<string> {
  // Added files are visited too.
  for (const file of files) {
    for (const importer of importers.get(file) ?? []) if (loaded.has(importer)) files.add(importer);
  }
  return files;
}

function noteImporter(file: string, importer: string): void {
  const known = importers.get(file) ?? new Set();
  importers.set(file, known.add(importer));
}

function lookAt(file: string): LoadedModule {
  try {
    const { mtimeMs, size } = statSync(file);
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
    return { modifiedMs: mtimeMs, size, hash };
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE: LoadedModule = { modifiedMs: 0, size: -1, hash: "" };

/** A file that was only touched has not changed; neither has one that can't be read, as an editor's is for a moment. */
function isSame(file: string, then: LoadedModule): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.mtimeMs === then.modifiedMs && found.size === then.size) return true;
  const now = lookAt(file);
  if (now === UNREADABLE) return true;
  if (now.hash === then.hash) loaded.set(file, now);
  return now.hash === then.hash;
}

/** The path of a module of the user's; undefined for one of Node, of a package or of ours, and for URLs that have a query already. */
function localFile(url: string): string | undefined {
  const plain = withoutVersions(url);
  if (!plain.startsWith("file:") || plain.includes("/node_modules/") || plain.includes("?"))
    return undefined;
  if (isOwnUrl(plain)) return undefined;
  return /\.(?:[mc]?[jt]s|json)$/.test(plain) ? fileURLToPath(plain) : undefined;
}
