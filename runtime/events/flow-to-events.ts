/** Derives events of routes, joins and `each`es; frames, scopes and counters stay inside the scheduler. */

import type { LogRecord } from "../records/records.ts";
import type { FlowOp } from "../scheduler/flow/flow-op.ts";
import type { EventContext } from "./context.ts";
import { type ExpansionFacts, expansionOf, runningIn, runningInEach } from "./event-fold.ts";
import type { RouteTarget } from "./kinds/flow-events.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { stopped } from "./shared-facts.ts";
import { routeChosen } from "./steps-to-events.ts";

/** The events of a record's flow: joins and eaches first, then where it goes on. */
export function flowEvents(
  flow: readonly FlowOp[],
  record: LogRecord,
  context: EventContext,
): EventBody[] {
  if (flow.length === 0) return [];
  const step = record.kind === "commit" ? record.step : context.memory.step;
  const route = routeChosen(flow, record, { step, context });
  const routeEvents = route === undefined ? [] : [route];
  // As mostly: nothing but where it goes on.
  if (!flow.some(({ op }) => TOLD.has(op))) return routeEvents;
  const mover = "id" in record ? record.id : undefined;
  const find = (expansion: number): ExpansionFacts | undefined =>
    context.memory.expansions.get(expansion) ?? expandedHere(flow, expansion, record.at);
  const events = flow.flatMap((op): EventBody[] => {
    switch (op.op) {
      case "fire":
        return [joinFired(op, step, context)];
      case "late":
        return [joinLate(op, step, context)];
      case "cancel": {
        const inside = op.expansions.flatMap((id) => runningInEach(context.memory, id));
        const others = [...op.runs, ...inside].filter((id) => context.memory.running.has(id));
        return stopped(
          context,
          others.filter((id) => id !== mover),
          { at: record.at },
        );
      }
      case "detach":
        return [workDetached(op, flow, { step, context, record })];
      case "quorum":
        return [quorumFailed(op, { step, context, each: find(op.expansion ?? -1)?.each })];
      case "expand":
        return [eachStarted(op, step, context)];
      case "item-skip": {
        const others = runningIn(context.memory, op.scope).filter((id) => id !== mover);
        return stopped(context, others, { at: record.at });
      }
      case "expanded":
        return eachFinished(op.expansion, find(op.expansion), { step, at: record.at, context });
      case "each-failed": {
        const { expansion } = op;
        const others = runningInEach(context.memory, expansion).filter((id) => id !== mover);
        const each = eachName(find(expansion)?.each ?? -1, context);
        return [
          ...stopped(context, others, { at: record.at }),
          { kind: "each.failed", ...moverOf(record), step, each, expansion },
        ];
      }
      default:
        return [];
    }
  });
  return [...events, ...routeEvents];
}

const TOLD: ReadonlySet<FlowOp["op"]> = new Set([
  "each-failed",
  "fire",
  "late",
  "cancel",
  "detach",
  "quorum",
  "expand",
  "item-skip",
  "expanded",
]);

type EventOp<N extends FlowOp["op"]> = Extract<FlowOp, { readonly op: N }>;

function joinFired(
  { join: number, missing = [], by }: EventOp<"fire">,
  step: number,
  context: EventContext,
): EventBody {
  const join = context.names.joins[number] ?? `join ${number}`;
  const without = missing.length === 0 ? {} : { missing };
  if (by !== undefined) return { kind: "join.fired", step, join, by, ...without };
  if (missing.length === 0) return { kind: "join.fired", step, join };
  return { kind: "join.released", step, join, missing };
}

function joinLate(op: EventOp<"late">, step: number, { names }: EventContext): EventBody {
  const join = names.joins[op.join] ?? `join ${op.join}`;
  const source = namesIn(join)[op.source] ?? `source ${op.source}`;
  return { kind: "join.late", step, join, source };
}

function workDetached(
  { scope }: EventOp<"detach">,
  flow: readonly FlowOp[],
  { step, context, record }: FlowEventContext & { readonly record: LogRecord },
): EventBody {
  const to = flow.flatMap((op) => {
    if (op.op === "activate" && op.scope === scope) return [target(op, context).label];
    return op.op === "expand" && op.scope === scope ? [eachName(op.each, context)] : [];
  });
  return { kind: "work.detached", ...moverOf(record), step, to };
}

function namesIn(join: string): readonly string[] {
  return join.slice(1, -1).split(", ");
}

function quorumFailed(
  { join, failure, isHandled }: EventOp<"quorum">,
  { step, context, each }: FlowEventContext & { readonly each: number | undefined },
): EventBody {
  const name = join === undefined ? eachName(each ?? -1, context) : context.names.joins[join];
  return { kind: "quorum.failed", step, join: name ?? `join ${join}`, isHandled, failure };
}

interface FlowEventContext {
  readonly step: number;
  readonly context: EventContext;
}

function eachStarted(op: EventOp<"expand">, step: number, context: EventContext): EventBody {
  const { expansion, parallel, items } = op;
  const each = eachName(op.each, context);
  return { kind: "each.started", step, each, expansion, items: items.length, parallel };
}

function eachFinished(
  expansion: number,
  begun: ExpansionFacts | undefined,
  of: { readonly step: number; readonly at: number; readonly context: EventContext },
): EventBody[] {
  if (begun === undefined) return [];
  const { step, at, context } = of;
  const each = eachName(begun.each, context);
  const durationMs = at - begun.at;
  return [{ kind: "each.finished", step, each, expansion, items: begun.items, durationMs }];
}

/** Zero items: the `each` begins and ends in one record. */
function expandedHere(
  flow: readonly FlowOp[],
  expansion: number,
  at: number,
): ExpansionFacts | undefined {
  const op = flow.find((op) => op.op === "expand" && op.expansion === expansion);
  return op?.op === "expand" ? expansionOf(op, at) : undefined;
}

function moverOf(record: LogRecord): { readonly node?: string; readonly nodeRun?: number } {
  if (record.kind !== "commit" && record.kind !== "attempt") return {};
  return { node: record.node, nodeRun: record.id };
}

function target(op: EventOp<"activate">, context: EventContext): RouteTarget {
  const node = context.names.nodes[op.node] ?? `node ${op.node}`;
  return { node, nodeRun: op.id, label: `${node}#${op.ordinal}` };
}

function eachName(each: number, context: EventContext): string {
  return context.names.eaches[each] ?? `each ${each}`;
}
