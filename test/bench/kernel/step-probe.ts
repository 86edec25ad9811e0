/** One figure of stepping and looking, in a process of its own: `node step-probe.ts NAME RUNS`. Prints the figures of each run as JSON. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Debugger, type Graph, Session } from "../../../runtime/index.ts";
import { printRounds } from "../print-rounds.ts";
import { BIG, STEPS } from "./big-state.ts";

const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });

const probes = {
  /** Milliseconds a step of a run that holds a megabyte, its state read behind each. */
  step: () => stepping(),
  /** The slowest of twenty jumps, back and forth between any of ten thousand steps. */
  jump: () => jumping(),
  /** Out of a stored run of as many: opened, and one jump to the middle of what lies between two of its snapshots. */
  "first jump": () => jumpingFirst(),
  "look 10": () => looking(10),
  "look 10000": () => looking(10_000),
} as const;

export type StepProbe = keyof typeof probes;

function compiled(fields: string, within = session): Graph {
  const text = `graph Big(first: int) returns x {
  state {
    x:   int = first
    big: string[] = [] via append
${fields}
  }
  run fill = megabyte() writes big
  run next = plus(x) writes x
  limit 1M steps
  start -> fill -> next -> next
}`;
  const scope = { megabyte: () => BIG, plus: (x: number) => x + 1 };
  const [graph] = Object.values(within.compile(text, { scope }));
  if (graph === undefined) throw new Error("the probe has no graph");
  return graph;
}

async function stepping(): Promise<number> {
  const debug = new Debugger(compiled("").debug({ first: 0 }));
  await debug.stepIn();
  const begun = performance.now();
  for (let step = 1; step <= STEPS; step += 1) {
    await debug.stepIn();
    if (debug.run.state.x !== step) throw new Error(`step ${step} is wrong`);
  }
  const ms = (performance.now() - begun) / STEPS;
  await debug.run.abort();
  return ms;
}

/** Where each of them has come to, and what the run looks like there. */
async function jumping(): Promise<number> {
  const debug = new Debugger(compiled("").debug({ first: 0 }));
  await debug.runTo(10_000);
  let slowest = 0;
  // Each is earlier than the one before: the way back is what a jump is.
  for (let jump = 1; jump <= 20; jump += 1) {
    const to = 10_000 - jump * 487;
    const begun = performance.now();
    await debug.runTo(to);
    if (debug.values("State").x !== to - 1) throw new Error(`the state behind step ${to} is wrong`);
    slowest = Math.max(slowest, performance.now() - begun);
  }
  await debug.run.abort();
  return slowest;
}

/** Where stored runs are. */
const folder = mkdtempSync(join(tmpdir(), "madrigal-jump-"));
/** The file of a run of ten thousand steps, made once. */
let made: Promise<string> | undefined;

/** Of a copy that nothing was rewound in, in a session that knows nothing of it. */
async function jumpingFirst(): Promise<number> {
  made ??= storedRun(join(folder, "made"));
  const home = mkdtempSync(join(folder, "copy-"));
  cpSync(await made, home, { recursive: true });
  const session = new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
  const begun = performance.now();
  const debug = new Debugger(session.open("last"));
  await debug.runTo(5_000);
  if (debug.values("State").x !== 4_999) throw new Error("the state behind step 5000 is wrong");
  const ms = performance.now() - begun;
  await debug.run.abort();
  await session.close();
  return ms;
}

async function storedRun(home: string): Promise<string> {
  mkdirSync(home);
  const session = new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
  const debug = new Debugger(compiled("", session).debug({ first: 0 }));
  await debug.runTo(10_000);
  await debug.run.abort();
  await session.close();
  return home;
}

/** Milliseconds for the frames of a stop and one of the fields, in a state of so many. */
async function looking(fields: number): Promise<number> {
  const names = Array.from({ length: fields }, (_, index) => `    f${index}: int = ${index}`);
  const debug = new Debugger(compiled(names.join("\n")).debug({ first: 0 }));
  await debug.stepIn();
  let ms = 0;
  for (let step = 1; step <= STEPS; step += 1) {
    await debug.stepIn();
    const begun = performance.now();
    const last = debug.values("Last changes").x;
    if (debug.frames.length !== 2 || last !== step) throw new Error(`step ${step} is wrong`);
    ms += performance.now() - begun;
  }
  await debug.run.abort();
  return ms / STEPS;
}

const [name = "", runs = "7"] = process.argv.slice(2);
const probe = probes[name as StepProbe];
await printRounds(probe, Number(runs));
await session.close();
rmSync(folder, { recursive: true, force: true });
