/** Types of the inboxes of a run, as its snapshot keeps them. */
import type { Delivery, Sent } from "../../envelope.ts";
import { IntMap } from "../../state/int-map.ts";
import type { OrderKey } from "../../state/order-key.ts";

export interface Mail {
  /** What people said that nobody has heard; of a called graph it waits in the run itself. */
  readonly steers: readonly Sent[];
  /** What was heard by attempts that have not committed, by node run. */
  readonly heard: IntMap<readonly Sent[]>;
  /** How often somebody said something. */
  readonly steered: number;
  /** All of it, and the ids of what was heard by attempts that have committed: a rewind undoes what was heard, not what was said. */
  readonly said: readonly Sent[];
  readonly settled: readonly string[];
  /** What waits, by the receiver's number. */
  readonly letters: IntMap<readonly InboxEntry[]>;
  /** Ids of messages that somebody has read, while other copies of them wait. */
  readonly read: ReadonlySet<string>;
  /** What nodes with `history inbox` have read, by the node's number. */
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
  letters: IntMap.empty(),
  read: new Set(),
  kept: IntMap.empty(),
  steers: [],
  heard: IntMap.empty(),
  steered: 0,
  said: [],
  settled: [],
};
