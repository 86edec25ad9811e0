/** Tries every order in which parallel node runs can finish, and tells whether the result depends on it. */

import { exploreOrders, type OrderEnd, type OrderOptions } from "../explore/explore-orders.ts";
import type { SimulatedAttempt } from "../explore/simulation.ts";
import { FailureError, RunError } from "../failure.ts";
import { decided } from "../performer.ts";
import type { LoggedCall } from "../records/records.ts";
import type { FunctionCall } from "../scheduler/expressions/calls.ts";
import type { Program } from "../scheduler/program/program.ts";
import { isJsonEqual } from "../state/json.ts";
import { digest, sampleOutput } from "./sample-output.ts";

/** The output of a node, or a function that computes it from what the node sees. */
export type ExploredOutput = unknown | ((seen: ExploredAttempt) => unknown);

export interface ExploredAttempt {
  readonly prompt: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly attempt: number;
}

export interface ExploreOptions extends Pick<OrderOptions, "ordersMax"> {
  /** By node; one that is not named gives a value of its type, made from its prompt alone. No model is asked. */
  readonly outputs?: Readonly<Record<string, ExploredOutput>>;
}

export interface Explored {
  /** The number of orders that were tried. */
  readonly orders: number;
  readonly isComplete: boolean;
  /** The different ends of the run; one where the order does not matter. */
  readonly ends: readonly OrderEnd[];
  /** Two orders with different ends, and the fields in which these differ; absent where all are equal. */
  readonly race?: Race;
}

export interface Race {
  /** The nodes in the order in which they ended. */
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly fields: Readonly<Record<string, readonly [first: unknown, second: unknown]>>;
}

/** Runs the graph in every order in which its node runs can end, in virtual time. */
export function explore(
  program: Program,
  input: Readonly<Record<string, unknown>>,
  options: ExploreOptions & { readonly call: (call: FunctionCall) => LoggedCall },
): Explored {
  const { outputs = {}, call, ...more } = options;
  assertNodes(program, Object.keys(outputs));
  const output = (attempt: SimulatedAttempt) => outputOf(attempt, outputs);
  const functions = (asked: FunctionCall) => valueOrThrow(call(asked));
  const found = exploreOrders(program, input, { ...more, output, functions });
  const race = raceIn(found.ends);
  return { ...found, ...(race === undefined ? {} : { race }) };
}

function valueOrThrow({ value, failure }: LoggedCall): unknown {
  if (failure !== undefined) throw new FailureError(failure);
  return value;
}

function outputOf(attempt: SimulatedAttempt, outputs: NonNullable<ExploreOptions["outputs"]>) {
  const { node, run, view, program, choices, place } = attempt;
  const { prompt = "" } = view;
  if (!Object.hasOwn(outputs, node)) {
    const sample = sampleOutput(program.nodes[run.node]?.ir, prompt);
    const chosen = choices[digest(`${node} ${place}`) % choices.length];
    return chosen === undefined ? sample : decided(sample, chosen);
  }
  const given = outputs[node];
  if (typeof given !== "function") return given;
  return given({ prompt, args: run.args ?? {}, attempt: run.attempt });
}

function raceIn([first, second]: readonly OrderEnd[]): Race | undefined {
  if (first === undefined || second === undefined) return undefined;
  const names = new Set([...Object.keys(first.state), ...Object.keys(second.state)]);
  const differing = [...names].filter(
    (name) => !isJsonEqual(first.state[name], second.state[name]),
  );
  const fields = differing.map((name) => [name, [first.state[name], second.state[name]]] as const);
  return { first: first.path, second: second.path, fields: Object.fromEntries(fields) };
}

function assertNodes({ ir }: Program, names: readonly string[]): void {
  const known = ir.nodes.map(({ name }) => name);
  const called = ir.graphs?.flatMap(({ nodes }) => nodes.map(({ name }) => name)) ?? [];
  const unknown = names.find((name) => !known.includes(name) && !called.includes(name));
  if (unknown === undefined) return;
  throw new RunError(
    "M5003",
    `\`${ir.name}\` has no node \`${unknown}\` that could come to something`,
    {
      hint: `its nodes: ${known.join(", ")}`,
    },
  );
}
