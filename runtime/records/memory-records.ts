/** Describes what a run asks of memories and stores in them, as its log has it. */

/** The owner of a memory: a user, a thread of a user, a node for a user, or everybody in the workspace. */
export type MemoryScope = "user" | "thread" | "agent" | "workspace";

/** The request of a recall, as the log has it. */
export interface RecallRequest {
  readonly memory: string;
  readonly scope: MemoryScope;
  /** The graph and the node that ask, `Search.plan`. */
  readonly agent: string;
  readonly text: string;
  readonly top: number;
  readonly min?: number;
  /** The embedding model, as the program names it. */
  readonly embed?: string;
}

/** A question as an embedding model has it: a vector of length 1. */
export interface QueryVector {
  /** The id of the model: vectors of one are not compared with those of another. */
  readonly model: string;
  readonly values: Float32Array;
}

/** The result of a recall, as the log has it. */
export interface Recalled {
  readonly entries: readonly { readonly id: string; readonly value: unknown }[];
  /** The reason for which the memory could not be asked; the node goes on without it. */
  readonly fault?: string;
}

/** An entry that a commit stores, as the log has it. */
export interface LoggedStore {
  readonly memory: string;
  readonly scope: MemoryScope;
  readonly agent: string;
  readonly value: unknown;
  /** The value of `by`, as JSON. */
  readonly key?: string;
  readonly keepMs?: number;
  /** It is proposed, and kept once a person has approved it. */
  readonly review?: true;
}
