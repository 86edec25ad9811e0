/** Where a run is held by itself. */
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

/** The breakpoints of a run; they may come and go while it is under way. */
export class Breakpoints {
  readonly #graph: string;
  readonly #nodes: ReadonlySet<string>;
  readonly #set = new Set<Required<BreakpointAt>>();

  constructor(graph: string, nodes: readonly string[]) {
    this.#graph = graph;
    this.#nodes = new Set(nodes);
  }

  /** Sets one; the result takes it back. */
  add(breakpoint: Breakpoint): () => void {
    const { node, when = "before" } =
      typeof breakpoint === "string" ? { node: breakpoint } : breakpoint;
    if (!this.#nodes.has(node)) {
      throw new RunError("M5003", `\`${this.#graph}\` has no node \`${node}\` to stop at`, {
        hint: `its nodes: ${[...this.#nodes].join(", ")}`,
      });
    }
    const place = { node, when };
    this.#set.add(place);
    const remove = () => void this.#set.delete(place);
    // What a notebook or a console shows of it.
    const text = `breakpoint ${when} \`${node}\`; call this to remove it`;
    return Object.assign(remove, { [Symbol.for("nodejs.util.inspect.custom")]: () => text });
  }

  has(node: string, when: "before" | "after"): boolean {
    for (const place of this.#set) if (place.node === node && place.when === when) return true;
    return false;
  }
}
