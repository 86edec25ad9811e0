/** Chooses the files of installed npm packages that a wheel needs, and says on which Linux they run. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Packages with native libraries; loading them shows which of their builds this platform takes. */
const NATIVE = ["@duckdb/node-api", "zeromq"];

/** kernel/types/compiler/tslab-converter.ts puts TypeScript 6 in place of it, for which its main file must be found. */
const REPLACED = "@tslab/typescript-for-tslab";
const REPLACED_KEPT = /\/(?:package\.json|lib\/typescript\.js|[^/]*\.txt)$/;

/** The tests, hidden folders and histories that packages ship of themselves. */
const UNUSED = /^(?:@[^/]+\/)?[^/]+\/(?:tests?|\.[^/]+)\/|\/(?:changelog|history)\.md$/i;

/** The second forms of packages that the kernel imports as ES modules, and their declarations; builds for pages. */
const TWINS =
  /^@modelcontextprotocol\/[^/]+\/dist\/.*\.cjs$|\.d\.cts$|^yaml\/browser\/|^rollup\/.*\.browser\.js$/;

/** The messages of the compiler in other languages, for which a person would have to ask it. */
const TRANSLATED = /\/diagnosticMessages\.generated\.json$/;

/** Returns the bytes of each file that is needed at run time, by its path below `modules`. */
export function installedFiles(modules: string): ReadonlyMap<string, Uint8Array> {
  const loaded = loadedLibraries(modules);
  const files = readdirSync(modules, { recursive: true, withFileTypes: true })
    // Links are npm's commands below .bin.
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(modules.length + 1))
    .map((path) => path.split(sep).join("/"))
    .filter((path) => isNeeded(path, loaded));
  return new Map(files.sort().map((path) => [path, readFileSync(join(modules, path))]));
}

function isNeeded(path: string, loaded: ReadonlySet<string>): boolean {
  if (path.startsWith("madrigal/")) return true;
  if (path.endsWith(".node")) return loaded.has(path);
  if (path.startsWith(`${REPLACED}/`)) return REPLACED_KEPT.test(path);
  if (UNUSED.test(path) || TWINS.test(path) || TRANSLATED.test(path)) return false;
  // Sources of TypeScript and their maps are for debuggers; declarations are what cells are checked by.
  const isSource = /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path);
  return !isSource && !/\.(?:map|tsbuildinfo)$/.test(path) && path !== ".package-lock.json";
}

/** Returns the native libraries below `modules` that this platform loads. */
function loadedLibraries(modules: string): ReadonlySet<string> {
  const loads = NATIVE.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
  const tell = "console.log(JSON.stringify(process.report.getReport().sharedObjects));";
  const args = ["--input-type=module", "--eval", `${loads}\n${tell}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: modules,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the native libraries can't be loaded: ${stderr}`);
  const paths: readonly string[] = JSON.parse(stdout);
  const inside = paths.filter((path) => path.startsWith(modules + sep));
  return new Set(inside.map((path) => path.slice(modules.length + 1)));
}

/** Returns the tag of the oldest Linux that has the C library which the native libraries ask for. */
export function platformTag(files: ReadonlyMap<string, Uint8Array>): string {
  const architecture = { x64: "x86_64", arm64: "aarch64" }[process.arch as string];
  if (process.platform !== "linux" || architecture === undefined)
    throw new Error(`no wheel can be built on ${process.platform} ${process.arch}: use Linux`);
  const native = [...files].filter(([path]) => /\.(?:node|so)$/.test(path));
  const minors = native.flatMap(([, bytes]) =>
    // Versions of symbols stand as texts in the library.
    [
      ...Buffer.from(bytes)
        .toString("latin1")
        .matchAll(/\0GLIBC_2\.(\d+)/g),
    ].map(([, minor]) => Number(minor)),
  );
  if (minors.length === 0) throw new Error("no native library names a version of the C library");
  return `manylinux_2_${Math.max(...minors)}_${architecture}`;
}
