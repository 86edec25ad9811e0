/** Describes a change of program under a stored run. */
import type { Ir } from "../../dsl/index.ts";
import type { NumberedIr } from "../scheduler/program/numbering.ts";
import type { RenamedParts } from "./aligned.ts";

export interface Change {
  readonly before: NumberedIr;
  readonly after: Ir;
  /** The new names of nodes and fields. */
  readonly renamed: RenamedParts;
  /** Nodes that are known to be gone: what they did stays, what they have under way is dropped. */
  readonly dropped: readonly string[];
  /** Nodes that are under way may be of another kind, or write something else; what is gone may be gone. */
  readonly isForced: boolean;
}

/** One thing that keeps a run from going on. */
export interface Block {
  readonly why: string;
  /** Set if `force` may override the obstacle. */
  readonly isForceable?: true;
}
