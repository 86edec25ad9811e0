/** Caches the compiler's answers on disk until a file that it read changes. */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative } from "node:path";
import { cacheFolder } from "../../startup/keep-compiled.js";
import { packageFolder } from "../compiler/compiler-options.ts";

/**
 * A question to the compiler with all its inputs: equal questions have one answer while the files
 * are equal too.
 */
export interface CompilerQuestion {
  /** The absolute path of the program; the text stands beside it. */
  readonly path: string;
  readonly parts: readonly unknown[];
}

export interface CompilerAnswer<T> {
  readonly answer: T;
  /** All files that were read for it, absolute. */
  readonly files: readonly string[];
  /**
   * True if the answer holds while these files do not change; false if a file was looked for and is
   * missing.
   */
  readonly isLasting: boolean;
}

/** The answer that is kept; else the one that `ask` gives, which is kept from then on. It has to be plain JSON. */
export function keptAnswer<T>(question: CompilerQuestion, ask: () => CompilerAnswer<T>): T {
  const folder = cacheFolder();
  const file = folder && join(folder, "types", `${digest([versions(), question.parts])}.json`);
  const place = dirname(question.path);
  const kept = file === undefined ? undefined : read<T>(file, place);
  if (file === undefined || kept !== undefined) return kept ?? ask().answer;
  const { answer, files, isLasting } = ask();
  // A message may name the folder, and the same program may stand in another one.
  if (isLasting && !JSON.stringify(answer).includes(place)) write(file, { answer, files, place });
  return answer;
}

interface CachedAnswer<T> {
  readonly answer: T;
  readonly files: readonly (readonly [name: string, stamp: string])[];
}

function read<T>(file: string, place: string): T | undefined {
  try {
    const { answer, files }: CachedAnswer<T> = JSON.parse(readFileSync(file, "utf8"));
    return files.every(([name, stamp]) => stampOf(name, place) === stamp) ? answer : undefined;
  } catch {
    return undefined; // It is not kept, or one of its files is gone.
  }
}

/** Installed files change with their time and size; the user's own are known by what is in them, wherever they stand. */
function stampOf(name: string, place: string): string {
  if (!isAbsolute(name)) return digest([readFileSync(join(place, name), "utf8")]);
  const { mtimeMs, size } = statSync(name);
  return `${mtimeMs} ${size}`;
}

function nameOf(file: string, place: string): string {
  const isInstalled = file.includes("/node_modules/") || file.startsWith(`${packageFolder}/`);
  return isInstalled ? file : relative(place, file);
}

function write(
  file: string,
  of: { readonly answer: unknown; readonly files: readonly string[]; readonly place: string },
): void {
  const { answer, files, place } = of;
  // Whole or not at all: others may read it now.
  const draft = `${file}.${process.pid}`;
  try {
    const names = files.map((one) => nameOf(one, place));
    const stamped = names.map((name) => [name, stampOf(name, place)] as const);
    mkdirSync(dirname(file), { recursive: true });
    leaveRoom(dirname(file));
    writeFileSync(
      draft,
      JSON.stringify({ answer, files: stamped } satisfies CachedAnswer<unknown>),
    );
    renameSync(draft, file);
  } catch {
    // Without a cache it is only asked again.
    rmSync(draft, { force: true });
  }
}

const KEPT_MAX = 1000;

/** Each edit of a program is another question: the oldest half goes when there are too many. */
function leaveRoom(folder: string): void {
  const names = readdirSync(folder);
  if (names.length < KEPT_MAX) return;
  const aged = names.map((name) => ({ name, age: statSync(join(folder, name)).mtimeMs }));
  aged.sort((a, b) => a.age - b.age);
  for (const { name } of aged.slice(0, KEPT_MAX / 2)) rmSync(join(folder, name), { force: true });
}

let known: readonly string[] | undefined;

/**
 * Returns the versions of the compilers, whose libraries are not among the files, of this package,
 * and of the code that computes the answers.
 */
function versions(): readonly string[] {
  const require = createRequire(import.meta.url);
  const compilers = ["typescript/package.json", "typescript-6/package.json"];
  const files = [
    ...compilers.map((one) => require.resolve(one)),
    join(packageFolder, "package.json"),
  ];
  known ??= [...files, ...answeringFiles()].map((file) => stampOf(file, ""));
  return known;
}

/** Our own files by which an answer is worked out: an edit of one may change every answer. */
export function answeringFiles(): readonly string[] {
  // A built package changes with its package.json alone.
  if (!import.meta.url.endsWith(".ts")) return [];
  const tools = join(packageFolder, "runtime", "agents", "scope", "tools.ts");
  const folders = [join(packageFolder, "kernel", "types"), join(packageFolder, "dsl")];
  return [tools, ...folders.flatMap(filesBelow)];
}

function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}

function digest(of: unknown): string {
  return createHash("sha256").update(JSON.stringify(of)).digest("hex");
}
