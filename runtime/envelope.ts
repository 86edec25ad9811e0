/** Describes messages between nodes: addressed envelopes, kept by the log and read once. */
import type { MESSAGE_KINDS } from "../dsl/index.ts";

/** The kind of a message: one of the language, or the name of the type that its payload has. */
export type MessageKind = (typeof MESSAGE_KINDS)[number] | (string & {});

/** The marks that a sender can set on a message. */
export interface MessageMarks {
  /** The topic of the message, in a word. */
  readonly topic?: string;
  /** A whole number, 0 where nothing is said: what is higher is read first. */
  readonly priority?: number;
}

/** A message as people and performers see it. */
export interface Envelope extends MessageMarks {
  /** Unique in the run. */
  readonly id: string;
  readonly runId: string;
  readonly threadId: string;
  /** A node, or `user`. */
  readonly sender: string;
  /** A node; null for whoever follows the sender, or for whoever asks a model next. */
  readonly receiver: string | null;
  readonly kind: MessageKind;
  readonly payload: unknown;
  /** Ids of the artifacts that its sender made with it. */
  readonly artifacts: readonly string[];
  /** The latest message of its receiver that its sender had read. */
  readonly replyTo?: string;
  /** Everything that its sender had read. */
  readonly causedBy?: readonly string[];
  /** Of one that an item of an `each` sent: its fan-out, the `expansion` of `each.started`. */
  readonly group?: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A message as the log has it: the log itself says of which run. */
export interface Sent extends Omit<Envelope, "runId" | "threadId"> {
  /** The inboxes that hold the message; none where no node follows. */
  readonly to: readonly Delivery[];
}

/** An inbox: a node's, in the run or one item of an `each` and all inside it. */
export interface Delivery {
  readonly node: number;
  readonly scope: number;
  /** Only for this node run: the one that a handoff starts. */
  readonly run?: number;
}

/** The task that a node hands over, with its data. */
export interface Handoff {
  readonly task?: string;
  readonly payload?: unknown;
}

/** A message that a strong agent sends by itself, in the bounds of its node's `tell`; `to` null: whoever follows. */
export interface OutgoingMessage {
  readonly to: string | null;
  readonly payload: unknown;
}

/** A message of the log with what the log need not say. */
export function envelopeOf(
  { to: _, ...message }: Sent,
  run: { readonly runId: string; readonly threadId: string },
): Envelope {
  return { ...message, ...run };
}
