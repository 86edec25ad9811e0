/** Analyses cells by TypeScript 7: their errors, their declarations, and their JavaScript, which TypeScript 6 writes. */
import type ts from "typescript-6";
import { namesStanding } from "../cells/cell-parts.ts";
import type { Analysis } from "../cells/cell-program.ts";
import { type CellModule, importedIdentifiers } from "../cells/cell-text.ts";
import {
  type CellDeclaration,
  type DeclaringStatement,
  statementsIn,
} from "../cells/declarations.ts";
import { hasTopLevelAwait } from "../cells/top-level-await.ts";
import { untypedRows } from "../cells/untyped-rows.ts";
import type { Compiler } from "../compiler/compiler-internals.ts";
import type { TextDiagnostic } from "../compiler/errors-of.ts";
import { declareCell } from "./declare-cell.ts";
import { emitModule } from "./emit-cell.ts";
import type { NativeCompiler, ReadCell } from "./native-compiler.ts";
import { isShort } from "./native-errors.ts";
import { surroundCell } from "./surround-cell.ts";
import { toldErrors } from "./told-errors.ts";
import { writtenTypes } from "./type-texts.ts";

export interface NativeCell {
  readonly module: CellModule;
  /** The declarations of all cells before it. */
  readonly earlier: string;
}

/** Both compilers, and the options of the one that emits. */
export interface Compilers {
  readonly compiler: Compiler;
  readonly options: ts.CompilerOptions;
  readonly native: NativeCompiler;
}

/** Returns undefined for a cell whose declarations, or errors, only the other compiler can write. */
export function analyzeCell(cell: NativeCell, by: Compilers): Analysis | undefined {
  const { compiler, options } = by;
  const { file, read, diagnostics, before } = readCell(cell, by);
  if (diagnostics.some(isShort)) return undefined;
  if (diagnostics.length > 0) return { diagnostics };
  const types = writtenTypes(compiler, file, read);
  const declarations = declareCell({ compiler, file, types });
  const values = valueNames(compiler, { file, read, names: cell.module.names });
  if (declarations === undefined || values === undefined) return undefined;
  const text = `${cell.module.own}\nexport {${values.join(", ")}}`;
  return {
    diagnostics,
    emitted: {
      ...emitModule(compiler, { text, earlier: before, options }),
      declarations,
      hasTopLevelAwait: hasTopLevelAwait(compiler, file),
      untypedRows: untypedRows(compiler, file, (name) => /^Rows</.test(types.shown(name) ?? "")),
    },
  };
}

/** Returns the errors of a cell alone; undefined where only the other compiler can write them. */
export function diagnoseCell(
  cell: NativeCell,
  by: Compilers,
): readonly TextDiagnostic[] | undefined {
  const { diagnostics } = readCell(cell, by);
  return diagnostics.some(isShort) ? undefined : diagnostics;
}

/** A name that nobody knows may be another one, written wrong: then all are looked at. */
function readCell({ module, earlier }: NativeCell, { compiler, native }: Compilers): CellRead {
  const file = compiler.createSourceFile("cell.ts", module.text, compiler.ScriptTarget.Latest);
  const statements = statementsIn(compiler, earlier);
  const known = statements.flatMap(({ declares }) => declares);
  const text = exporting(earlier, known);
  const namesThere = namesStanding(compiler, file);
  // In place of the tag of a query whose columns are known stands another one.
  const namesInCell = module.text.startsWith(module.own)
    ? namesThere
    : new Set([...namesThere, "sql"]);
  const used = known.filter(({ name }) => namesInCell.has(name));
  const first = readAround(file, used);
  const isUnknown = first.diagnostics.some(({ code }) => code === UNKNOWN_NAME);
  const { read, diagnostics } = isUnknown ? readAround(file, known) : first;
  return { file, read, diagnostics, before: namesAlone(statements, namesInCell) };

  function readAround(cell: ts.SourceFile, around: readonly CellDeclaration[]) {
    const { text: surrounded, ownErrors } = surroundCell(compiler, cell, around);
    const read = native.read(surrounded, text);
    return { read, diagnostics: toldErrors(() => compiler, cell.text, ownErrors(read.errors)) };
  }
}

/** The declarations of earlier cells as the module from which a cell imports. */
export function exporting(earlier: string, known: readonly CellDeclaration[]): string {
  const names = [...new Set(known.map(({ name }) => name))];
  return `${earlier}\nexport { ${names.join(", ")} };\n`;
}

interface CellRead {
  readonly file: ts.SourceFile;
  readonly read: ReadCell;
  readonly diagnostics: readonly TextDiagnostic[];
  /** Declares the names of earlier cells that stand in it, without their types. */
  readonly before: string;
}

const UNKNOWN_NAME = 2304;

/** The values of an enum may be written where they are used. */
function namesAlone(
  statements: readonly DeclaringStatement[],
  namesInCell: ReadonlySet<string>,
): string {
  return statements
    .flatMap(({ text, declares }) =>
      declares
        .filter(({ name, isValue }) => isValue && namesInCell.has(name))
        .map(({ name, kind }) => (kind === "enum" ? text : `declare let ${name}: any;`)),
    )
    .join("\n");
}

interface ExportingCell {
  readonly file: ts.SourceFile;
  readonly read: ReadCell;
  readonly names: readonly string[];
}

/**
 * The names of a cell that are there when it runs: an import of a type alone must not load its module. Undefined where
 * one is a constant enum, whose values are written where it is used.
 */
function valueNames(
  compiler: typeof ts,
  { file, read, names }: ExportingCell,
): readonly string[] | undefined {
  const imported = file.statements
    .filter(compiler.isImportDeclaration)
    .flatMap((one) => importedIdentifiers(compiler, one));
  if (imported.length === 0) return names;
  const places = imported.map((name) => name.getStart(file));
  const types = new Set<string>();
  for (const [index, symbol] of read.checker.getSymbolAtPosition(read.name, places).entries()) {
    const meant = symbol && read.checker.getAliasedSymbol(symbol);
    if (meant === undefined || read.checker.isUnknownSymbol(meant)) continue;
    if ((meant.flags & CONST_ENUM) !== 0) return undefined;
    if ((meant.flags & VALUE) === 0) types.add(imported[index]?.text ?? "");
  }
  return names.filter((name) => !types.has(name));
}

// `SymbolFlags` of the compiler.
const CONST_ENUM = 128;
const VALUE = 111_551;
