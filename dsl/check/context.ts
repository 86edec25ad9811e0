import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostic.ts";
import type { Ir } from "../ir.ts";
import type { References } from "../lower/references.ts";
import { nearest } from "../nearest.ts";
import type { Scope } from "../scope.ts";
import type { Span } from "../source.ts";
import type { FileSymbols, GraphSymbols, NodeSymbol } from "../symbols.ts";
import type { Clause, FileAst } from "../syntax/ast.ts";
import type { HopAt } from "./hops.ts";
import type { Overlap } from "./overlap.ts";
import type { Places } from "./places.ts";
import type { Read } from "./reads.ts";
import type { Surroundings } from "./surroundings.ts";
import type { FindGraph } from "./tests.ts";
import type { Writer } from "./writers.ts";

/** Takes what a check finds. */
export type Report = (finding: Finding) => void;

/** What a check of a file gets. */
export interface FileCheck {
  readonly ast: FileAst;
  readonly file: FileSymbols;
  readonly report: Report;
}

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
  readonly places: Places;
  readonly overlap: Overlap;
  /** Everybody who changes a field, in the order of the text. */
  readonly writers: readonly Writer[];
  /** Every field that a prompt, an argument or a condition reads. */
  readonly reads: readonly Read[];
}

/** What is checked of a graph in which nothing is wrong. */
export interface SoundGraph extends FlowCheck {
  /** Every name that the graph reads. */
  readonly reading: References;
}

/** A word that nothing is called by. */
export interface UnknownWord {
  readonly code: Code;
  /** What was looked for: `node`, `field`. */
  readonly what: string;
  readonly word: string;
  readonly span: Span;
  readonly candidates: readonly string[];
  /** What to do if nothing is near. */
  readonly otherwise?: string | undefined;
}

/** Reports a name that nobody declares, with the nearest one that somebody does. */
export function reportUnknown(report: Report, unknown: UnknownWord): void {
  const { code, what, word, span, candidates, otherwise } = unknown;
  const near = nearest(word, candidates);
  const hint = near === undefined ? (otherwise ?? listed(candidates)) : `did you mean \`${near}\`?`;
  report({ code, message: `no ${what} is called \`${word}\``, span, hint });
}

/** `there is: a, b, c` for short lists. */
export function listed(candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || candidates.length > 8) return undefined;
  return `there ${candidates.length === 1 ? "is" : "are"} ${quoted(candidates)}`;
}

/** Names in backticks, with commas. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
