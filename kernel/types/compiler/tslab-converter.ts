/** Loads tslab's converter on a stock TypeScript instead of the fork that it brings. */
import { createRequire, Module } from "node:module";
import type { Converter } from "tslab/dist/converter.js";
import type ts from "typescript-6";
import type { Compiler } from "./compiler-internals.ts";
import { compilerOptions } from "./compiler-options.ts";
import { readDocumentation, withoutComments } from "./documentation.ts";
import { polledSystem } from "./system.ts";
import type { Offered } from "./to-completions.ts";

/** Called while the converter works on a cell. */
export interface ConverterHooks {
  /** Returns the errors of the cell; the converter emits nothing unless there are none. */
  diagnose(program: ts.Program, cell: ts.SourceFile): readonly ts.Diagnostic[];
  /** Emits a cell in which nothing is wrong; `earlier` holds the declarations of all cells before it. */
  emit(builder: ts.BuilderProgram, cell: ts.SourceFile, earlier: ts.SourceFile): void;
  /** Told what the compiler offers at a place that was asked for. */
  offered(offered: Offered): void;
}

export interface OpenedConverter {
  readonly converter: Converter;
  /** Tells the program which of the user's files have changed; how many changes there were so far. */
  poll(): number;
}

const require = createRequire(import.meta.url);
const tslab = require.resolve("tslab/dist/converter.js");

/** The compiler itself, loaded on first use. */
export function loadCompiler(): Compiler {
  return require("typescript-6");
}

/** A converter for the working folder, with a program of its own. */
export function openConverter(compiler: Compiler, hooks: ConverterHooks): OpenedConverter {
  const { system, poll } = polledSystem(compiler);
  const replaced = {
    sys: system,
    createWatchCompilerHost: withOurOptions(compiler),
    createWatchProgram: withOurEmit(compiler, hooks),
    getPreEmitDiagnosticsOfFiles: ofTheCell(hooks),
    // The hooks make the JavaScript; the converter's own second step would only repeat it.
    transpileModule: () => ({ outputText: "" }),
    getDefaultTypeRoots: () => [],
    getNullTransformationContext: () => compiler.nullTransformationContext,
    getQuickInfoAtPosition: quickInfo(compiler),
    Completions: completionsOf(compiler, system, hooks),
  };
  return { converter: loadConverter(compiler, replaced), poll };
}

/**
 * tslab asks for its fork by name and reads it through getters that can't be overwritten. So our object is put under
 * that name before tslab's module is loaded, anew for each converter.
 */
function loadConverter(compiler: Compiler, replaced: Readonly<Record<string, unknown>>): Converter {
  const fromTslab = createRequire(tslab);
  const fork = fromTslab.resolve("@tslab/typescript-for-tslab");
  const before = require.cache[fork];
  delete require.cache[tslab];
  const standIn = new Module(fork);
  standIn.exports = { ...compiler, ...replaced };
  standIn.loaded = true;
  require.cache[fork] = standIn;
  try {
    const { createConverter }: { createConverter: () => Converter } = fromTslab(tslab);
    return createConverter();
  } finally {
    if (before === undefined) delete require.cache[fork];
    else require.cache[fork] = before;
  }
}

function withOurOptions(compiler: Compiler) {
  return (files: string[], options: ts.CompilerOptions, system: ts.System) => {
    // Options that only the fork knows, or that a cell does not need.
    const { disableTopLevelAwait, noImplicitUseStrict, jsx, ...known } = options;
    const merged = { ...known, ...compilerOptions(compiler) };
    const silent = () => undefined;
    // Not the default builder, which computes dependencies that a cell does not need.
    const build = compiler.createAbstractBuilder;
    const host = compiler.createWatchCompilerHost(files, merged, system, build, silent, silent);
    return Object.assign(host, { jsDocParsingMode: withoutComments(compiler) });
  };
}

function withOurEmit(compiler: Compiler, hooks: ConverterHooks) {
  return (host: ts.WatchCompilerHostOfFilesAndCompilerOptions<ts.BuilderProgram>) => {
    const created = host.afterProgramCreate;
    host.afterProgramCreate = (builder) => created?.call(host, hooked(builder, hooks));
    return compiler.createWatchProgram(host);
  };
}

/**
 * The builder as tslab sees it. A cell depends on nothing else that would have to be checked and emitted with it. It
 * comes with its exports, so tslab need not find out what it declares and build a second program; and what remains of
 * the earlier declarations is our own work (declarations.ts), so it finds none.
 */
