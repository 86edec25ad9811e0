/** Follows the graphs that a run makes of plans, for its drawing: which there are, and how their steps stand. */
import { calledGraph, type Ir, PLAN_GRAPH } from "../../../dsl/index.ts";
import { type DrivenRun, type RunEvent, redaction } from "../../../runtime/index.ts";
import { type LayoutBelow, withBelow } from "../graph/below.ts";
import type { NodeState } from "../graph/draw.ts";
import type { GraphLayout } from "../graph/placed.ts";
import { count, newTally, nodeStates, type StatusTally } from "../run/tally.ts";
import { visibleLine } from "../visible.ts";
import { DRAWN_MAX } from "./plan.ts";

/** More plans of one run are not drawn; `run.children` has all of them. */
const PLANS_MAX = 5;

/** The graph of a plan that a node runs, the latest of that node. */
interface PlanOfRun {
  readonly ir: Ir;
  /** The labels that lead to it: `go#1`. */
  readonly path: readonly string[];
  readonly tally: StatusTally;
  layout: GraphLayout | undefined;
}

/** Gives the run, and the graphs that it calls. */
interface PlanSource {
  readonly run: Pick<DrivenRun, "ir" | "state">;
  /** The graph that the calls of these labels (`go#1`) lead to, as the run made it. */
  readonly calledIr: (path: readonly string[]) => Ir | undefined;
  /** Called for each graph of a plan; gives its layout when it has it. */
  readonly layOut: (ir: Ir, take: (layout: GraphLayout) => void) => void;
}

export class PlansOfRun {
  readonly #source: PlanSource;
  /** By the nodes that run them: `team/go`. */
  readonly #plans = new Map<string, PlanOfRun>();
  /** The paths whose plan another one is to replace. */
  readonly #modified = new Set<string>();
  #composed: { readonly of: GraphLayout; readonly made: GraphLayout } | undefined;

  constructor(source: PlanSource) {
    this.#source = source;
  }

  /** Takes the next event; whether it changes what is drawn. */
  take(event: RunEvent): boolean {
    const { path = [] } = event;
    if (event.kind === "plan.modified") this.#modified.add([...path, event.label].join("/"));
    let isChanged = event.kind === "graph.started" && this.#start(path);
    for (const plan of this.#plans.values()) {
      const seen = seenFrom(plan, event);
      if (seen !== undefined && count(plan.tally, seen)) isChanged = true;
    }
    return isChanged;
  }

  /** The layout of the run's own graph with those of its plans below it. */
  below(layout: GraphLayout): GraphLayout {
    if (this.#composed?.of === layout) return this.#composed.made;
    const parts = [...this.#plans].flatMap(([within, { path, layout: own }]): LayoutBelow[] => {
      const title = visibleLine(`the plan of ${path.join(" › ")}`);
      return own === undefined ? [] : [{ within, title, layout: own }];
    });
    const made = parts.length === 0 ? layout : withBelow(layout, parts);
    this.#composed = { of: layout, made };
    return made;
  }

  /** The states of the steps, by `go/look`; `open` are the questions that wait for an answer. */
  states(open: ReadonlySet<string>): Readonly<Record<string, NodeState>> {
    const states = [...this.#plans].flatMap(([within, { tally }]) =>
      Object.entries(nodeStates(tally, { eachOf: new Map(), open })).map(
        ([node, state]) => [`${within}/${node}`, state] as const,
      ),
    );
    return Object.fromEntries(states);
  }

  /** A called graph begins; if it is that of a plan, it takes the place of the one before of its node. */
  #start(path: readonly string[]): boolean {
    const { run, calledIr, layOut } = this.#source;
    const ir = isPlanAt(run.ir, path) ? calledIr(path) : undefined;
    if (ir === undefined || ir.nodes.length > DRAWN_MAX) return false;
    const key = path.map(nodeOf).join("/");
    const before = this.#plans.get(key);
    if (before === undefined && this.#plans.size >= PLANS_MAX) return false;
    // The steps that go on from the plan before are known already.
    const isModified = this.#modified.delete(path.join("/"));
    const tally = isModified && before !== undefined ? before.tally : newTally();
    // The titles of steps are what models have written.
    const shown = { ...ir, nodes: redaction.shownValue(ir.nodes, run) };
    const plan: PlanOfRun = { ir: shown, path, tally, layout: undefined };
    this.#plans.set(key, plan);
    this.#composed = undefined;
    layOut(shown, (layout) => {
      plan.layout = layout;
      this.#composed = undefined;
    });
    return true;
  }
}

/** Returns whether the calls of these labels lead to the graph of a plan, and not to one that was written. */
export function isPlanAt(ir: Ir, path: readonly string[]): boolean {
  const caller = graphAt(ir, path.slice(0, -1));
  const node = caller?.nodes.find(({ name }) => name === nodeOf(path.at(-1) ?? ""));
  return node?.call?.callee.join(".") === PLAN_GRAPH;
}

/** The graph that a run of this process has called, by the labels that lead to it; only for plans, as a run may call ten thousand graphs. */
export function calledIrOf(run: Pick<DrivenRun, "child">): PlanSource["calledIr"] {
  return ([first = "", ...more]) =>
    more.reduce((at, label) => at?.child(label), run.child(first))?.ir;
}

/** The graph that the calls of these labels (`go#1`) lead to from a run; undefined in that of a plan, which no program has. */
export function graphAt(ir: Ir, path: readonly string[]): Ir | undefined {
  return path.reduce<Ir | undefined>((graph, label) => {
    // `clerk.Weigh#1.2` is a graph among the tools of `clerk`.
    const [name = "", tool] = nodeOf(label).split(".");
    const node = graph?.nodes.find((one) => one.name === name);
    return graph && calledGraph(graph, tool ?? node?.call?.callee.join(".") ?? "");
  }, ir);
}

function nodeOf(label: string): string {
  return label.replace(/#.*$/, "");
}

/** An event as the plan's own run would tell it, and what a run tells of all of it; undefined where it is of something else. */
function seenFrom({ path }: PlanOfRun, event: RunEvent): RunEvent | undefined {
  const { path: at = [], caller: _, ...own } = event;
  if (at.length === 0) return event.kind.startsWith("run.") ? event : undefined;
  if (!path.every((label, index) => label === at[index])) return undefined;
  return at.length === path.length ? (own as RunEvent) : event;
}
