/** The inputs of checks by stage, with the facts that several checks share. */
import type { Ir } from "../ir/ir.ts";
import type { References } from "../lower/references.ts";
import type { Scope } from "../names/scope.ts";
import type { FileSymbols, GraphOfTest, GraphSymbols, NodeSymbol } from "../names/symbol-tables.ts";
import type { Clause, FileAst } from "../syntax/tree/ast.ts";
import type { FieldWriter, HopAt, Overlap } from "./facts.ts";
import type { FlowPlaces } from "./flow/places.ts";
import type { Report } from "./report.ts";
import type { FieldRead } from "./state/reads.ts";
import type { Surroundings } from "./surroundings.ts";

/** The argument of a check of a file. */
export interface FileCheck {
  readonly ast: FileAst;
  readonly file: FileSymbols;
  /** The path of the file, from which it names others. */
  readonly path: string;
  readonly surroundings: Surroundings;
  readonly report: Report;
}

/** Finds the graph that a test calls so: of this file, or of another one whose text is known. */
export type FindGraph = (name: string) => GraphOfTest | undefined;

/** The argument of a check of the tests of a file. */
export interface TestCheck extends FileCheck {
  readonly graphOf: FindGraph;
}

/** The argument of a check that needs a file without an error. */
export interface SoundFile extends FileCheck {
  readonly graphs: readonly Ir[];
}

/** The argument of a check of names, in a graph or in the file around it. */
export interface NameCheck {
  readonly symbols: GraphSymbols;
  readonly report: Report;
}

/** The argument of each check of a graph. */
export interface GraphCheck extends NameCheck {
  readonly surroundings: Surroundings;
  /** The hops of the graph's arrows, in the order of the text. */
  readonly hops: readonly HopAt[];
  readonly ir: Ir;
}

/** The argument of a check of one node. */
export interface NodeCheck extends GraphCheck {
  readonly node: NodeSymbol;
  readonly scope: Scope;
  /** The clauses that stand in the node. */
  readonly own: readonly Clause[];
  /** The node's own clauses and those that it takes from `defaults { }`. */
  readonly clauses: readonly Clause[];
}

/** The argument of a check of the flow, which runs once all names hold. */
export interface FlowCheck extends GraphCheck {
  readonly places: FlowPlaces;
  readonly overlap: Overlap;
  /** The nodes and arrows that change a field, in the order of the text. */
  readonly writers: readonly FieldWriter[];
  /** Every field that a prompt, an argument or a condition reads. */
  readonly reads: readonly FieldRead[];
}

/** The argument of a check that needs a graph without an error. */
export interface SoundGraph extends FlowCheck {
  /** Every name that the graph reads. */
  readonly reading: References;
  /** The fields that the graph returns or that a node lists, in `reads` or `edits`. */
  readonly listed: ReadonlySet<string>;
}
