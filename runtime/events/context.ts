import type { EventMemory } from "./memory.ts";
import type { FlowNames } from "./names.ts";

/** What is known of a run beside its log. */
export interface EventMeta {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly names: FlowNames;
}

export type EventContext = EventMeta & { readonly memory: EventMemory };
