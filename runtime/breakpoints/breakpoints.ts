/** Keeps the breakpoints of a run, and counts their hits. */

import { calledGraph, graphsAmong, type Ir } from "../../dsl/index.ts";
import { callerName } from "../records/records.ts";
import { breakpointText } from "./breakpoint-text.ts";
import type { Breakpoint, BreakpointPlace, StopEdge } from "./breakpoint-types.ts";
import { readBreakpoint } from "./read-breakpoint.ts";
import { BreakpointWarnings } from "./unanswered.ts";

/** The breakpoints of a run: those that its graph writes down, and others that may come and go while it is under way. */
export class Breakpoints {
  /** Of conditions that had no answer. */
  warnings = new BreakpointWarnings();
  readonly #ir: Ir;
  #set = new Set<BreakpointPlace>();
  /** The number of counted hits of each breakpoint. */
  #times = new Map<BreakpointPlace, number>();
  /** Those that nobody set here. */
  readonly #written: readonly BreakpointPlace[];
  #isPast = false;

  constructor(ir: Ir) {
    this.#ir = ir;
    this.#written = writtenIn(ir);
    for (const place of this.#written) this.#set.add(place);
  }

  /** Takes over the breakpoints that people set in another program of the run, with the functions that remove them. */
  takeOver(before: Breakpoints): void {
    if (before.#isPast) this.clear();
    for (const place of before.#set) {
      if (!before.#written.includes(place)) this.#set.add(place);
    }
    before.#set = this.#set;
    this.#times = before.#times;
    this.warnings = before.warnings;
  }

  /** Goes past what the graph says: for a run that nobody watches. */
  clear(): void {
    this.#isPast = true;
    this.#set.clear();
  }

  /** Sets one; the result takes it back. M5003 for a place that is not there, M5450 for a condition that can't be read. */
  add(breakpoint: Breakpoint): () => void {
    const place = readBreakpoint(this.#ir, breakpoint);
    this.#set.add(place);
    const remove = () => this.#remove(place);
    // What a notebook or a console shows of it.
    const text = `breakpoint ${breakpointText(place)}; call this to remove it`;
    return Object.assign(remove, { [Symbol.for("nodejs.util.inspect.custom")]: () => text });
  }

  /** The functions that remove those before a node, whoever set them. */
  removersBefore(node: string): readonly (() => void)[] {
    return [...this.#set].flatMap((place) =>
      place.kind === "node" && place.node === node && place.when === "before"
        ? [() => this.#remove(place)]
        : [],
    );
  }

  #remove(place: BreakpointPlace): void {
    this.#set.delete(place);
    this.#times.delete(place);
  }

  get isEmpty(): boolean {
    return this.#set.size === 0;
  }

  /** True if one of them holds a single branch. */
  get holdsBranches(): boolean {
    for (const place of this.#set)
      if (place.kind === "node" && place.isBranch === true) return true;
    return false;
  }

  get places(): Iterable<BreakpointPlace> {
    return this.#set;
  }

  /** Counts that a place was come to, and says whether the run is held there this time. */
  counts(place: BreakpointPlace): boolean {
    const { from = 1 } = place;
    if (from <= 1) return true;
    const times = (this.#times.get(place) ?? 0) + 1;
    this.#times.set(place, times);
    return times >= from;
  }
}

/** The arrow that a breakpoint is on, in its own graph's names. */
export function edgeOf(place: BreakpointPlace): StopEdge | undefined {
  if (place.kind !== "edge") return undefined;
  return { from: place.node.slice(place.node.lastIndexOf("/") + 1), to: place.to };
}

/** The `break` statements of a graph and of those that it calls, each of them once. */
function writtenIn(ir: Ir, path = "", above: readonly string[] = []): readonly BreakpointPlace[] {
  const own = ir.breaks.flatMap(({ nodes, when, condition }) =>
    nodes.map((node) => ({
      ...{ kind: "node" as const, node: `${path}${node}`, when },
      ...(condition === undefined ? {} : { condition }),
    })),
  );
  const called = ir.nodes.flatMap((node) => {
    const { name, kind, call, tools } = node;
    const graph = kind === "graph" ? calledGraph(ir, call?.callee.join(".") ?? "") : undefined;
    return [
      ...(graph === undefined ? [] : [{ name, graph }]),
      ...graphsAmong(ir, tools).map((tool) => ({
        name: callerName(name, { name: tool.as }),
        graph: tool.ir,
      })),
    ].flatMap(({ name: caller, graph: inner }) =>
      // A graph that calls itself has no last call that could be named here.
      above.includes(inner.hash) ? [] : writtenIn(inner, `${path}${caller}/`, [...above, ir.hash]),
    );
  });
  return [...own, ...called];
}
