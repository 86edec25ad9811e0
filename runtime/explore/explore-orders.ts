/** Runs a small graph in every order in which its node runs can finish, and compares the ends. */

import { FailureError } from "../failure.ts";
import { type Advance, advance } from "../scheduler/advance.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import { type Functions, keyOf } from "../scheduler/expressions/calls.ts";
import { shownState } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { isJsonEqual } from "../state/json.ts";
import { seeded } from "./seeded.ts";
import { endOfAttempt } from "./simulated-attempt.ts";
import type { SimulationOptions } from "./simulation.ts";

export interface OrderOptions extends Pick<SimulationOptions, "output" | "failure" | "functions"> {
  /** After so many orders no more are looked at. */
  readonly ordersMax?: number;
}

export interface FinishingOrders {
  readonly orders: number;
  /** True if there are no other orders. */
  readonly isComplete: boolean;
  /** The different ends of the run; one where the order does not matter. */
  readonly ends: readonly OrderEnd[];
}

export interface OrderEnd {
  readonly status: string;
  readonly reason: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** The number of orders with this end, and the nodes of one of them as they finished. */
  readonly orders: number;
  readonly path: readonly string[];
}

/** Runs a graph in every order of finishing; attempts begin at once, and say what they say of what they saw then. */
export function exploreOrders(
  program: Program,
  input: Readonly<Record<string, unknown>>,
  options: OrderOptions,
): FinishingOrders {
  const explorer = new Explorer(program, options);
  explorer.explore({ kind: "begin", input, at: 0 });
  return explorer.found;
}

/** The position of one order. */
interface Point {
  readonly snapshot: Snapshot;
  /** The completions that will end the open attempts. */
  readonly ends: ReadonlyMap<number, Completion>;
  readonly path: readonly string[];
  /** The node runs that have ended, in their order. */
  readonly key: string;
  readonly at: number;
}

class Explorer {
  readonly #program: Program;
  readonly #options: OrderOptions;
  #ends: OrderEnd[] = [];
  #orders = 0;
  #isCut = false;
  /** Orders that were tried before the rest. */
  readonly #followed = new Set<string>();

  constructor(program: Program, options: OrderOptions) {
    const { functions } = options;
    this.#program =
      functions === undefined ? program : { ...program, functions: simulatedCalls(options) };
    this.#options = options;
  }

  get found(): FinishingOrders {
    return { orders: this.#orders, isComplete: !this.#isCut, ends: this.#ends };
  }

  explore(begin: Completion): void {
    const nowhere: Point = { snapshot: emptySnapshot(), ends: new Map(), path: [], key: "", at: 0 };
    const first = this.#behind(nowhere, begin);
    // Of many branches the orders that come one after the other differ in the last ones alone.
    for (const choose of choices()) if (!this.#follow(first, choose)) return;
    // A stack of our own: orders may be long.
    const open = [first];
    for (let point = open.pop(); point !== undefined; point = open.pop()) {
      const { ends } = point;
      if (ends.size === 0 && !this.#note(point)) return;
      for (const completion of [...ends.values()].reverse())
        open.push(this.#behind(point, completion));
    }
  }

  /** One order: of those that could end next, `choose` says which does. Whether there is room for more. */
  #follow(first: Point, choose: Choose): boolean {
    let point = first;
    for (let ends = [...point.ends.values()]; ends.length > 0; ends = [...point.ends.values()]) {
      const next = ends[choose(ends.length)];
      if (next === undefined) break;
      point = this.#behind(point, next);
    }
    if (!this.#note(point)) return false;
    this.#followed.add(point.key);
    return true;
  }

  /** The point behind a completion, with everything begun that it lets begin. */
  #behind(point: Point, completion: Completion): Point {
    const ends = new Map(point.ends);
    const at = point.at + 1;
    let snapshot = point.snapshot;
    const path = "id" in completion ? [...point.path, this.#nameOf(snapshot, completion.id)] : [];
    const key = "id" in completion ? `${point.key} ${completion.id}` : "";
    const due = [completion];
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const result: Advance = advance(this.#program, snapshot, { ...next, at });
      snapshot = result.snapshot;
      if ("id" in next) ends.delete(next.id);
      for (const id of result.cancels) ends.delete(id);
      for (const { id, attempt } of result.starts) due.push({ kind: "started", id, attempt, at });
      if (next.kind === "started") this.#begin(snapshot, next.id, { ends, at });
    }
    return { snapshot, ends: snapshot.status === "running" ? ends : new Map(), path, key, at };
  }

  #begin(
    snapshot: Snapshot,
    id: number,
    { ends, at }: { readonly ends: Map<number, Completion>; readonly at: number },
  ): void {
    const located = locate(this.#program, snapshot, id);
    if (located?.run.status !== "running") return;
    // What it calls has attempts of its own.
    if (located.program.nodes[located.run.node]?.called !== undefined) return;
    ends.set(id, endOfAttempt(located, at, this.#options));
  }

  #nameOf(snapshot: Snapshot, id: number): string {
    const located = locate(this.#program, snapshot, id);
    return located?.program.nodes[located.run.node]?.ir.name ?? "";
  }

  /** Stores the point; returns false if there was no room for it. */
  #note({ snapshot, path, key }: Point): boolean {
    if (this.#followed.has(key)) return true;
    if (this.#orders >= (this.#options.ordersMax ?? ORDERS_MAX)) {
      this.#isCut = true;
      return false;
    }
    this.#orders += 1;
    const { status, reason } = snapshot;
    const state = shownState(this.#program, snapshot);
    const known = this.#ends.findIndex(
      (end) => end.status === status && end.reason === reason && isJsonEqual(end.state, state),
    );
    const found = this.#ends[known];
    if (found === undefined) this.#ends.push({ status, reason, state, orders: 1, path });
    else this.#ends[known] = { ...found, orders: found.orders + 1 };
    return true;
  }
}

const ORDERS_MAX = 5_000;

/** Of so many that could end next, the index of the one that does. */
type Choose = (count: number) => number;

/** The first, the last, each of the first eight wherever there are so many, and some by chance: each pair comes both ways. */
function choices(): readonly Choose[] {
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  return [
    () => 0,
    (count) => count - 1,
    ...numbers.map((index) => (count: number) => index % count),
    ...numbers.map((seed) => byChance(seeded(seed))),
  ];
}

function byChance(random: () => number): Choose {
  return (count) => Math.floor(random() * count);
}

/** Answers calls of functions in a simulation at once. */
export function simulatedCalls({
  functions,
  streams,
}: Pick<SimulationOptions, "functions" | "streams">): Functions {
  return {
    result: (call) => {
      const named = { name: call.name, key: keyOf(call) };
      if (streams?.(call) !== undefined) return { ...named, isStream: true };
      try {
        const value = functions?.(call);
        const misfit = call.misfit?.(value);
        return misfit === undefined ? { ...named, value } : { ...named, failure: misfit };
      } catch (thrown) {
        if (!(thrown instanceof FailureError)) throw thrown;
        return { ...named, failure: thrown.failure };
      }
    },
  };
}
