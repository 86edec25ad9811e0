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

/** What a check of a file gets. */
export interface FileCheck {
  readonly ast: FileAst;
  readonly file: FileSymbols;
  readonly report: Report;
}

/** Finds the graph that a test calls so: of this file, or of another one whose text is known. */
export type FindGraph = (name: string) => GraphOfTest | undefined;

/** What a check of the tests of a file gets. */
export interface TestCheck extends FileCheck {
  readonly graphOf: FindGraph;
}

/** What is checked of a file in which nothing is wrong. */
export interface SoundFile extends FileCheck {
  readonly graphs: readonly Ir[];
}

/** What a check of names gets, in a graph or in the file around it. */
export interface NameCheck {
  readonly symbols: GraphSymbols;
  readonly report: Report;
}

/** What every check of a graph gets. */
export interface GraphCheck extends NameCheck {
  readonly surroundings: Surroundings;
  /** Everything that an arrow of the graph leads to, in the order of the text. */
  readonly hops: readonly HopAt[];
  readonly ir: Ir;
}

/** What a check of one node gets. */
export interface NodeCheck extends GraphCheck {
  readonly node: NodeSymbol;
  readonly scope: Scope;
  /** The clauses that stand in the node. */
  readonly own: readonly Clause[];
  /** Those and what it takes from `defaults { }`. */
  readonly clauses: readonly Clause[];
}

/** What a check of the flow gets: all names hold. */
export interface FlowCheck extends GraphCheck {
  readonly places: FlowPlaces;
  readonly overlap: Overlap;
  /** Everybody who changes a field, in the order of the text. */
  readonly writers: readonly FieldWriter[];
  /** Every field that a prompt, an argument or a condition reads. */
  readonly reads: readonly FieldRead[];
}

/** What is checked of a graph in which nothing is wrong. */
export interface SoundGraph extends FlowCheck {
  /** Every name that the graph reads. */
  readonly reading: References;
}
