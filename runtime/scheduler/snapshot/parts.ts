/** Defines the parts of a snapshot: frames, scopes with the tokens at their joins, activations of an `each`, inboxes. */

import type { Delivery, Sent } from "../../envelope.ts";
import type { SessionRef } from "../../records/controller-values.ts";
import type { ShownValue } from "../../state/fold-writes.ts";
import type { OrderKey } from "../../state/order-key.ts";
import { IntMap, type SharedList } from "../../state/persistent.ts";
import type { WaitingForReturn } from "../flow/flow-op.ts";

// A line of nodes, and what it sees of the state.

/**
 * One line of nodes: the root, or a branch of a fork or an item. It sees its parent as it was at the fork and what it
 * wrote itself.
 */
export interface Frame {
  readonly id: number;
  readonly parent: number;
  readonly path: OrderKey;
  /** The parent's position it forked from, and the outlet that forked. */
  readonly seq: number;
  readonly fork: number;
  /** True for detached work: its writes stay in this frame until the run ends. */
  readonly isDetached?: true;
  /** The nodes that handed over on this line and wait for a `return`, the latest last. */
  readonly handers?: readonly WaitingForReturn[];
  /** Tokens and child frames that still live. */
  readonly live: number;
  /** Fields written here since the fork. */
  readonly view: IntMap<unknown>;
  /** The writes made here since the fork; the root keeps none. */
  readonly writes: SharedList<FrameWrite>;
  /** Writes of child frames that ended, not yet seen by anyone. */
  readonly ended: SharedList<FrameWrite>;
}

export interface FrameWrite {
  readonly key: OrderKey;
  readonly field: number;
  readonly value: unknown;
  readonly via?: string | undefined;
  /** The node whose `via` overrides the field's reducer. */
  readonly node: number;
  /** The owner, of a field of an agent's own. */
  readonly scope?: number | undefined;
}

// Defines scopes: the run or an item of an `each`, with the tokens at its joins.

/** The conversation of a node run that has committed, and the one before it. */
export interface Talk {
  readonly id: number;
  readonly key: OrderKey;
  /** The attempts that it went over. */
  readonly from: number;
  readonly to: number;
  /** Of a sentinel: its first round. */
  readonly sentinel?: number;
  readonly before?: Talk;
}

/** A token: who carries it is in `frame` at position `seq`. */
export interface Token {
  readonly frame: number;
  readonly seq: number;
}

/** The run itself (0), or one item of an `each`. */
export interface Scope {
  readonly id: number;
  readonly parent: number;
  readonly expansion: number;
  readonly index: number;
  /** The frame it began with. */
  readonly frame: number;
  /** Its place in the order of the graph. */
  readonly path: OrderKey;
  /** Node runs and expansions that are open in it. */
  readonly active: number;
  readonly joins: IntMap<JoinState>;
  /** The joins at which tokens wait. */
  readonly armed: IntMap<true>;
  /** Uses of routes with `max`. */
  readonly counts: IntMap<number>;
  /** Commits by node, those in the scopes inside it too. */
  readonly visits: IntMap<number>;
  /** Commits by node since its loop was last entered from outside. */
  readonly rounds: IntMap<number>;
  /** By node: the node run that has its turn, then those that wait for it. */
  readonly turns: IntMap<readonly number[]>;
  /** Open node runs by place, for joins that ask whether a source can still come. */
  readonly places: IntMap<number>;
  /** By node: the last of its conversations, which leads to the others. */
  readonly talks: IntMap<Talk>;
  /** Sessions of strong agents that nodes of this scope go on with, by name. */
  readonly sessions?: Readonly<Record<string, SessionRef>> | undefined;
  /** Of what goes on by itself: the items of the `each`es that it left. */
  readonly detached?: Readonly<Record<string, unknown>> | undefined;
  /** The item of a stream. */
  readonly streamed?: { readonly value: unknown } | undefined;
  /** Its latest commits, where a limit counts how often they repeat without changing the state. */
  readonly idle?: Idle | undefined;
}

