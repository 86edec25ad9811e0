/** A line of nodes, and what it sees of the state. */
import type { IntMap } from "../../state/int-map.ts";
import type { OrderKey } from "../../state/order-key.ts";
import type { SharedList } from "../../state/shared-list.ts";

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
  /** Of what goes on by itself: its writes stay in it until the run ends. */
  readonly isDetached?: true;
  /** Tokens and child frames that still live. */
  readonly live: number;
  /** Fields written here since the fork. */
  readonly view: IntMap<unknown>;
  /** Those writes; the root keeps none. */
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
  /** Whose it is, of a field of an agent's own. */
  readonly scope?: number | undefined;
}
