/** Whole programs stepped end to end, forth and back: the same states both ways, step by step, in called graphs too. */
import { describe, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { Debugger } from "../../../runtime/debug/debugger.ts";
import { decided } from "../../../runtime/performer.ts";
import { type Does, type DrivenTestRun, drive } from "../driven-run.ts";
import { programs, type SteppedProgram } from "./programs.ts";

describe.each(programs)("$name", (program) => {
  test("forth, back to the start and forth again comes to the same states", async () => {
    const debug = await started(program);
    const start = seen(debug);
    const forth = await stepsIn(debug);
    expect([debug.run.status, debug.run.steps.length]).toEqual(["succeeded", program.steps]);
    const end = debug.run.state;
    expect(await stepsBack(debug)).toEqual(ownSteps([start, ...forth]).reverse());
    expect(seen(debug)).toEqual(start);
    expect(await stepsIn(debug)).toEqual(forth);
    expect(debug.run.state).toEqual(end);
  });

  test("a step back and forth again at each step changes nothing of what comes", async () => {
    const debug = await started(program);
    const forth = await stepsIn(debug);
    const other = await started(program);
    const walked = await stepsIn(other, async () => {
      if (other.depth > 0 || other.run.steps.length === 0) return;
      const before = seen(other);
      await other.stepBack();
      await to(other, before.steps);
      expect(seen(other)).toEqual(before);
    });
    expect(walked.filter(isOwn)).toEqual(forth.filter(isOwn));
    expect([other.run.status, other.run.state]).toEqual([debug.run.status, debug.run.state]);
  });

  test("jumps between any two of its steps come to the states of these steps", async () => {
    const debug = await started(program);
    const states = ownSteps([seen(debug), ...(await stepsIn(debug))]);
    for (const [index] of states.entries()) {
      for (const step of [states.length - 1 - index, index]) {
        await to(debug, step);
        expect(seen(debug)).toEqual(states[step]);
      }
    }
  });

  test("over and out comes to the same end as undebugged", async () => {
    const plain = driven(program, "end");
    await answered(plain);
    for (const move of ["stepOver", "stepOut"] as const) {
      const debug = await started(program);
      await stepsBy(debug, () => debug[move]());
      expect([debug.run.status, debug.run.state]).toEqual([plain.run.status, plain.run.state]);
    }
  });
});

interface Seen {
  readonly at: string;
  readonly steps: number;
  readonly depth: number;
  readonly state: unknown;
}

function seen(debug: Debugger): Seen {
  const { run, depth } = debug;
  const last = run.position.walked.at(-1);
  const at = last === undefined ? "start" : [...(last.path ?? []), last.node, last.step].join(" ");
  return { at, steps: run.steps.length, depth, state: run.state };
}

/** Right behind a commit of the run's own, or at its start. */
function isOwn({ depth }: Seen): boolean {
  return depth === 0;
}

/** Without the end: there everything is folded. */
function ownSteps(all: readonly Seen[]): Seen[] {
  return all.filter(isOwn);
}

function driven(program: SteppedProgram, goal?: "end"): DrivenTestRun {
  const { diagnostics, graphs } = check(
    { file: "test", text: program.text },
    { allowUnreadPrograms: true },
  );
  const [ir] = graphs;
  if (ir === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const more = goal === undefined ? {} : { goal };
  return drive(program.text, { ir, input: program.input, does: doesIn(program), ...more });
}

async function started(program: SteppedProgram): Promise<Debugger> {
  const debug = new Debugger(driven(program).run);
  await debug.rewind(0);
  return debug;
}

/** Every place on the way to the end but the end itself. */
async function stepsIn(
  debug: Debugger,
  look: () => Promise<void> = async () => {},
): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  await stepsBy(debug, async () => {
    const stop = await debug.stepIn();
    if (stop.kind === "pause") {
      all.push(seen(debug));
      await look();
    }
    return stop;
  });
  return all;
}

async function stepsBy(debug: Debugger, move: Debugger["stepIn"]): Promise<void> {
  for (let moves = 0; moves < 200; moves += 1) {
    const stop = await move();
    if (stop.kind === "end") return;
    if (stop.kind === "interrupt") await answer(debug);
  }
  throw new Error("it does not end");
}

/** What was undone is asked again on the way forth. */
async function to(debug: Debugger, step: number): Promise<void> {
  for (
    let stop = await debug.runTo(step);
    stop.kind === "interrupt";
    stop = await debug.runTo(step)
  )
    await answer(debug);
}

/** Everything that is asked is granted. */
async function answer(debug: Debugger): Promise<void> {
  const { interrupts } = debug.run;
  await debug.answer(interrupts.map(({ id }) => [id, { kind: "approve" }] as const));
}

async function answered({ run }: DrivenTestRun): Promise<void> {
  const debug = new Debugger(run);
  await stepsBy(debug, () => debug.continue());
}

/** From the end to the start, one own step at a time. */
async function stepsBack(debug: Debugger): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  await debug.rewind(debug.run.steps.length - 1);
  all.push(seen(debug));
  while (debug.run.steps.length > 0) {
    await debug.stepBack();
    all.push(seen(debug));
  }
  return all;
}

function doesIn({ says }: SteppedProgram): Does {
  return ({ node, label }) => {
    const said = says[node.name] ?? [];
    const ordinal = Number(/#(\d+)/.exec(label)?.[1] ?? 1);
    const value = said[Math.min(ordinal, said.length) - 1];
    return typeof value === "object" && value !== null && "choice" in value
      ? decided(undefined, String(value.choice))
      : value;
  };
}
