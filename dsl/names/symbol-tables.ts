/** Types of the symbol tables: what a file, a graph and the programs that it imports declare, by name. */
import type { Diagnostic, Finding } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import type { Declaration } from "../imports/declaration.ts";
import type { FieldIr, Ir, TypeIr } from "../ir/ir.ts";
import type {
  CallDecl,
  Clause,
  EachAst,
  ExprAst,
  FieldDecl,
  FileAst,
  GraphDecl,
  ImportDecl,
  McpDecl,
  MemoryDecl,
  ModelDecl,
  Name,
  NodeDecl,
  Param,
} from "../syntax/tree/ast.ts";

/**
 * The declarations of a file and of the programs that it imports, by name. Of two with one name the
 * first counts; `check/declarations/duplicates.ts` reports the others.
 */
export interface FileSymbols {
  /**
   * The names that come from TypeScript, and those that another program should have but does not
   * offer; their types are unknown.
   */
  readonly imports: ReadonlyMap<string, ImportedName>;
  readonly models: ReadonlyMap<string, ModelDecl>;
  readonly mcps: ReadonlyMap<string, McpDecl>;
  readonly types: ReadonlyMap<string, TypeIr>;
  readonly memories: ReadonlyMap<string, MemoryDecl>;
  readonly config: ReadonlyMap<string, ConfigEntry>;
  readonly graphs: ReadonlyMap<string, GraphDecl>;
  /** The declarations of the file itself. */
  readonly own: OwnDeclarations;
  /**
   * The declarations of other programs. The tables above hold them too, as if they were declared
   * where they are imported.
   */
  readonly linked: LinkedImport;
  /**
   * The names that TypeScript offers; undefined where they can't be known, as on a bare command
   * line.
   */
  readonly scope: readonly string[] | undefined;
  /** True if TypeScript may offer names beyond `scope`. */
  readonly isScopeOpen: boolean;
  /** The imports that nothing in the file names: where `scope` is not known, one of them may be what was meant. */
  readonly idleImports: () => readonly string[];
}

export interface OwnDeclarations {
  readonly imports: readonly ImportedName[];
  readonly models: readonly ModelDecl[];
  readonly mcps: readonly McpDecl[];
  readonly types: readonly { readonly name: string; readonly type: TypeIr }[];
  readonly config: readonly ConfigEntry[];
  readonly memories: readonly MemoryDecl[];
}

export interface ImportedName {
  readonly name: Name;
  readonly as: Name;
  readonly decl: ImportDecl;
}

export interface ConfigEntry {
  readonly key: Name;
  readonly value: ExprAst;
}

export type NodeSymbol = NodeDecl | CallDecl;

export interface FieldSymbol {
  readonly decl: FieldDecl;
  readonly scope: FieldIr["scope"];
  /** For scope `agent`: the node that owns it; for scope `item`: the id of the `each`. */
  readonly owner?: string;
}

/** The declarations of a graph, by name, on top of its file. */
export interface GraphSymbols {
  readonly file: FileSymbols;
  readonly graph: GraphDecl;
  readonly params: ReadonlyMap<string, Param>;
  readonly fields: ReadonlyMap<string, FieldSymbol>;
  readonly nodes: ReadonlyMap<string, NodeSymbol>;
  readonly memories: ReadonlyMap<string, MemoryDecl>;
  /** The ids of the `each`es around a body, the outermost first, and its own. */
  readonly eachPaths: ReadonlyMap<EachAst, readonly string[]>;
  /** The ids of the `each`es around a node, the outermost first; those at the top level are not listed. */
  readonly nodePaths: ReadonlyMap<string, readonly string[]>;
  /** The clauses of `defaults { }`. */
  readonly defaults: readonly Clause[];
}

/** The graph of a test: its symbol tables and its IR. */
export interface GraphOfTest {
  readonly symbols: GraphSymbols;
  readonly ir: Ir;
}

/** A graph of a file, and what is wrong with it. */
export interface CheckedGraph extends GraphOfTest {
  readonly graph: GraphDecl;
  readonly findings: readonly Finding[];
  readonly isSound: boolean;
}

/** Another file of the language, checked. */
export interface LinkedProgram {
  readonly source: Source;
  readonly ast: FileAst;
  readonly symbols: FileSymbols;
  readonly graphs: readonly CheckedGraph[];
  readonly diagnostics: readonly Diagnostic[];
  /** The files from one to the same one again, if the program imports itself. */
  readonly circle?: readonly string[];
}

/** The result of opening an import: a program, a file that is still being read, or nothing. */
export type OpenedImport =
  | { readonly kind: "program"; readonly program: LinkedProgram }
  /** The files from the one that is imported again to itself. */
  | { readonly kind: "circle"; readonly files: readonly string[] }
  | { readonly kind: "nothing"; readonly hint?: string }
  /** The text has nothing beside it, so nobody can know. */
  | { readonly kind: "unknown" };

/** The declarations and graphs of other programs in a file, with the findings about its imports. */
export interface LinkedImport {
  readonly findings: readonly Finding[];
  /** All that comes along, in the names of this file; what only the imported needs has a name that the text does not use. */
  readonly declarations: readonly Declaration[];
  /** The imported names that the text can use. */
  readonly visible: readonly { readonly as: Name; readonly declarations: readonly Declaration[] }[];
  /** The imported graphs by their names in this file. */
  readonly graphs: ReadonlyMap<string, ImportedGraph>;
  readonly programs: readonly LinkedProgram[];
  /**
   * The files of the circle, as in `OpenedImport`, if an import leads back to a file that imports
   * this one.
   */
  readonly circle?: readonly string[];
}

export interface ImportedGraph {
  readonly as: Name;
  readonly graph: CheckedGraph;
}

export const NOTHING_LINKED: LinkedImport = {
  findings: [],
  declarations: [],
  visible: [],
  graphs: new Map(),
  programs: [],
};
