/** Compiles cells in one program: a cell and the declarations before it give diagnostics or JavaScript. */
import type ts from "typescript-6";
import type { Compiler } from "../compiler/compiler-internals.ts";
import { errorsOf, type TextDiagnostic, toTextDiagnostic } from "../compiler/errors-of.ts";
import { NamedNodeTypes } from "../compiler/rare-node-types.ts";
import { type Offered, toCompletions } from "../compiler/to-completions.ts";
import { openConverter } from "../compiler/tslab-converter.ts";
import type { Completions, TypedQuery } from "../service.ts";
import type { CellFacts } from "./cell-names.ts";
import { cellModule } from "./cell-text.ts";
import { namesIn } from "./declarations.ts";
import { rewriteCell } from "./rewrite-cell.ts";
import { hasTopLevelAwait } from "./top-level-await.ts";
import { isRowsOfRow, untypedRows } from "./untyped-rows.ts";

export interface Analysis {
  readonly diagnostics: readonly TextDiagnostic[];
  readonly emitted?: EmittedCell;
}

export interface EmittedCell extends CellFacts {
  /** An ES module with its source map inline. */
  readonly module: string;
  readonly declarations: string;
  readonly hasTopLevelAwait: boolean;
  readonly untypedRows: readonly string[];
}

/** Reads what it wants to know of the types in a file, which may have errors. */
export type LookAtTypes<T> = (program: ts.Program, file: ts.SourceFile) => T;

export interface AskedText {
  readonly text: string;
  readonly offset: number;
  /** Nothing but these names is wanted. */
  readonly only?: ReadonlySet<string>;
}

/** The explanation of a name. */
export interface NameInfo {
  /** `const a: number`. */
  readonly declaration: string;
  readonly documentation: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
}

export interface CellProgram {
  readonly compiler: Compiler;
  /** Analyses a cell's declarations and effects, after the declarations of all cells before it; its queries are typed where they can be. */
  analyze(code: string, earlier: string, queries?: readonly TypedQuery[]): Analysis;
  /** Returns the errors of a generated text in the place of a cell; nothing is emitted. */
  diagnose(text: string, earlier: string): readonly TextDiagnostic[];
  /** Looks at the types of a text in the place of a cell; nothing is emitted. */
  look<T>(code: string, earlier: string, look: LookAtTypes<T>): T | undefined;
  complete(asked: AskedText, earlier: string): Completions;
  inspect(asked: AskedText, earlier: string): NameInfo | undefined;
  /** Returns the number of changes to the user's files so far; the files are checked for that. */
  revision(): number;
  close(): void;
}

/** tslab's converter puts this line before every text. */
const PREFIX_LENGTH = "export {};\n".length;

/** TypeScript 6 with its libraries: loading those takes half a second. */
export function createConverterProgram(compiler: Compiler): CellProgram {
  let diagnostics: readonly ts.Diagnostic[] = [];
  let emitted: EmittedCell | undefined;
  let complete: ((offered: Offered) => void) | undefined;
  let onlyLook: LookAtTypes<void> | undefined;
  const named = new NamedNodeTypes();
  let isShort = false;
  const { converter, poll } = openConverter(compiler, {
    diagnose: (program, cell) => {
      isShort = named.readFiles(program);
      onlyLook?.(program, cell);
      diagnostics = onlyLook === undefined ? errorsOf(compiler, program, cell) : [];
      return diagnostics;
    },
    emit: (builder, cell, earlier) => {
      if (onlyLook !== undefined || isShort) return;
      emitted = emitCell(compiler, { builder, cell, earlier });
    },
    offered: (offered) => complete?.(offered),
  });
  /** Once more, when a file that it brought into the program names what is not there yet. */
  const convert = (earlier: string, text: string) => {
    named.readText(text);
    converter.convert(`${named.imports}${earlier}`, text);
    if (isShort) converter.convert(`${named.imports}${earlier}`, text);
  };
  const look: CellProgram["look"] = (code, earlier, look) => {
    let found: ReturnType<typeof look> | undefined;
    onlyLook = (program, cell) => {
      found = look(program, cell);
    };
    poll();
    try {
      convert(earlier, code);
    } finally {
      onlyLook = undefined;
    }
    return found;
  };
  const program: CellProgram = {
    compiler,
    look,
    diagnose: (text, earlier) => {
      const found = look(text, earlier, (program, file) => errorsOf(compiler, program, file));
      return (found ?? []).map((one) => inCell(toTextDiagnostic(compiler, one)));
    },
    analyze: (code, earlier) => {
      const { text, syntaxErrors } = cellModule(compiler, code);
      if (syntaxErrors.length > 0)
        return { diagnostics: syntaxErrors.map((one) => toTextDiagnostic(compiler, one)) };
      poll();
      diagnostics = [];
      emitted = undefined;
      convert(earlier, text);
      const found = diagnostics.map((one) => inCell(toTextDiagnostic(compiler, one)));
      return emitted === undefined ? { diagnostics: found } : { diagnostics: found, emitted };
    },
    complete: ({ text: code, offset, only }, earlier) => {
      let found: Completions = { items: [], start: offset, end: offset };
      complete = (offered) => {
        found = toCompletions(compiler, offered, {
          code,
          offset,
          before: PREFIX_LENGTH,
          ...(only === undefined ? {} : { only }),
        });
      };
      named.readText(code);
      named.readBefore(code.slice(0, offset));
      try {
        converter.complete(`${named.imports}${earlier}`, code, offset);
      } finally {
        complete = undefined;
      }
      return found;
    },
    inspect: ({ text, offset }, earlier) => {
      named.readText(text);
      const found = converter.inspect(`${named.imports}${earlier}`, text, offset);
      return toNameInfo(found as ts.QuickInfo | undefined);
    },
    revision: poll,
    close: () => converter.close(),
  };
  return program;
}

