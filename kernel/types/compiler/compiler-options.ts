/** Holds the options of the TypeScript compiler and the folder of this package. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import type ts from "typescript-6";

/**
 * Returns the compiler options of cells: as strict as a project would be, with whatever their
 * working folder has installed.
 */
export function compilerOptions(compiler: typeof ts): ts.CompilerOptions {
  return {
    strict: true,
    module: compiler.ModuleKind.ESNext,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    target: compiler.ScriptTarget.ES2024,
    lib: ["lib.esnext.d.ts"],
    types: ["node"],
    typeRoots: [nodeTypesRoot()],
    // Cells may import from anywhere; without it, nothing outside the working folder.
    rootDir: parse(process.cwd()).root,
    paths: ownModules(),
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: false,
    experimentalDecorators: false,
    noUncheckedSideEffectImports: false,
    inlineSourceMap: true,
    skipLibCheck: true,
  };
}

/**
 * The same options as TypeScript 7 reads them, for cells that stand in a mirror of the disk below `root`, with
 * the declarations of our own files.
 */
export function nativeOptions(
  root: string,
  mirrored: (path: string) => string,
): Readonly<Record<string, unknown>> {
  return {
    strict: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2024",
    lib: ["esnext"],
    types: ["node"],
    typeRoots: [nodeTypesRoot()],
    rootDir: parse(process.cwd()).root,
    rootDirs: [root, parse(process.cwd()).root],
    paths: ownModules((path) => (path.endsWith(".d.ts") ? path : mirrored(path))),
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: false,
    noUncheckedSideEffectImports: false,
    skipLibCheck: true,
    noEmit: true,
  };
}

/**
 * Names that files of graphs import of our package: `tool` alone, since all of it would be a thousand files. What makes each
 * group of built-in tools has a name of its own, which only the checks of graphs use.
 */
export function modulesOfFiles(): Record<string, string[]> {
  return {
    madrigal: [typesOf("runtime/agents/scope/tools")],
    "madrigal/docs-tools": [typesOf("runtime/agents/built-in-tools/docs-tools")],
    "madrigal/browser-tools": [typesOf("runtime/agents/browser/browser-tools")],
    "madrigal/web-tools": [typesOf("runtime/agents/web/web-tools")],
    "madrigal/code-tools": [typesOf("runtime/agents/code/code-tools")],
    "madrigal/folder-tools": [typesOf("runtime/agents/files/file-tools")],
    "madrigal/planning-tools": [typesOf("runtime/plans/planning")],
  };
}

/** Cells import the running kernel's own modules under these names, whatever the working folder has. */
function ownModules(place = (path: string) => path): Record<string, string[]> {
  return {
    madrigal: [place(typesOf("kernel/index"))],
    "madrigal/client": [place(typesOf("kernel/http-client/connect"))],
    "madrigal/library": [place(typesOf("kernel/library/programs"))],
    tslab: [place(typesOf("kernel/cells/modules/tslab-module"))],
  };
}

/** The folder of this package: its files are checked where they are written, not with a cell that imports them. */
export const packageFolder = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export function typesOf(file: string): string {
  const path = join(packageFolder, file);
  // Built, this file is JavaScript, and the types stand beside it.
  return existsSync(`${path}.ts`) ? `${path}.ts` : `${path}.d.ts`;
}

/** The folder in which `@types/node` stands. */
export function nodeTypesRoot(): string {
  const require = createRequire(import.meta.url);
  return dirname(dirname(require.resolve("@types/node/package.json")));
}