function hooked(builder: ts.BuilderProgram, hooks: ConverterHooks): ts.BuilderProgram {
  const { cell, earlier } = virtualFiles(builder);
  // The names of earlier cells are those around this one: the checker looks for a name in the parents of a node.
  if (cell !== undefined && earlier !== undefined) Object.assign(cell, { parent: earlier });
  return Object.create(builder, {
    getSourceFile: {
      value: (name: string) => {
        if (name === cell?.fileName) return withoutLocals(cell);
        return name === earlier?.fileName ? withoutLocals(earlier) : builder.getSourceFile(name);
      },
    },
    getAllDependencies: { value: (file: ts.SourceFile) => [file.fileName] },
    emit: {
      value: () => {
        if (cell !== undefined && earlier !== undefined) hooks.emit(builder, cell, earlier);
      },
    },
  });
}

function virtualFiles(program: { getSourceFiles(): readonly ts.SourceFile[] }) {
  const find = (name: string) =>
    program.getSourceFiles().find((file) => file.fileName.endsWith(`/${name}`));
  return { cell: find("__tslab__.ts"), earlier: find("__prev__.d.ts") };
}

function withoutLocals(file: ts.SourceFile): ts.SourceFile {
  return Object.create(file, { locals: { value: new Map() } });
}

function ofTheCell(hooks: ConverterHooks) {
  return (program: ts.Program) => {
    const { cell } = virtualFiles(program);
    return cell === undefined ? [] : hooks.diagnose(program, cell);
  };
}

// The two functions that the fork adds to the language service, made of what a stock compiler has inside.

function quickInfo(compiler: Compiler) {
  return (given: ts.SourceFile, checker: ts.TypeChecker, _token: unknown, position: number) => {
    const file: ts.SourceFile = Object.getPrototypeOf(given);
    const node = compiler.getTouchingPropertyName(file, position);
    if (node === file) return undefined;
    const start = node.getStart(file);
    const found = { kindModifiers: "", textSpan: { start, length: node.getEnd() - start } };
    const symbol = checker.getSymbolAtLocation(node);
    if (symbol === undefined) return { ...found, ...ofType(compiler, checker, node) };
    readDocumentation(compiler, checker, symbol);
    const shown = compiler.SymbolDisplay.getSymbolDisplayPartsDocumentationAndSymbolKind(
      checker,
      symbol,
      file,
      compiler.getContainerNode(node),
      node,
    );
    return { ...found, ...shown, kind: shown.symbolKind };
  };
}

function ofType(compiler: Compiler, checker: ts.TypeChecker, node: ts.Node) {
  const type = checker.getTypeAtLocation(node);
  readDocumentation(compiler, checker, type.symbol);
  return {
    kind: "",
    displayParts: compiler.typeToDisplayParts(checker, type, node),
    documentation: type.symbol?.getDocumentationComment(checker),
    tags: [],
  };
}

function completionsOf(compiler: Compiler, system: ts.System, hooks: ConverterHooks) {
  // Paths and packages are looked for on the disk.
  const disk = {
    getCurrentDirectory: () => system.getCurrentDirectory(),
    useCaseSensitiveFileNames: () => system.useCaseSensitiveFileNames,
    fileExists: (path: string) => system.fileExists(path),
    readFile: (path: string) => system.readFile(path),
    directoryExists: (path: string) => system.directoryExists(path),
    getDirectories: (path: string) => system.getDirectories(path),
    readDirectory: (...looked: Parameters<ts.System["readDirectory"]>) =>
      system.readDirectory(...looked),
    realpath: (path: string) => system.realpath?.(path) ?? path,
  };
  return {
    ...compiler.Completions,
    getCompletionsAtPositionForTslab: (
      host: object,
      program: ts.Program,
      log: () => void,
      given: ts.SourceFile,
      ...rest: readonly unknown[]
    ) => {
      const file: ts.SourceFile = Object.getPrototypeOf(given);
      const getCompilationSettings = () => program.getCompilerOptions();
      const full = { ...host, ...disk, getCompilationSettings };
      const [position, , ...others] = rest;
      const info = compiler.Completions.getCompletionsAtPosition(
        full,
        program,
        log,
        file,
        position,
        // Imports name files as they are; our Node strips their types.
        { importModuleSpecifierEnding: "js" },
        ...others,
        undefined,
        WITH_SYMBOLS,
      );
      if (info !== undefined) hooks.offered({ info, program, file });
      return info;
    },
  };
}

/** Each entry comes with its symbol, whose type can be told. */
const WITH_SYMBOLS = true;