function toNameInfo(info: ts.QuickInfo | undefined): NameInfo | undefined {
  if (info?.displayParts === undefined) return undefined;
  return {
    declaration: displayText(info.displayParts),
    documentation: displayText(info.documentation),
    tags: (info.tags ?? []).map(({ name, text }) => ({ name, text: displayText(text) })),
  };
}

function displayText(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return (parts ?? []).map(({ text }) => text).join("");
}

function inCell(diagnostic: TextDiagnostic): TextDiagnostic {
  return { ...diagnostic, start: Math.max(0, diagnostic.start - PREFIX_LENGTH) };
}

interface Emitting {
  readonly builder: ts.BuilderProgram;
  readonly cell: ts.SourceFile;
  readonly earlier: ts.SourceFile;
}

function emitCell(compiler: Compiler, { builder, cell, earlier }: Emitting): EmittedCell {
  const checker = builder.getProgram().getTypeChecker();
  const facts: CellFacts = { imports: [] };
  let module = "";
  let declared = "";
  const write = (name: string, text: string) => {
    if (name.endsWith(".d.ts")) declared = text;
    else module = text;
  };
  builder.emit(cell, write, undefined, false, {
    after: [rewriteCell({ compiler, checker, earlier, facts })],
  });
  return {
    ...facts,
    module,
    declarations: withMissing(declared, { compiler, checker, cell }),
    hasTopLevelAwait: hasTopLevelAwait(compiler, cell),
    untypedRows: untypedRows(compiler, cell, (name) =>
      isRowsOfRow(checker.getTypeAtLocation(name), checker),
    ),
  };
}

/**
 * TypeScript writes no declaration of a `var` inside a block, and none at all where it can't name a type that it has
 * inferred. Such names are declared by their type as it is shown to people; what that names and nobody knows is `any`.
 */
function withMissing(declarations: string, { compiler, checker, cell }: MissingNames): string {
  const declared = namesIn(compiler, declarations);
  const missing = cell.statements.flatMap((statement) => {
    if (!compiler.isExportDeclaration(statement)) return [];
    const clause = statement.exportClause;
    if (clause === undefined || !compiler.isNamedExports(clause)) return [];
    return clause.elements.filter(({ name }) => !declared.has(name.text));
  });
  const written = missing.flatMap((element) => {
    const symbol = checker.getExportSpecifierLocalTargetSymbol(element);
    const type = symbol && checker.getTypeOfSymbolAtLocation(symbol, element);
    const flags = compiler.TypeFormatFlags.NoTruncation;
    const name = element.name.text;
    const isValue = ((symbol?.flags ?? 0) & compiler.SymbolFlags.Value) !== 0;
    if (!isValue || type === undefined) return [`type ${name} = any;`];
    return [`declare let ${name}: ${checker.typeToString(type, cell, flags)};`];
  });
  return [declarations, ...written].join("\n");
}

interface MissingNames {
  readonly compiler: Compiler;
  readonly checker: ts.TypeChecker;
  readonly cell: ts.SourceFile;
}
