/** Defines what leaves a place of the graph, and where it may go next. */
import type { Sent } from "../../envelope.ts";
import type { ShownFailure } from "../lookup.ts";
import type { Outlet } from "../program/program.ts";
import type { StreamSource } from "./flow-op.ts";
import type { HandoverMove } from "./handovers.ts";

/** A token that leaves a place, with what the arrows there may name. */
export interface Departure {
  readonly frame: number;
  readonly seq: number;
  readonly scope: number;
  readonly outlet: Outlet;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: unknown;
  /** The failure for which the arrow is taken, as expressions see it. */
  readonly error?: ShownFailure | undefined;
  /** The messages that the node found in its inbox. */
  readonly inbox?: readonly Sent[] | undefined;
  /** The name that the node chose. */
  readonly goto?: string | undefined;
  /** The arguments that it gives to whom it hands over. */
  readonly handed?: Readonly<Record<string, unknown>> | undefined;
  /** The node that the token leaves. */
  readonly by?: number | undefined;
  /** The outlet of the token when it finds nothing but used-up edges. */
  readonly otherwise?: Outlet | undefined;
}

/** The next place of a token. */
export type Leaf = {
  readonly branch: number;
  /** Tokens that leave the run's main path together have the same number; absent on the main path. */
  readonly detached?: number;
} & (
  | {
      readonly kind: "node";
      readonly node: number;
      readonly args?: Readonly<Record<string, unknown>>;
      readonly afterMs?: number;
      /** The change of those who wait for a `return` on its line. */
      readonly moves?: HandoverMove;
    }
  | {
      readonly kind: "each";
      readonly each: number;
      readonly items: readonly unknown[];
      readonly parallel: number;
      readonly need?: number;
      readonly source?: Omit<StreamSource, "expansion">;
    }
  | { readonly kind: "arrive"; readonly join: number; readonly source: number }
  | { readonly kind: "end" }
);
