/** Where a run is held by itself. */
import { calledGraph, type ExprIr, type Ir, type NodeIr } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import type { RunStep } from "./step.ts";

/** A node, or a node and on which side of its attempts: `before` one starts, or `after` its commit. */
export type Breakpoint<N extends string = string> = N | BreakpointAt<N>;

export interface BreakpointAt<N extends string = string> {
  readonly node: N;
  readonly when?: "before" | "after";
}

/** Why `continue` came back. `after` a node, `step` is its commit. */
export type Stop<N extends string = string> =
  | {
      readonly kind: "breakpoint";
      readonly node: N;
      readonly when: "before" | "after";
      readonly nodeRunId: string;
      readonly attempt: number;
      readonly step?: RunStep<Record<string, unknown>, N>;
    }
  /** Nothing else can run before somebody answers. */
  | { readonly kind: "interrupt"; readonly id: string; readonly node: N }
  /** Somebody paused it. */
  | { readonly kind: "pause"; readonly reason: string }
  | { readonly kind: "end"; readonly status: "succeeded" | "failed" | "aborted" };

/** Where a run may be held, and the condition that a `break` of its graph has there. */
export interface BreakpointPlace extends Required<BreakpointAt> {
  readonly condition?: ExprIr;
}

/** The breakpoints of a run: those that its graph writes down, and others that may come and go while it is under way. */
export class Breakpoints {
  readonly #ir: Ir;
  #set = new Set<BreakpointPlace>();
  /** Those that nobody set here. */
  readonly #written: readonly BreakpointPlace[];
  #isPast = false;

  constructor(ir: Ir) {
    this.#ir = ir;
    this.#written = writtenIn(ir);
    for (const place of this.#written) this.#set.add(place);
  }

  /** What people set in another program of the run; what takes one of them back does so here. */
  takeOver(before: Breakpoints): void {
    if (before.#isPast) this.clear();
    for (const place of before.#set) {
      if (!before.#written.includes(place)) this.#set.add(place);
    }
    before.#set = this.#set;
  }

  /** Goes past what the graph says: for a run that nobody watches. */
  clear(): void {
    this.#isPast = true;
    this.#set.clear();
  }

  /** Sets one; the result takes it back. */
  add(breakpoint: Breakpoint): () => void {
    const { node, when = "before" } =
      typeof breakpoint === "string" ? { node: breakpoint } : breakpoint;
    assertNode(this.#ir, node);
    const place = { node, when };
    this.#set.add(place);
    const remove = () => void this.#set.delete(place);
    // What a notebook or a console shows of it.
    const text = `breakpoint ${when} \`${node}\`; call this to remove it`;
    return Object.assign(remove, { [Symbol.for("nodejs.util.inspect.custom")]: () => text });
  }

  get isEmpty(): boolean {
    return this.#set.size === 0;
  }

  /** Those at a side of a node; `node` as `assertNode` reads it. */
  at(node: string, when: "before" | "after"): readonly BreakpointPlace[] {
    return [...this.#set].filter((place) => place.node === node && place.when === when);
  }
}

/** The `break` statements of a graph and of those that it calls, each of them once. */
function writtenIn(ir: Ir, path = "", above: readonly string[] = []): readonly BreakpointPlace[] {
  const own = ir.breaks.flatMap(({ nodes, when, condition }) =>
    nodes.map((node) => ({
      ...{ node: `${path}${node}`, when },
      ...(condition === undefined ? {} : { condition }),
    })),
  );
  const called = ir.nodes.flatMap(({ name, kind, call }) => {
    const graph = kind === "graph" ? calledGraph(ir, call?.callee.join(".") ?? "") : undefined;
    // A graph that calls itself has no last call that could be named here.
    if (graph === undefined || above.includes(graph.hash)) return [];
    return writtenIn(graph, `${path}${name}/`, [...above, ir.hash]);
  });
  return [...own, ...called];
}

/** Throws M5003 for a place that is not there: `search`, or `go/search` in the graph that `go` calls. */
function assertNode(ir: Ir, place: string): void {
  let graph: Ir | undefined = ir;
  for (const name of place.split("/")) {
    // What a plan will have for steps, nobody knows before.
    if (graph === undefined) return;
    const node: NodeIr | undefined = graph.nodes.find((one) => one.name === name);
    if (node === undefined) throw noNode(graph, name);
    graph = calledGraph(graph, node.call?.callee.join(".") ?? "");
  }
}

function noNode({ name: graph, nodes }: Ir, node: string): RunError {
  return new RunError("M5003", `\`${graph}\` has no node \`${node}\` to stop at`, {
    hint: `its nodes: ${nodes.map(({ name }) => name).join(", ")}`,
  });
}
