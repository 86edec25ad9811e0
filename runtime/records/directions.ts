/** Describes the data that accompanies a node's output: where it goes next, orders, verdicts, edits by people. */

import type { Orders } from "../command.ts";
import type { Handoff, OutgoingMessage } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { ConversationMessage } from "../messages/message.ts";
import type { EffectKind, ServedFrom } from "./call-records.ts";

/** The directions that come with a node's output: its own for what follows, and verdicts on it. */
export interface Directions {
  /** The target of a node that chooses: a name behind its arrow, or `end`. */
  readonly goto?: string;
  /** The task that it hands over to that target; the node then writes nothing. */
  readonly handoff?: Handoff;
  /** The verdicts on the output; absent where nobody judges, as in tests. */
  readonly judged?: Judged;
  /** The new values of the fields that a person edited at a `human` node. */
  readonly edits?: Readonly<Record<string, unknown>>;
  /**
   * The messages that were said in the node run of an agent which writes a conversation, without the ids that its write has: where a
   * run is run again they get others. A segment of the store has their long texts once.
   */
  readonly conversation?: readonly ConversationMessage[];
  /** The orders of its function: values to write, the next nodes, nodes to start, the end of the run. */
  readonly orders?: Orders;
  /** The messages that a strong agent has sent by itself, beside what its node's `tell` says. */
  readonly sends?: readonly OutgoingMessage[];
  /** The cache entry under which the output of a node with `cache` is stored, or was found. */
  readonly cache?: CacheUse;
  /**
   * The attempt of the earlier run that served this output, in a run that was run again; this run
   * asked and called nothing for it.
   */
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
  const { goto, handoff, orders, judged, edits, conversation, sends, cache, served } = of;
  if (
    (goto ?? handoff ?? orders ?? judged ?? edits ?? conversation ?? sends ?? cache ?? served) ===
    undefined
  )
    return NO_DIRECTIONS;
  return {
    ...(conversation === undefined ? {} : { conversation }),
    ...(served === undefined ? {} : { served }),
    ...(cache === undefined ? {} : { cache }),
    ...(orders === undefined ? {} : { orders }),
    ...(goto === undefined ? {} : { goto }),
    ...(handoff === undefined ? {} : { handoff }),
    ...(judged === undefined ? {} : { judged }),
    ...(edits === undefined ? {} : { edits }),
    ...(sends === undefined ? {} : { sends }),
  };
}

/**
 * The cause that ended an attempt which had not failed by itself: a call that a limit forbade, an output that was
 * refused, a deadline.
 */
export type EndedBy =
  | { readonly by: "call"; readonly effect: EffectKind }
  | ({ readonly by: "output"; readonly output?: unknown } & Directions)
  | { readonly by: "time" }
  /** It failed by itself, and somebody is asked whether that was once too often. */
  | { readonly by: "failure"; readonly failure: Failure }
  /** It began, or went on with what had been decided on. */
  | { readonly by: "start" };

/** The verdicts on an attempt's output before its commit; empty where nothing was to be judged. */
export interface Judged {
  /** The verdicts on each judged `ensure "…" by m`, with its index among the node's conditions. */
  readonly ensures?: readonly {
    readonly condition: number;
    readonly met: boolean;
    readonly reason: string;
  }[];
  /** The verdict on `every … until "…" by m`. */
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
  /** The condition that it waits for, in words. */
  readonly condition?: string;
  readonly met: boolean;
  readonly reason?: string;
  /** The rounds that went wrong in a row, up to this one. */
  readonly errors: number;
  /** The start of the first round, in milliseconds since the epoch. */
  readonly since: number;
  /** It was the last round that `max` allows, and what it waits for does not hold. */
  readonly limited?: true;
  /** The start of the next round, in milliseconds since the epoch; absent behind the last one. */
  readonly next?: number;
  readonly sleepReason?: string;
}
