/**
 * Schedules: one random program, run in one order with one series of crashes, failures and people. A number stands for
 * each: `seed` gives the program and `seed * SCHEDULES + n` its n-th schedule.
 */
import fc from "fast-check";
import type { Ir } from "../../../dsl/index.ts";
import { digest } from "../../../runtime/debug/sample-output.ts";
import type { Failure, FailureClass } from "../../../runtime/failure.ts";
import { pathOf } from "../../../runtime/history/log-path.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { arbitraryProgram } from "../../support/arbitrary-program.ts";
import { graphOf, type Ran, runIr, type Script } from "../../support/run-graph.ts";
import { scriptedWorld } from "./scripted-world.ts";
import { Watch } from "./watch.ts";

/** One run of a program, beside the one that nothing disturbed. */
export interface Schedule {
  readonly text: string;
  readonly ir: Ir;
  readonly seed: number;
  readonly kind: string;
  /** In the same world (the same answers and failures), in one piece. */
  readonly whole: Ran;
  readonly ran: Ran;
  /** What went its own way from one of its steps, in some of them. */
  readonly fork?: Ran;
  /** Who looked on at each step, in some of them. */
  readonly watch?: Watch;
}

const program = fc.noBias(arbitraryProgram());

/** The program of a seed, as text. */
export function programOf(seed: number): string {
  const [text] = fc.sample(program, { seed, numRuns: 1 });
  return text ?? "";
}

type World = Pick<Script, "fails">;

const WORLDS: Readonly<Record<"calm" | "flaky" | "odd", (seed: number) => World>> = {
  calm: () => ({}),
  flaky: (seed) => ({ fails: failing(seed, ["tool", "timeout", "model"], 6) }),
  odd: (seed) => ({
    fails: failing(seed, ["transport", "invalid", "denied", "limit", "controller_lost"], 9),
  }),
};

/** Fails some attempts, the same ones in every schedule: by node, place and attempt. */
function failing(of: number, classes: readonly FailureClass[], one: number) {
  return (node: string, attempt: number, _: number, place: string): Failure | undefined => {
    const hash = digest(`${of} ${node} ${place} ${attempt}`);
    if (hash % one !== 0) return undefined;
    const failure = classes[Math.floor(hash / one) % classes.length] ?? "tool";
    const limit = failure === "limit" ? { limit: "turns" } : {};
    return { class: failure, code: "M8301", message: "no", ...limit };
  };
}

const ELSEWHERE = ["abort elsewhere", "pause elsewhere", "answer elsewhere"] as const;
const STAYING = ["hold", "pause", "rewind", "retry", "abort", ...ELSEWHERE] as const;
const SPEAKING = [...STAYING, "steer", "steer elsewhere", "use"] as const;
const CHANGING = [...SPEAKING, "edit", "modify", "modify"] as const;

/** Gives one of the fields that are there something else of its kind. */
function edit(state: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { total, log } = state;
  if (typeof total === "number") return { total: total + 1 };
  return Array.isArray(log) ? { log: log.slice(1) } : {};
}

/** Here `crashes` is how many there are about in one run. */
const VARIANTS: readonly (readonly [keyof typeof WORLDS, string, Script])[] = [
  ["calm", "another order, answered late", { answersLast: true }],
  ["calm", "dying", { crashes: 2, echoes: 0.05 }],
  ["calm", "dying often", { crashes: 6 }],
  ["calm", "dying, with people", { crashes: 2, people: 0.03, echoes: 0.02, verbs: STAYING }],
  ["calm", "dying, with many people", { crashes: 2, people: 0.1, verbs: SPEAKING }],
  ["flaky", "dying", { crashes: 3, echoes: 0.05, breaks: true }],
  ["flaky", "dying often", { crashes: 6, answersLast: true }],
  ["flaky", "dying, with people", { crashes: 2, people: 0.05, verbs: SPEAKING }],
  ["odd", "dying", { crashes: 3, echoes: 0.05 }],
  ["odd", "dying, with people", { crashes: 2, people: 0.05, verbs: CHANGING, edit }],
];

/** How many schedules a program is run in, the undisturbed ones aside. */
export const SCHEDULES = VARIANTS.length;

/** To look on takes as long as the schedule itself; one in so many, no multiple of their number, so that each kind has its turn. */
const WATCHED = 7;

/** The same of those that are forked once they are over. */
const FORKED = 3;

function forked(ir: Ir, script: Script, { records }: Ran): Ran {
  const steps = pathOf(records).filter(({ kind }) => kind === "commit").length;
  const fork = { records, step: (script.seed ?? 0) % (steps + 1) };
  return runIr(ir, { ...script, fork });
}

/** A larger one tells no more, and takes the time of many. */
const RECORDS_MAX = 180;

/** Each schedule of a program, one after the other. */
export function* schedulesOf(text: string, seed: number): Generator<Schedule> {
  const ir = graphOf(text);
  const input = { n: 1 + (seed % 4) };
  const common = {
    input,
    calls: 1 + (seed % 2),
    meddles: seed % 4 === 0,
    eventsMax: 60_000,
    ...scriptedWorld,
  };
  const wholes = new Map<string, Ran>();
  for (const [index, [world, how, disturbed]] of VARIANTS.entries()) {
    const script = { ...common, ...WORLDS[world](seed) };
    const whole = wholes.get(world) ?? runIr(ir, { ...script, seed });
    wholes.set(world, whole);
    if (whole.records.length > RECORDS_MAX) continue;
    const crashes = Math.min(0.4, (disturbed.crashes ?? 0) / whole.records.length);
    const at = seed * SCHEDULES + index + 1;
    const watch = at % WATCHED === 0 ? new Watch(link(ir)) : undefined;
    const observe = watch === undefined ? {} : { observe: watch.see.bind(watch) };
    const ran = runIr(ir, { ...script, ...disturbed, ...observe, crashes, seed: at });
    watch?.end();
    const branch = at % FORKED === 0 ? { fork: forked(ir, { ...script, seed: at }, ran) } : {};
    const known = { text, ir, seed: at, kind: `${world}, ${how}`, whole, ran, ...branch };
    yield watch === undefined ? known : { ...known, watch };
  }
}
