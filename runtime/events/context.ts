/** Defines what event readers know of a run beside its current record. */
import type { Ir } from "../../dsl/index.ts";
import type { EventMemory } from "./event-fold.ts";
import type { FlowNames } from "./flow-names.ts";

/** Facts of a run that are not in its log. */
export interface EventMeta {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly names: FlowNames;
  /** Its graph: what its nodes call is found there. */
  readonly ir?: Ir | undefined;
  /** In a graph that a node run has called: where that is in the run, by name and by label, and which node run it is. */
  readonly place?: string;
  readonly path?: readonly string[];
  readonly caller?: number;
}

export type EventContext = EventMeta & { readonly memory: EventMemory };
