/**
 * Declares the contract of worker 2, the only place that knows a TypeScript compiler. All state lives there: the
 * declarations of every cell so far, one program for cells and graphs. Offsets are UTF-16 units, lines and columns count
 * from 1.
 */

import type { Diagnostic, Ir, NamedType, Source, TestIr } from "../../dsl/index.ts";
import type { ThrowPlaces } from "./caught.ts";
import type { ProgramNames } from "./named/program-names.ts";
import type { AskedTool, FoundSignature } from "./named/read-signatures.ts";
import type { ScopeModule } from "./named/scope-module.ts";

/** A graph that others call, with the types that TypeScript declares for it. */
export interface Subgraph {
  readonly graph: Ir;
  readonly types: readonly ResolvedType[];
}

/** Graphs to be checked, and what is known around them. */
export interface GraphsToCheck extends GraphCell {
  /** Graphs of earlier cells, which these may call. */
  readonly others?: readonly Subgraph[];
  /** Names that no cell declares and every graph has, with their types. */
  readonly offered?: Readonly<Record<string, string>>;
  /** A module whose exports the graphs may name without importing them. */
  readonly scope?: ScopeModule | undefined;
  /** True if there may be other names, as of built-in tools: an unknown name is then accepted. */
  readonly isOpen?: boolean;
}

/**
 * The fault of a name that can't be used as a type, or, as a warning, of one whose shape is mostly
 * unknown.
 */
export interface TypeFault {
  readonly code: "M3402" | "M3511" | "M3515";
  readonly severity?: "warning";
  readonly message: string;
  readonly hint: string;
}

export interface TypeService {
  /** Turns a TypeScript cell into JavaScript and remembers what it declares, unless it has errors. */
  convert(cell: CellText): Promise<Converted>;
  /**
   * The types that a text of graphs names and TypeScript declares: those that it imports, and those of earlier cells. They
   * are for the `check` of the language, which can then say what a model is asked for.
   */
  typesOf(names: ProgramNames): Promise<readonly ResolvedType[]>;
  /** Returns the signatures of tools that earlier cells declare or a module exports. */
  signaturesOf(asked: readonly AskedTool[]): Promise<readonly FoundSignature[]>;
  /**
   * Checks the expressions, prompt holes, calls and writes of checked graphs against the types of all cells so far, and
   * declares the graphs and types of the cell for later ones. Declares nothing when there are errors.
   */
  declareGraphs(cell: GraphCell): Promise<readonly Diagnostic[]>;
  /** Declares graphs that a TypeScript cell imports from programs, each under the name that the cell gives it. */
  declareImported(graphs: readonly Subgraph[]): Promise<void>;
  /** Returns the errors that a cell which has run would have now. */
  recheck(cell: CellText): Promise<readonly TypeDiagnostic[]>;
  /** Declares a name that the kernel itself gives to later cells. */
  declare(name: DeclaredName): Promise<void>;
  complete(at: CellCursor): Promise<Completions>;
  /** Undefined when nothing is known there. */
  inspect(at: CellCursor & { readonly detail: 0 | 1 }): Promise<Inspection | undefined>;
  isComplete(code: string): Promise<Completeness>;
  /** For a debugger: whether a `catch` stands around each of these places. */
  caughtAt(places: ThrowPlaces): Promise<readonly boolean[]>;
}

export interface CellText {
  /** `Cell[3]`: how the cell is called in stacks and errors. */
  readonly name: string;
  readonly code: string;
  /** The queries in it whose columns are known. */
  readonly queries?: readonly TypedQuery[];
}

/** A query of the tag `sql`. */
export interface TypedQuery {
  /** The offset of the tag in the cell. */
  readonly offset: number;
  /** The type of a row, as TypeScript writes it. */
  readonly row: string;
}

export interface DeclaredName {
  readonly name: string;
  /** As TypeScript writes it. */
  readonly type: string;
  readonly isConstant?: boolean;
}

export interface GraphCell {
  readonly source: Source;
  /** The names of its text, with their places. */
  readonly names: ProgramNames;
  readonly graphs: readonly Ir[];
  readonly tests?: readonly TestIr[];
  /** The result of `typesOf` on its text. */
  readonly types?: readonly ResolvedType[];
  /** The types of the APIs that it declares, by their names. */
  readonly apis?: Readonly<Record<string, string>>;
}

/** A type of TypeScript as a graph sees it. */
export interface ResolvedType extends NamedType {
  /** Its TypeScript text: `import("./types.ts").Task`, or its name. */
  readonly text: string;
  /** The fault of a name that is no type; no error follows from such a name. */
  readonly fault?: TypeFault;
}

export interface CellCursor {
  /** A whole cell of any kind. */
  readonly code: string;
  readonly offset: number;
}

export interface Converted {
  /** Errors of the TypeScript compiler in the cell's own text, as `TS2552` would be; empty when `js` can run. */
  readonly diagnostics: readonly TypeDiagnostic[];
  /**
   * The body of `(async) function (exports, require, importModule, importMeta, __filename, __dirname)`: reads and writes
   * the names of all cells as properties of `exports`. See kernel/types/cells/README.md.
   */
  readonly js: string;
  /** Graphs of earlier cells that no longer fit what this cell declares anew; it runs nevertheless. */
  readonly warnings: readonly Diagnostic[];
  /** The signatures of tools of earlier graphs that this cell declares again. */
  readonly signatures: readonly FoundSignature[];
  /** The declared and used names of each statement, from which dependencies follow. */
  readonly parts: readonly CellPart[];
  /** From `js` to the cell's text, as JSON of a source map (version 3). */
  readonly sourceMap: string;
  readonly hasTopLevelAwait: boolean;
  /**
   * The modules that the cell imports statically: those that await at top level are loaded before
   * it runs, see README.md.
   */
  readonly imports: readonly string[];
  /** Names that hold rows of `sql` whose columns nobody has typed: what is in them is known once the cell has run. */
  readonly untypedRows: readonly string[];
  /** The property of `exports` that holds the value of the last expression; delete it after reading. */
  readonly lastExpression?: string;
}

/** A statement of a cell, or all of a cell that is no TypeScript. */
export interface CellPart {
  readonly declares: readonly string[];
  /** Names that stand in it; those of its own functions may be among them. */
  readonly uses: readonly string[];
}

export interface TypeDiagnostic {
  /** `TS2552`. */
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Completions {
  readonly items: readonly CompletionItem[];
  /** The start of the text that an accepted item replaces. */
  readonly start: number;
  readonly end: number;
}

export interface CompletionItem {
  readonly text: string;
  /** TypeScript's kind of it: `const`, `function`, `property`, `keyword` … */
  readonly type: string;
  readonly signature?: string;
}

export interface Inspection {
  readonly plain: string;
  readonly markdown: string;
}

export interface Completeness {
  readonly status: "complete" | "incomplete" | "invalid" | "unknown";
  /** The indentation of the next line, when incomplete. */
  readonly indent: string;
}

/** One call over a message port: any method of the service by its name. */
export interface TypeCall {
  readonly id: number;
  readonly method: keyof TypeService;
  readonly argument: unknown;
}

export type TypeAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly stack?: string } };
