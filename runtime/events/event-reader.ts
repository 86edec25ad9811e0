/** Reads records of a log in order and derives the events that listeners see. */
import { callersOf, innermost, type LogRecord, type RecordBody } from "../records/records.ts";
import { calledContext, newlyCalled } from "./called-graphs-to-events.ts";
import { takeOver } from "./carried-node-runs.ts";
import type { EventContext, EventMeta } from "./context.ts";
import { emptyMemory, type GrowingMemory, remember } from "./event-fold.ts";
import { flowNames } from "./flow-names.ts";
import type { TransientBody, TransientEvent } from "./kinds/call-events.ts";
import type { RunEvent } from "./kinds/run-event.ts";
import { eventsOfRecord } from "./record-to-events.ts";
import { nodeFactsOf } from "./shared-facts.ts";
import { isWhole } from "./steps-to-events.ts";

export interface EventReader {
  /** The events of the next record; records come in the order of the log, each once. */
  read(record: LogRecord): RunEvent[];
  /** Goes past a record that no event could be made of. */
  skip(record: LogRecord): void;
  /** Makes the event of something that happens to a node run under way and that no record has. */
  transient(of: OfNodeRun, body: TransientBody): TransientEvent;
}

/** The node run of a transient event, and its time in milliseconds of the epoch. */
export interface OfNodeRun {
  readonly nodeRun: number;
  readonly at: number;
}

/** Follows the log of one run from its first record. */
export function eventReader(meta: EventMeta): EventReader {
  const memory = emptyMemory();
  const context = { ...meta, memory } satisfies EventContext;
  const callers = new Map<number, readonly number[]>();
  return {
    read(record) {
      callIn(context, record, record.at);
      noteCallers(callers, record);
      if (record.kind === "control" && record.verb === "resume" && record.ir !== undefined) {
        context.names = flowNames(record.ir);
      }
      const events = toEvents(record, context);
      remember(memory, record);
      return events;
    },
    skip(record) {
      try {
        remember(memory, record);
      } catch {
        // What it said is not known to the records behind it; whoever skips it says so.
      }
      memory.lastSeq = record.seq;
    },
    transient({ nodeRun, at }, body) {
      const { runId, threadId } = meta;
      const inside = contextOf(context, callers.get(nodeRun) ?? []);
      const facts = nodeFactsOf(inside, { id: nodeRun, node: "", attempt: 0 });
      const { path, caller } = inside;
      return {
        runId,
        threadId,
        seq: memory.lastSeq,
        part: 0,
        at,
        ...(path === undefined ? {} : { path }),
        ...(caller === undefined ? {} : { caller }),
        ...facts,
        ...body,
      };
    },
  };
}

/** Keeps the place of the open node runs of called graphs. */
function noteCallers(callers: Map<number, readonly number[]>, record: LogRecord): void {
  if (record.kind !== "sub") return;
  const made = innermost(record);
  if (made.kind === "start") callers.set(made.id, callersOf(record));
  if (made.kind === "commit" || made.kind === "attempt") callers.delete(made.id);
}

/** Returns the context of the graph in which a node run is open. */
function contextOf(context: EventContext, callers: readonly number[]): EventContext {
  return callers.reduce((around, caller) => calledContext(around, caller), context);
}

/** A graph that is called has a memory from its first record on. */
function callIn(
  context: Pick<EventContext, "ir"> & { readonly memory: GrowingMemory },
  record: RecordBody,
  at: number,
): void {
  if (record.kind !== "sub") return;
  const { id, record: inner } = record;
  const before = context.memory.called.get(id);
  const called = inner.kind === "run" ? newlyCalled(context, id, inner) : before;
  if (called === undefined) return;
  if (inner.kind === "run" && before !== undefined)
    takeOver(called.memory, before.memory, { ...inner, at });
  context.memory.called.set(id, called);
  callIn({ ir: called.ir, memory: called.memory }, inner, at);
}

/** The events of one record; `context.memory` holds what the records before it said. Pure. */
export function toEvents(record: LogRecord, context: EventContext): RunEvent[] {
  const { runId, threadId } = context;
  const { seq, at } = record;
  const bodies = eventsOfRecord(record, context);
  for (let part = 0; part < bodies.length; part += 1) {
    const body = bodies[part];
    if (body === undefined) continue;
    if (isWhole(body)) body.part = part;
    else bodies[part] = { runId, threadId, seq, part, at, ...body } as RunEvent;
  }
  // Each is whole now: made in place, since a step has five.
  return bodies as RunEvent[];
}