/** Counts how often the latest one or two nodes committed again without a change of the state. */
export interface Idle {
  /** The nodes of the last two commits, the latest first, and what people saw behind each. */
  readonly latest: readonly { readonly node: number; readonly shown: IntMap<ShownValue> }[];
  /** Commits in a row that found the state as it was one, or two, commits before. */
  readonly alone: number;
  readonly inTurn: number;
}

/** The fields that the agents of one scope have for themselves. */
export interface Instances {
  /** The scope's place in the order of the graph: scopes end, and this stays. */
  readonly path: OrderKey;
  readonly fields: IntMap<ShownValue>;
}

export interface JoinState {
  /** Waiting tokens by source, oldest first; a source at which none waits has no entry. */
  readonly tokens: IntMap<readonly Token[]>;
  readonly fired: number;
  /** By source: how many tokens are still on their way to rounds that did not wait for them. */
  readonly owed: IntMap<number>;
  /** The place in the order of the graph behind which the last such round went on. */
  readonly firedAt?: OrderKey;
}

export const emptyJoin: JoinState = { tokens: IntMap.empty(), fired: 0, owed: IntMap.empty() };

/** One activation of an `each`. */
export interface Expansion {
  readonly id: number;
  readonly each: number;
  readonly scope: number;
  readonly frame: number;
  readonly seq: number;
  readonly items: readonly unknown[];
  readonly parallel: number;
  readonly started: number;
  /** Items that are over, the dropped ones too. */
  readonly ended: number;
  readonly dropped: number;
  /** It goes on when so many items have come through. */
  readonly need?: number;
  /** The source of its items, if they come one by one; `items` is empty then. */
  readonly stream?: Stream;
}

export interface Stream {
  /** The node run that reads it. */
  readonly reader: number;
  readonly isOver: boolean;
  /** The last item that came; absent before the first. */
  readonly last?: { readonly value: unknown };
}

/** A scope in which nothing has happened. */
export function emptyScope(
  of: Pick<
    Scope,
    "id" | "parent" | "expansion" | "index" | "frame" | "path" | "streamed" | "detached"
  >,
): Scope {
  return {
    id: of.id,
    parent: of.parent,
    expansion: of.expansion,
    index: of.index,
    frame: of.frame,
    path: of.path,
    active: 0,
    joins: IntMap.empty(),
    armed: IntMap.empty(),
    counts: IntMap.empty(),
    visits: IntMap.empty(),
    rounds: IntMap.empty(),
    turns: IntMap.empty(),
    places: IntMap.empty(),
    talks: IntMap.empty(),
    sessions: undefined,
    detached: of.detached,
    streamed: of.streamed,
    idle: undefined,
  };
}

// Types of the inboxes of a run, as its snapshot keeps them.

export interface Mail {
  /**
   * The steering messages that no attempt has read; those of a called graph wait in the run itself.
   */
  readonly steers: readonly Sent[];
  /** The steering messages that attempts which have not committed have read, by node run. */
  readonly readSteers: IntMap<readonly Sent[]>;
  /** The number of steering messages ever sent. */
  readonly steered: number;
  /** All of it, and the ids of what was heard by attempts that have committed: a rewind undoes what was heard, not what was said. */
  readonly allSteers: readonly Sent[];
  readonly settled: readonly string[];
  /** The messages that wait, by the receiver's number. */
  readonly inboxes: IntMap<readonly InboxEntry[]>;
  /** Ids of messages that somebody has read, while other copies of them wait. */
  readonly read: ReadonlySet<string>;
  /** The messages that nodes with `history inbox` have read, by the node's number. */
  readonly kept: IntMap<readonly ReadEntry[]>;
}

export interface ReadEntry {
  readonly message: Sent;
  readonly scope: number;
}

/** One copy of a message, in one inbox. */
export interface InboxEntry {
  readonly message: Sent;
  readonly at: Delivery;
  /** The place of its sender: the order in which letters of one priority are read. */
  readonly key: OrderKey;
  /** Items that have read what was sent to all of them. */
  readonly readIn: readonly number[];
}

export const noMail: Mail = {
  inboxes: IntMap.empty(),
  read: new Set(),
  kept: IntMap.empty(),
  steers: [],
  readSteers: IntMap.empty(),
  steered: 0,
  allSteers: [],
  settled: [],
};
