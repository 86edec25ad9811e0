/** Runs a text on the simulated driver: the one place of the scheduler's tests that knows its API. */

import { check, type Ir, type NodeIr } from "../../dsl/index.ts";
import { digest, sampleOutput } from "../../runtime/debug/sample-output.ts";
import type { Simulation, SimulationOptions } from "../../runtime/explore/simulation.ts";
import type { Failure } from "../../runtime/failure.ts";
import { decided, edited } from "../../runtime/performer.ts";
import type { LogRecord } from "../../runtime/records/records.ts";
import { shownState } from "../../runtime/scheduler/lookup.ts";
import { link } from "../../runtime/scheduler/program/link.ts";
import type { Program } from "../../runtime/scheduler/program/program.ts";
import { simulate } from "./simulation/simulated-driver.ts";

/** What a node says: a value, or a function of what it sees and how often it was asked. */
export type Says = (asked: {
  readonly prompt: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  readonly ordinal: number;
}) => unknown;

export interface Script extends Partial<Omit<SimulationOptions, "output" | "failure">> {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly says?: Readonly<Record<string, unknown | Says>>;
  /** Nodes that decide say a name that is not there first. */
  readonly strays?: boolean;
  /** Its functions change what they are given, where they can. */
  readonly meddles?: boolean;
  readonly fails?: (
    node: string,
    attempt: number,
    ordinal: number,
    place: string,
  ) => Failure | undefined;
}

/** What a function of a person may do to what it is given; frozen things throw. */
function tryToChange(values: readonly unknown[] = []): void {
  for (const value of values) {
    try {
      if (Array.isArray(value)) value.push("changed");
      else if (typeof value === "object" && value !== null) Object.assign(value, { changed: 1 });
    } catch {
      // As it should be.
    }
  }
}

export interface Ran extends Simulation {
  readonly program: Program;
  readonly state: Record<string, unknown>;
  readonly status: string;
  readonly reason: string;
  /** Nodes in the order of their commits. */
  readonly path: string;
  /** Nodes with their places, in the order of their starts. */
  readonly started: readonly string[];
}

/** A graph that is run in many schedules is linked once, as by the engine. */
const linked = new WeakMap<Ir, Program>();

function programOfGraph(ir: Ir): Program {
  const program = linked.get(ir) ?? link(ir);
  linked.set(ir, program);
  return program;
}

/** The only graph of a text; a text with errors is a mistake of the test. */
export function graphOf(text: string): Ir {
  const { diagnostics, graphs } = check({ file: "test", text });
  const error = diagnostics.find(({ severity }) => severity === "error");
  const [graph] = graphs;
  if (error !== undefined || graph === undefined) {
    throw new Error(`${error?.code} ${error?.line}:${error?.column} ${error?.message}`);
  }
  return graph;
}

export function runText(text: string, script: Script = {}): Ran {
  return runIr(graphOf(text), script);
}

export function runIr(
  ir: Ir,
  { input = {}, says = {}, fails, meddles, strays = false, ...options }: Script,
): Ran {
  const simulation = simulate(programOfGraph(ir), input, {
    seed: 1,
    output: ({ node, run, view, attempt, choices, place, program: of }) => {
      if (meddles) tryToChange(view.callArgs);
      const ir = of.nodes[run.node]?.ir;
      const sample = () => sampleOf(ir, view.prompt ?? "");
      if (ir?.kind === "human" && !(node in says)) return saidBy(ir, sample());
      const chosen = choices[digest(`${node} ${place}`) % choices.length];
      if (chosen !== undefined && !(node in says)) {
        return decided(sample(), strays && attempt === 1 ? "nobody" : chosen);
      }
      const said = says[node] ?? sample();
      if (typeof said !== "function") return said;
      const { args = {}, ordinal } = run;
      return (said as Says)({ prompt: view.prompt ?? "", args, attempt, ordinal });
    },
    failure: ({ node, attempt, run, place, answers }) =>
      answers.some(({ kind }) => kind === "deny")
        ? { class: "denied", code: "M5313", message: "somebody said no" }
        : fails?.(node, attempt, run.ordinal, place),
    ...options,
  });
  const { program, records, snapshot } = simulation;
  return {
    ...simulation,
    state: shownState(program, snapshot),
    status: snapshot.status,
    reason: snapshot.reason,
    path: ofKind(records, "commit")
      .map(({ node }) => node)
      .join(" "),
    started: ofKind(records, "start").map(({ node, key }) => `${node}@${key}`),
  };
}

/** What comes of a node that asks a person; one that shows a field has it edited. */
function saidBy({ edits }: NodeIr, said: unknown): unknown {
  return edits.length === 0 ? said : edited(said, { [edits[0] ?? ""]: "slow" });
}

export function ofKind<K extends LogRecord["kind"]>(
  records: readonly LogRecord[],
  kind: K,
): readonly (LogRecord & { readonly kind: K })[] {
  return records.filter((record): record is LogRecord & { kind: K } => record.kind === kind);
}

/** Something of a node's output type, made from its prompt alone: the same in every schedule. */
export function sampleOf(node: NodeIr | undefined, prompt: string): unknown {
  if (node?.output === undefined || node.writes[0]?.field !== "plan")
    return sampleOutput(node, prompt);
  return samplePlan(digest(`${node.name} ${prompt}`));
}

/** Two or three steps, some of which wait for others. */
function samplePlan(seed: number): unknown {
  const step = (id: string, depends: readonly string[]) => ({
    ...{ id, title: `do ${id}`, details: "", agent: "helper", depends },
  });
  const steps = [step("a", []), step("b", seed % 2 === 0 ? ["a"] : [])];
  return { steps: seed % 3 === 0 ? steps : [...steps, step("c", ["a", "b"])] };
}
