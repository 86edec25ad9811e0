/** Types of what is known about a graph before its flow is checked: its arrows, its writers, and which nodes overlap. */

import type { Span } from "../diagnostics/source.ts";
import type { Scope } from "../names/scope.ts";
import type { HopAst } from "../syntax/tree/ast.ts";
import type { FlowPlace } from "./flow/places.ts";

/** One hop of an arrow, with the scope of its conditions and the hop behind it. */
export interface HopAt {
  readonly hop: HopAst;
  readonly scope: Scope;
  /** For an `each`: the scope of its items. */
  readonly inner: Scope;
  /** The next hop of its chain. */
  readonly next: HopAst | undefined;
  /** Behind a node or an `each` an arrow can be taken `on error`, as the first one inside a group it can't. */
  readonly canBeOn: boolean;
}

/** A node or an arrow that changes a field. */
export interface FieldWriter {
  readonly node: string;
  readonly field: string;
  /** The reducer that merges the value: the field's, unless `via` names another. */
  readonly reducer: string;
  readonly span: Span;
  /** A `set` on an arrow, done in the commit of the node that the arrow leaves. */
  readonly onArrow: boolean;
}

/** The pairs of nodes that can run at the same time. */
export interface Overlap {
  /** True if the graph has any fork; most graphs have none. */
  readonly hasFork: () => boolean;
  readonly has: (a: string, b: string) => boolean;
  /** Not counting items of one `each`. */
  readonly isForked: (a: string, b: string) => boolean;
  /** True if `a` is detached work that goes on while `b` runs. */
  readonly isBeside: (a: string, b: string) => boolean;
  /** Nodes of two groups never overlap, and a node without a group overlaps none: large graphs ask this first. */
  readonly groupOf: (node: string) => string | undefined;
  /**
   * Returns the places on the way from a fork to each of the two nodes; undefined for items of one
   * `each`.
   */
  readonly ways: (a: string, b: string) => Ways | undefined;
}

/** One way a node: the places from the fork to it. */
export type Ways = readonly [readonly FlowPlace[], readonly FlowPlace[]];
