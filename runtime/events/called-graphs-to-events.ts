/** Events of called graphs: each graph has a memory of its own, below that of its caller. */
import {
  calledGraph,
  type FinishedSteps,
  type Ir,
  isGraph,
  PLAN_GRAPH,
  planGraph,
} from "../../dsl/index.ts";
import { callerLabel, type RecordBody } from "../records/records.ts";
import { callPlace } from "../scheduler/called-snapshots.ts";
import type { EventContext } from "./context.ts";
import { type CalledMemory, emptyMemory } from "./event-fold.ts";
import { flowNames } from "./flow-names.ts";
import type { EventBody } from "./kinds/run-event.ts";

/** Returns the context of the graph that a node run has called. */
export function calledContext(context: EventContext, caller: number): EventContext {
  const called = context.memory.called.get(caller);
  const start = context.memory.starts.get(caller);
  const ir = called?.ir;
  return {
    ...context,
    memory: called?.memory ?? emptyMemory(),
    names: called?.names ?? NO_NAMES,
    ir,
    graph: ir?.name ?? start?.node ?? "",
    graphHash: ir?.hash ?? "",
    place: `${context.place ?? context.runId}/${callPlace(start?.key ?? String(caller), called?.begun ?? 1)}`,
    path: [...(context.path ?? []), start === undefined ? "" : callerLabel(start, called?.tool)],
    caller,
  };
}

const NO_NAMES = { nodes: [], joins: [], eaches: [] };

/** A graph begins: what its records will be read with. */
export function newlyCalled(
  context: Pick<EventContext, "ir" | "memory">,
  caller: number,
  record: RecordBody & { readonly kind: "run" },
): CalledMemory {
  const start = context.memory.starts.get(caller);
  const { tool } = record;
  const ir =
    tool === undefined
      ? calledIr(context.ir, start?.node, record)
      : context.ir && calledGraph(context.ir, tool.name);
  return {
    memory: emptyMemory(),
    begun: start?.attempt ?? 1,
    ...(tool === undefined ? {} : { tool }),
    names: ir === undefined ? NO_NAMES : flowNames(ir),
    ...(ir === undefined ? {} : { ir }),
  };
}

function calledIr(
  ir: Ir | undefined,
  node: string | undefined,
  { input }: RecordBody & { readonly kind: "run" },
): Ir | undefined {
  const callee = ir?.nodes.find(({ name }) => name === node)?.call?.callee.join(".");
  if (ir === undefined || callee === undefined) return undefined;
  const graph = calledGraph(ir, callee);
  if (graph !== undefined || callee !== PLAN_GRAPH) return graph;
  const { plan, done, rounds } = input;
  const made = planGraph(ir, plan, {
    done: done as FinishedSteps,
    rounds: rounds as FinishedSteps,
  });
  return isGraph(made) ? made : undefined;
}

/** Says of which graph an event is, where another graph's record brings it about. */
export function withGraphPath(
  { path, caller }: EventContext,
  bodies: readonly EventBody[],
): EventBody[] {
  if (path === undefined || caller === undefined) return [...bodies];
  return bodies.map((body) => ({ path, caller, ...body }));
}
