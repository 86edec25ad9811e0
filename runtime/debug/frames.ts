/** Lists the frames of a stopped run, innermost first: the node, the graphs called on the way to it, the run. */
import { type Ir, positionAt, type SpanIr } from "../../dsl/index.ts";
import { arrowsOf } from "../breakpoints/arrows.ts";
import type { Stop, StopEdge } from "../breakpoints/breakpoint-types.ts";
import type { RunPosition } from "../history/run-position.ts";
import type { RunStep } from "../history/step.ts";
import {
  type Caller,
  callPlace,
  type Located,
  nodeRunPlace,
} from "../scheduler/called-snapshots.ts";
import type { Program } from "../scheduler/program/program.ts";
import { placeText, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { type ItemValues, itemValuesAt } from "./item-values.ts";

export interface DebugFrame {
  /** From 0, the innermost; counts anew at each stop. */
  readonly id: number;
  readonly kind: "node" | "graph" | "run";
  /** `search#2`, or the graph's name. */
  readonly name: string;
  readonly graph: string;
  readonly node?: string;
  /** The labels that lead to the graph: `["go#1"]`. */
  readonly path: readonly string[];
  readonly at?: DebugPlace;
}

/** Lines and columns from 1. */
export interface DebugPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A frame with what its names mean. */
export interface FrameScope {
  readonly frame: DebugFrame;
  /** The graph as it stands; absent where the call is over by now. */
  readonly within: GraphUnderWay | undefined;
  /** The node run that is about to start, or under way. */
  readonly nodeRun?: Located;
  /** The commit that it has just made. */
  readonly step?: RunStep;
  /** Of a node that has committed: the names of the item that it ran for. */
  readonly item?: () => ItemValues;
}

/** The frames of a run at a stop; of one that nobody has let go yet, the run alone. */
export function framesAt(position: RunPosition, stop: Stop | undefined): readonly FrameScope[] {
  const top = topOf(position, stop);
  const path = top?.path ?? [];
  const edge = stop?.kind === "breakpoint" ? stop.edge : undefined;
  const node = top === undefined ? [] : [nodeFrame(position, top, edge)];
  const graphs = [...path.keys()]
    .reverse()
    .map((index) => graphFrame(position, path.slice(0, index + 1)));
  const { program, snapshot } = position;
  const run: FrameScope = {
    frame: {
      ...{ id: 0, kind: "run" as const, name: program.ir.name, graph: program.ir.name, path: [] },
      ...placeOfSpan(program.ir, program.ir.span),
    },
    within: { program, snapshot, callers: [] },
  };
  return [...node, ...graphs, run].map((scope, id) => ({
    ...scope,
    frame: { ...scope.frame, id },
  }));
}

interface Top {
  readonly path: readonly string[];
  readonly label: string;
  readonly node: string;
  readonly nodeRun?: Located;
  readonly step?: RunStep;
}

/** The node run that a breakpoint holds, or that made the last commit. */
function topOf(
  { program, snapshot, last: step }: RunPosition,
  stop: Stop | undefined,
): Top | undefined {
  if (stop?.kind === "breakpoint") {
    const place = stop.nodeRunId.slice(stop.nodeRunId.indexOf("/") + 1);
    const nodeRun = openRunAt(program, snapshot, place);
    if (nodeRun !== undefined) {
      const node = nodeRun.program.nodes[nodeRun.run.node]?.ir.name ?? "";
      const label = `${node}#${nodeRun.run.ordinal}`;
      return { path: nodeRun.callers.map((caller) => caller.label), label, node, nodeRun };
    }
  }
  if (step === undefined) return undefined;
  return { path: step.path ?? [], label: step.node, node: step.node, step };
}

function nodeFrame(position: RunPosition, top: Top, edge: StopEdge | undefined): FrameScope {
  const within = graphAt(position, top.path);
  const ir = within?.program.ir;
  const span = edge === undefined ? spanOfNode(ir, top.node) : spanOfEdge(ir, edge);
  return {
    frame: {
      id: 0,
      kind: "node",
      name: top.label,
      graph: ir?.name ?? "",
      node: top.node,
      path: top.path,
      ...placeOfSpan(ir, span),
    },
    within,
    ...(top.nodeRun === undefined ? {} : { nodeRun: top.nodeRun }),
    ...(top.step === undefined ? {} : committed(position, top.step)),
  };
}

function committed(position: RunPosition, step: RunStep): Pick<FrameScope, "step" | "item"> {
  let known: ItemValues | undefined;
  return {
    step,
    item: () => {
      known ??= itemValuesAt(position, step);
      return known;
    },
  };
}

function spanOfNode(ir: Ir | undefined, node: string): SpanIr | undefined {
  return ir?.nodes.find(({ name }) => name === node)?.span;
}

/** Returns the span of an arrow's target in the text; the first of several arrows between the same nodes counts. */
function spanOfEdge(ir: Ir | undefined, { from, to }: StopEdge): SpanIr | undefined {
  return arrowsOf(ir?.edges ?? []).find((arrow) => arrow.from === from && arrow.to === to)?.span;
}

function graphFrame(position: RunPosition, path: readonly string[]): FrameScope {
  const within = graphAt(position, path);
  const ir = within?.program.ir;
  const name = `${ir?.name ?? ""} (${path.at(-1)})`;
  const frame = { id: 0, kind: "graph", name, graph: ir?.name ?? "", path } as const;
  return { frame: { ...frame, ...placeOfSpan(ir, ir?.span) }, within };
}

/** The graph that labels lead to, while its call is under way. */
function graphAt(
  { program, snapshot }: RunPosition,
  path: readonly string[],
): GraphUnderWay | undefined {
  for (const graph of graphsUnderWay(program, snapshot)) {
    const labels = graph.callers.map(({ label }) => label);
    if (labels.length === path.length && labels.every((label, index) => label === path[index]))
      return graph;
  }
  return undefined;
}

function placeOfSpan(ir: Ir | undefined, span: SpanIr | undefined): { readonly at?: DebugPlace } {
  const source = ir?.source;
  if (source === undefined || span === undefined) return {};
  return { at: { file: source.file, ...positionAt(source, span[0]) } };
}

/** A graph under way: the run's own, or one that a node run has called. */
interface GraphUnderWay {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly callers: readonly Caller[];
}

/** The graphs under way, callers before what they call. */
function* graphsUnderWay(
  program: Program,
  snapshot: Snapshot,
  callers: readonly Caller[] = [],
): Generator<GraphUnderWay, undefined> {
  yield { program, snapshot, callers };
  for (const [id, child] of snapshot.children.entries()) {
    const run = snapshot.open.get(id);
    if (run === undefined) continue;
    const node = program.nodes[run.node]?.ir.name ?? "";
    const place = callPlace(placeText(run), child.begun);
    const caller = { run, place, label: `${node}#${run.ordinal}`, node };
    yield* graphsUnderWay(child.program, child.snapshot, [...callers, caller]);
  }
}

/** The open node run of a lasting name, `1/0`. */
function openRunAt(program: Program, snapshot: Snapshot, place: string): Located | undefined {
  for (const graph of graphsUnderWay(program, snapshot)) {
    for (const run of graph.snapshot.open.values()) {
      const located = { ...graph, run };
      if (run.source === undefined && nodeRunPlace(located) === place) return located;
    }
  }
  return undefined;
}
