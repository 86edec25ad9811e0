/** Data that accompanies a node's output: where it goes next, orders, verdicts, edits by people. */
import type { Orders } from "../command.ts";
import type { Handoff } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { EffectKind, ServedFrom } from "./call-records.ts";

/** What came with a node's output: what it said of what follows, and what others said of it. */
export interface Directions {
  /** Where it goes on, of a node that chooses: a name behind its arrow, or `end`. */
  readonly goto?: string;
  /** With which it hands its work over there, and writes nothing. */
  readonly handoff?: Handoff;
  /** What judges said of the output; absent where nobody judges, as in tests. */
  readonly judged?: Judged;
  /** Of a `human` node: the fields that a person edited, as they are to be. */
  readonly edits?: Readonly<Record<string, unknown>>;
  /** What its function ordered: what it writes, where it goes on, whom it starts, that the run ends. */
  readonly orders?: Orders;
  /** Of a node with `cache`: by what its output is kept for others, or was found. */
  readonly cache?: CacheUse;
  /** Of a run that was run again: the attempt that came to it there; nothing was asked or called for it here. */
  readonly served?: ServedFrom;
}

export interface CacheUse {
  readonly key: string;
  /** It was found there: nothing was asked or called for it. */
  readonly hit?: true;
  /** The sha256 of each question in words that it was judged by and met: nobody is asked the same of it again. */
  readonly met?: readonly string[];
}

const NO_DIRECTIONS: Directions = Object.freeze({});

/** Directions as a plain object without what is not there. */
export function directionsOf(of: Directions): Directions {
  const { goto, handoff, orders, judged, edits, cache, served } = of;
  if ((goto ?? handoff ?? orders ?? judged ?? edits ?? cache ?? served) === undefined)
    return NO_DIRECTIONS;
  return {
    ...(served === undefined ? {} : { served }),
    ...(cache === undefined ? {} : { cache }),
    ...(orders === undefined ? {} : { orders }),
    ...(goto === undefined ? {} : { goto }),
    ...(handoff === undefined ? {} : { handoff }),
    ...(judged === undefined ? {} : { judged }),
    ...(edits === undefined ? {} : { edits }),
  };
}

/** What ended an attempt that had not failed by itself: a call that a limit forbade, an output that was refused, a deadline. */
export type EndedBy =
  | { readonly by: "call"; readonly effect: EffectKind }
  | ({ readonly by: "output"; readonly output?: unknown } & Directions)
  | { readonly by: "time" }
  /** It failed by itself, and somebody is asked whether that was once too often. */
  | { readonly by: "failure"; readonly failure: Failure }
  /** It began, or went on with what had been decided on. */
  | { readonly by: "start" };

/** What judges said of an attempt's output before its commit; empty where nothing was to be judged. */
export interface Judged {
  /** Of each `ensure "…" by m` that was judged, by its place among the node's conditions. */
  readonly ensures?: readonly {
    readonly condition: number;
    readonly met: boolean;
    readonly reason: string;
  }[];
  /** Of `every … until "…" by m`. */
  readonly until?: Verdict;
}

export interface Verdict {
  readonly met: boolean;
  readonly reason: string;
  /** The wait that the judge chose, in milliseconds. */
  readonly sleepMs?: number;
  readonly sleepReason?: string;
  /** The round could not do its work, or could not be judged. */
  readonly error?: boolean;
}

/** The check behind one round of a sentinel. */
export interface JudgedCondition {
  /** The round, from 1. */
  readonly number: number;
  /** The rounds there are to be, where that is what it waits for. */
  readonly of?: number;
  /** What it waits for, in words. */
  readonly condition?: string;
  readonly met: boolean;
  readonly reason?: string;
  /** The rounds that went wrong in a row, up to this one. */
  readonly errors: number;
  /** When the first round began. */
  readonly since: number;
  /** It was the last round that `max` allows, and what it waits for does not hold. */
  readonly limited?: true;
  /** When the next round begins; absent behind the last one. */
  readonly next?: number;
  readonly sleepReason?: string;
}
