import type { CheckedGraph } from "../check/check-file.ts";
import type { Diagnostic, Finding } from "../diagnostic.ts";
import type { Source } from "../source.ts";
import type { FileSymbols } from "../symbols.ts";
import type { FileAst, Name } from "../syntax/ast.ts";
import type { Declaration } from "./declaration.ts";

/** Another file of the language, checked. */
export interface Program {
  readonly source: Source;
  readonly ast: FileAst;
  readonly symbols: FileSymbols;
  readonly graphs: readonly CheckedGraph[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where it imports itself: the files from one of them to the same one again. */
  readonly circle?: readonly string[];
}

/** What there is where an import leads: a program, a file that is just being read, or nothing. */
export type Opened =
  | { readonly kind: "program"; readonly program: Program }
  /** The files from the one that is imported again to itself. */
  | { readonly kind: "circle"; readonly files: readonly string[] }
  | { readonly kind: "nothing"; readonly hint?: string }
  /** The text has nothing beside it, so nobody can know. */
  | { readonly kind: "unknown" };

/** What a file has from other programs. */
export interface Linked {
  readonly findings: readonly Finding[];
  /** All that comes along, in the names of this file; what only the imported needs has a name that the text does not use. */
  readonly declarations: readonly Declaration[];
  /** What the text can name. */
  readonly visible: readonly { readonly as: Name; readonly declarations: readonly Declaration[] }[];
  /** By their names here. */
  readonly graphs: ReadonlyMap<string, ImportedGraph>;
  readonly programs: readonly Program[];
  /** Where an import leads back to a file that imports this one: the files of the circle, as in `Opened`. */
  readonly circle?: readonly string[];
}

export interface ImportedGraph {
  readonly as: Name;
  readonly graph: CheckedGraph;
}

export const NOTHING_LINKED: Linked = {
  findings: [],
  declarations: [],
  visible: [],
  graphs: new Map(),
  programs: [],
};
