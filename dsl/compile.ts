/** Compiles a text: parses, links, checks and lowers it. */
import { type CheckedFile, checkFile } from "./check/check-file.ts";
import { tooDeep } from "./check/expressions/depth.ts";
import type { Surroundings } from "./check/surroundings.ts";
import {
  type Diagnostic,
  type Finding,
  sortDiagnostics,
  toDiagnostic,
} from "./diagnostics/diagnostic.ts";
import type { Source } from "./diagnostics/source.ts";
import { link } from "./imports/link.ts";
import { type ProgramImports, programsOf, scriptImports } from "./imports/script-imports.ts";
import type { Ir, TypeIr } from "./ir/ir.ts";
import type { TestIr } from "./ir/test-ir.ts";
import type { LinkedImport, LinkedProgram, OpenedImport } from "./names/symbol-tables.ts";
import { fileSymbols } from "./names/symbols.ts";
import { parse } from "./syntax/parse.ts";
import type { FileAst } from "./syntax/tree/ast.ts";

/**
 * The known facts about the world around a text. `effects` of tools and `people` are among its
 * surroundings.
 */
export interface CheckOptions extends Surroundings {
  /**
   * The names of the tools, functions and values that TypeScript offers; `docs.read` makes
   * `docs.read` and `docs` known. If absent, an unknown tool or function is taken to exist.
   */
  readonly scope?: readonly string[] | undefined;
  /** The same for the programs that the text imports, where names of the text hide built-in ones; else that of the text. */
  readonly scopeOfPrograms?: readonly string[] | undefined;
  /** More than `scope` may be given when a graph runs: what nobody offers is a warning. */
  readonly isScopeOpen?: boolean | undefined;
  /** Types of TypeScript that the text names and does not declare: imported, or of earlier cells. */
  readonly types?: readonly NamedType[] | undefined;
  /**
   * Finds the text that an import of another `.madrigal` file means, read from the file `importer`. Equal files must have
   * equal names. Where it is absent, a text has nothing beside it.
   */
  readonly programs?: ((from: string, importer: string) => Source | undefined) | undefined;
  /** Without `programs`, passes imports of other files unread: for tools that only look at the text. */
  readonly allowUnreadPrograms?: boolean | undefined;
  /** Graphs that the text may call and test, beside its own and imported ones: those of earlier cells. */
  readonly graphs?: readonly Ir[] | undefined;
}

export interface NamedType {
  /** As the text names it. */
  readonly name: string;
  readonly type: TypeIr;
}

export interface Checked {
  readonly diagnostics: Diagnostic[];
  /** The graphs without an error, in the order of the text. */
  readonly graphs: Ir[];
  /** The tests that can run, in the order of the text. */
  readonly tests: TestIr[];
  /**
   * The names that TypeScript is to bring for the graphs of this text, each with the file that its
   * path is relative to.
   */
  readonly imports: ProgramImports["imports"];
  /** The same for every other file that a graph is taken from; graphs are run with that of their own file. */
  readonly programs: readonly ProgramImports[];
}

/** Turns a text into graphs that can run, and says all that is wrong with it. Never throws. */
export function check(source: Source, options: CheckOptions = {}): Checked {
  const { findings, checked } = checkSource(source, options, { around: [], known: new Map() });
  const diagnostics = toDiagnostics(source, [...findings, ...(checked?.findings ?? [])]);
  if (checked === undefined)
    return { diagnostics, graphs: [], tests: [], imports: [], programs: [] };
  return {
    diagnostics,
    graphs: [...checked.graphs],
    tests: [...checked.tests],
    imports: scriptImports(checked.symbols, source.file),
    programs: programsOf(checked.symbols),
  };
}

interface ProgramReading {
  /** The files that are being read, each imported by the one before. */
  readonly around: readonly string[];
  /** Those that were read to their end, by file. */
  readonly known: Map<string, LinkedProgram>;
}

interface CheckedSource {
  readonly ast: FileAst;
  readonly findings: readonly Finding[];
  /** Absent where the text nests too deep to be looked at. */
  readonly checked: CheckedFile | undefined;
}

function checkSource(
  source: Source,
  options: CheckOptions,
  reading: ProgramReading,
): CheckedSource {
  const { ast, findings } = parse(source);
  const deep = tooDeep(ast);
  if (deep !== undefined) return { ast, findings: [...findings, deep], checked: undefined };
  const linked = linkedTo(ast, source, options, reading);
  const checked = checkFile({ ast, source, syntax: findings, linked, ...options });
  return { ast, findings, checked };
}

function linkedTo(
  ast: FileAst,
  source: Source,
  options: CheckOptions,
  reading: ProgramReading,
): LinkedImport {
  const { programs } = options;
  const around = [...reading.around, source.file];
  return link(ast, source, ({ from }): OpenedImport => {
    if (programs === undefined)
      return options.allowUnreadPrograms ? { kind: "unknown" } : NO_FOLDER;
    const found = programs(from.value, source.file);
    if (found === undefined) return { kind: "nothing" };
    const { file } = found;
    if (around.includes(file))
      return { kind: "circle", files: [...around.slice(around.indexOf(file)), file] };
    const program = reading.known.get(file) ?? openProgram(found, options, { ...reading, around });
    reading.known.set(file, program);
    return program.circle?.includes(source.file)
      ? { kind: "circle", files: turned(program.circle, source.file) }
      : { kind: "program", program };
  });
}

const NO_FOLDER: OpenedImport = {
  kind: "nothing",
  hint: "a text without a file has no folder to import from; check it from a file, or pass `programs`",
};

/** A program that others import; whether it could run by itself is asked where its graphs run. */
function openProgram(source: Source, given: CheckOptions, reading: ProgramReading): LinkedProgram {
  const { scopeOfPrograms: scope = given.scope, isScopeOpen, programs } = given;
  const options = { scope, isScopeOpen, programs, allowUnreadPrograms: true };
  const { ast, findings, checked } = checkSource(source, options, reading);
  const { symbols = fileSymbols(ast, scope), all: graphs = [] } = checked ?? {};
  const all = [...findings, ...(checked?.findings ?? [])];
  const { circle } = symbols.linked;
  const diagnostics = toDiagnostics(source, all);
  return { source, ast, symbols, graphs, diagnostics, ...(circle === undefined ? {} : { circle }) };
}

/** The same circle, from `file` to itself. */
function turned(circle: readonly string[], file: string): readonly string[] {
  const files = circle.slice(1);
  const at = files.indexOf(file);
  return [...files.slice(at), ...files.slice(0, at), file];
}

function toDiagnostics(source: Source, findings: readonly Finding[]): Diagnostic[] {
  return sortDiagnostics(findings.map((finding) => toDiagnostic(source, finding)));
}
