/** One figure of our engine that is no workload, in a process of its own: `node probe.ts NAME RUNS`. Prints the figures of each run as JSON. */
import { Session } from "../../../runtime/index.ts";
import { printRounds } from "../print-rounds.ts";
import { sum } from "../statistics.ts";
import { workload } from "./workloads.ts";

export type ProbeName = keyof typeof probes;

const STEPS = 1000;

const probes = { state, history, "debug step": debugStep } as const;

/** The state behind each of a thousand steps, none of which has been looked at: milliseconds for one. */
async function state(): Promise<number> {
  const run = await chained();
  const begun = performance.now();
  const last = run.steps.map((step) => step.state);
  const ms = (performance.now() - begun) / STEPS;
  if (last.at(-1)?.x !== STEPS) throw new Error("the last state is wrong");
  return ms;
}

/** A thousand steps with what each of them changed and came to: milliseconds for all. */
async function history(): Promise<number> {
  const run = await chained();
  const begun = performance.now();
  const told = run.steps.map(({ step, node, patches, state: after }) => ({
    ...{ step, node, patches },
    state: after,
  }));
  const ms = performance.now() - begun;
  if (sum(told.map(({ patches }) => patches.length)) !== STEPS)
    throw new Error("a patch is missing");
  return ms;
}

/** One step of a run that holds a megabyte of state: milliseconds, the state read after each step. */
async function debugStep(): Promise<number> {
  const text = `graph Big(first: int) returns x {
  state {
    x:   int = first
    big: string[] = [] via append
  }
  run fill = megabyte() writes big
  run next = plus(x) writes x
  limit 1M steps
  start -> fill -> next -> next
}`;
  const megabyte = () => Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(1000, "-"));
  const run = compiled(text, { megabyte, plus: (x: number) => x + 1 }).debug({ first: 0 });
  await run.step();
  const begun = performance.now();
  for (let step = 1; step <= 100; step += 1) {
    if ((await run.step()).state.x !== step) throw new Error(`step ${step} is wrong`);
  }
  const ms = (performance.now() - begun) / 100;
  await run.abort();
  return ms;
}

async function chained() {
  const { ours, input } = workload(`chain ${STEPS}`);
  const run = compiled(ours.text, ours.scope).run(input);
  await run.output;
  return run;
}

const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });

function compiled(text: string, scope: object) {
  const [graph] = Object.values(session.compile(text, { scope: { ...scope } }));
  if (graph === undefined) throw new Error("the probe has no graph");
  return graph;
}

const [name = "", runs = "7"] = process.argv.slice(2);
const probe = probes[name as ProbeName];
await printRounds(probe, Number(runs));
await session.close();
