/**
 * `RunEvent` is the only way facts leave a run: a view of its log for people, the trace and the debugger. Each event
 * names the record it comes from (`seq`) and its place among that record's events (`part`), so the same log always
 * gives the same events. Only `model.delta` and `tool.progress` are transient: they reach listeners and are never stored.
 */
import type { AttemptEvent } from "./attempt-events.ts";
import type { CallEvent } from "./call-events.ts";
import type { EventBase } from "./event-base.ts";
import type { FlowEvent } from "./flow-events.ts";
import type { InterruptEvent } from "./interrupt-events.ts";
import type { MailEvent } from "./message-events.ts";
import type { LifeEvent } from "./run-events.ts";
import type { SentinelEvent } from "./sentinel-events.ts";

export type RunEvent =
  | LifeEvent
  | AttemptEvent
  | CallEvent
  | FlowEvent
  | MailEvent
  | InterruptEvent
  | SentinelEvent;

/** An event before `eventReader` says of which run, record and time it is. */
export type EventBody = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, keyof EventBase> & Pick<EventBase, "path" | "caller">
    : never
  : never;
