/** Tells the events that no record has from those that a log gives again. */
import type { TransientEvent } from "./kinds/call-events.ts";
import type { RunEvent } from "./kinds/run-event.ts";

/** Returns whether an event reaches listeners only, and is never stored. */
export function isTransient(event: RunEvent): event is TransientEvent {
  return event.kind === "model.delta" || event.kind === "tool.progress";
}
