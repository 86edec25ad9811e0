/** Defines flow operations: what a record does to the position of a run. */

import type { Failure } from "../../failure.ts";
import type { OrderKey } from "../../state/order-key.ts";

/** The stream of an `each`: the call that gives it, or the constant that it is (no `args`). */
export interface StreamSource {
  readonly expansion: number;
  readonly name: string;
  /** The key of its call among those of its record. */
  readonly key: string;
  readonly args?: readonly unknown[];
  /** The file that the name is meant in, where that is not the one of the run's graph. */
  readonly file?: string;
}

/**
 * A change that a record makes in the run's position, decided once and stored: folding a log never
 * evaluates an expression. Node runs, frames and scopes are numbered in the order of their making;
 * 0 is the root frame and the root scope.
 */
export type FlowOp =
  /** A node run is due. */
  | {
      readonly op: "activate";
      readonly id: number;
      readonly node: number;
      readonly ordinal: number;
      readonly frame: number;
      readonly seq: number;
      readonly scope: number;
      readonly args?: Readonly<Record<string, unknown>>;
      /** Not before this time. */
      readonly notBefore?: number;
      /** The number of earlier rounds of a node with `every`. */
      readonly iteration?: number;
      readonly sentinel?: Sentinel;
    }
  /** A token waits at a join. */
  | {
      readonly op: "arrive";
      readonly join: number;
      readonly source: number;
      readonly frame: number;
      readonly seq: number;
      readonly scope: number;
    }
  /** A join takes the oldest token of each source that has one. */
  | {
      readonly op: "fire";
      readonly join: number;
      readonly scope: number;
      /** Sources it goes on without: nothing that runs can reach them any more, or nobody waits for them. */
      readonly missing?: readonly string[];
      /** It goes on at so many arrivals, or because of a failure. */
      readonly by?: "need" | "failure";
      /** Sources that tokens of this round are still on their way to, and the place behind which it goes on. */
      readonly owed?: readonly number[];
      readonly at?: OrderKey;
    }
  /** A token comes to a join that went on without it: it ends, and what its line wrote stays. */
  | {
      readonly op: "late";
      readonly join: number;
      readonly source: number;
      readonly frame: number;
      readonly scope: number;
    }
  /** Nobody waits any more for these node runs, uses of an `each` and tokens at joins: they end. */
  | {
      readonly op: "cancel";
      readonly scope: number;
      readonly runs: readonly number[];
      readonly expansions: readonly number[];
      readonly waiting: readonly WaitingToken[];
    }
  /** A join or an `each` can't get as many arrivals as it needs; `isHandled` where something says how to go on. */
  | {
      readonly op: "quorum";
      readonly scope: number;
      readonly join?: number;
      readonly expansion?: number;
      readonly failure: Failure;
      readonly isHandled: boolean;
    }
  /** A branch begins: `path` is its place below its parent's position. */
  | {
      readonly op: "fork";
      readonly frame: number;
      readonly parent: number;
      readonly seq: number;
      readonly branch: number;
      /** The outlet that forked. */
      readonly fork: number;
    }
  /**
   * Begins detached work: a scope and a line of its own, which see everything as it is here and
   * now.
   */
  | {
      readonly op: "detach";
      readonly scope: number;
      readonly frame: number;
      readonly parent: number;
      readonly seq: number;
      readonly branch: number;
      /** The scope it leaves. */
      readonly within: number;
    }
  /** Nothing of it is left. */
  | { readonly op: "detached"; readonly scope: number }
  /**
   * The frames of joined tokens end; what they and the lines between them and `line` wrote folds into `into` in the
   * order of the graph: `line` itself where its fork is closed, else a new frame.
   */
  | {
      readonly op: "fold";
      readonly frames: readonly number[];
      readonly line: number;
      readonly into: number;
    }
  /** An `each` begins. */
  | {
      readonly op: "expand";
      readonly expansion: number;
      readonly each: number;
      readonly scope: number;
      readonly frame: number;
      readonly seq: number;
      readonly items: readonly unknown[];
      readonly parallel: number;
      readonly need?: number;
      /** Its items come one by one, read by a node run of this number. */
      readonly stream?: {
        readonly reader: number;
        readonly source: Omit<StreamSource, "expansion">;
      };
    }
  /** An item of a stream has come. */
  | { readonly op: "taken"; readonly expansion: number; readonly value: unknown }
  /** There is room for another one. */
  | { readonly op: "pull"; readonly expansion: number }
  | { readonly op: "stream-end"; readonly expansion: number }
  | {
      readonly op: "item";
      readonly scope: number;
      readonly expansion: number;
      readonly index: number;
      /** The item's own frame. */
      readonly frame: number;
    }
  | { readonly op: "item-end"; readonly scope: number }
  /** An item that failed, or that nobody waits for: what it still has open ends, and nothing stays of what it wrote. */
  | { readonly op: "item-skip"; readonly scope: number }
  | { readonly op: "expanded"; readonly expansion: number }
  /** An item failed, and an arrow behind the `each` says how to go on: all of its items end, and leave nothing they wrote. */
  | { readonly op: "each-failed"; readonly expansion: number }
  /** The node run that a token leaves hands its work to the one that begins next on its line, and may get it back. */
  | ({ readonly op: "hand-over"; readonly frame: number } & WaitingForReturn)
  /** A `return`: the line goes on at the latest of the nodes that handed over and wait; `left` still wait behind it. */
  | { readonly op: "return"; readonly frame: number; readonly left: number }
  /** A token ends: an `end`, or a node without a matching edge. */
  | { readonly op: "end"; readonly frame: number; readonly scope: number }
  /** The next of the commit's writes beyond the node's own: what a route sets. */
  | { readonly op: "write"; readonly frame: number; readonly seq: number }
  /** One more use of a route with `max`. */
  | { readonly op: "count"; readonly route: number; readonly scope: number }
  /** A token comes into a loop from outside, in which these nodes have gone round before: their rounds begin anew. */
  | { readonly op: "enter"; readonly nodes: readonly number[]; readonly scope: number };

/** A token that waits at a source of a join, by the line it is in. */
export interface WaitingToken {
  readonly join: number;
  readonly source: number;
  readonly frame: number;
}

/** The history of a sentinel's rounds. */
export interface Sentinel {
  /** The node run of its first round. */
  readonly first: number;
  /** The time at which that began, in milliseconds. */
  readonly since: number;
  /** Rounds that went wrong in a row. */
  readonly errors: number;
  /** The time at which the last round was checked, in milliseconds, and the result of the check. */
  readonly checkedAt?: number;
  readonly reason?: string;
}

/** A node that has handed its work over, with the arguments of its run: what a `return` starts again. */
export interface WaitingForReturn {
  readonly node: number;
  readonly args?: Readonly<Record<string, unknown>>;
}
