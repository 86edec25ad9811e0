import { eventReader } from "../../../runtime/events/event-reader.ts";
import { flowNames } from "../../../runtime/events/flow-names.ts";
import type { EventBody } from "../../../runtime/events/kinds/run-event.ts";
import type { Ran } from "../../support/run-graph.ts";

/** The events that a simulated run tells, those of one kind if it is named. */
export function eventsOf<K extends EventBody["kind"]>(
  { records, program }: Ran,
  kind: K,
): readonly Extract<EventBody, { readonly kind: K }>[] {
  const { ir } = program;
  const reader = eventReader({
    runId: "r",
    threadId: "t",
    graph: ir.name,
    graphHash: ir.hash,
    names: flowNames(ir),
  });
  const events = records.flatMap((record) => reader.read(record)) as readonly EventBody[];
  return events.filter((event): event is Extract<EventBody, { kind: K }> => event.kind === kind);
}
