/** Breakpoints beyond a node's: conditions, counts, arrows, watched fields, what happens, what it costs. */
import { expect, test } from "vitest";
import type { Breakpoint } from "../../../runtime/breakpoints/breakpoint-types.ts";
import { FailureError } from "../../../runtime/failure.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { type Does, drive, gate } from "../driven-run.ts";

const loop = `graph Loop(n: int = 4) returns log, plan {
  state {
    log: string[] = [] via append
    plan: { steps: string[], note: string } = { steps: [], note: "" }
    count: int = 0
  }
  run a = f() writes log { set count = count + 1 }
  run b = g() writes plan
  run c = h() writes log
  start -> a -> { count < n -> a max 9, else -> [b, c] } -> end
}`;

const does: Does = ({ node: { name } }) => (name === "b" ? { steps: ["x"], note: "done" } : [name]);

/** Where a run stops on its way to its end, in short. */
async function stopsOf(run: DrivenRun, most = 12): Promise<readonly string[]> {
  const stops: string[] = [];
  for (let stop = await run.continue(); stops.length < most; stop = await run.continue()) {
    if (stop.kind === "end") return [...stops, stop.status];
    if (stop.kind !== "breakpoint") return [...stops, stop.kind];
    const by = stop.by === undefined ? "" : ` (${stop.by})`;
    stops.push(`${stop.when} ${stop.node} at ${run.steps.length}${by}`);
  }
  return stops;
}

const table: readonly (readonly [name: string, Breakpoint, readonly string[]])[] = [
  ["a condition", { node: "a", if: "log.length == 2" }, ["before a at 2", "succeeded"]],
  [
    "a condition behind a node, about its result",
    { node: "a", when: "after", if: "result.length == 1 && count > 3" },
    ["after a at 4", "succeeded"],
  ],
  [
    "the third time and those that follow",
    { node: "a", hits: 3 },
    ["before a at 2", "before a at 3", "succeeded"],
  ],
  [
    "how often a node has run, and the round it is in",
    { node: "a", if: "visits(a) == 1 || round(a) == 4" },
    ["before a at 1", "before a at 3", "succeeded"],
  ],
  [
    "both: of the times that the condition holds, the second",
    { node: "a", if: "count >= 1", hits: 3 },
    ["before a at 3", "succeeded"],
  ],
  ["an arrow", { edge: "a -> b" }, ["after a at 4 (edge a -> b)", "succeeded"]],
  [
    "an arrow back, each time that it is gone",
    { edge: "a->a", if: "count > 1" },
    ["after a at 2 (edge a -> a)", "after a at 3 (edge a -> a)", "succeeded"],
  ],
  ["an arrow to the end", { edge: "c -> end" }, []],
  ["a field", { watch: "count", if: "count == 3" }, ["after a at 3 (watch count)", "succeeded"]],
  [
    "a part of a field",
    { watch: "plan.steps[0]" },
    ["after b at 5 (watch plan.steps[0])", "succeeded"],
  ],
];

test.each(table)("a run is held by %s", async (_, breakpoint, stops) => {
  const { run } = drive(loop, { does, goal: "begin" });
  run.setBreakpoint(breakpoint);
  const found = await stopsOf(run);
  if (stops.length > 0) expect(found).toEqual(stops);
  else expect(found.at(-1)).toBe("succeeded");
});

const flows = `graph Flows(xs: string[], n: int = 0) returns log {
  state { log: string[] = [] via append }
  run a = f() writes log
  run b = g() writes log
  run c = h() writes log
  run d = k() writes log
  start -> { n > 0 -> b, else -> a } -> each x of xs { c } -> d -> end
  b -> a on error
}`;

test.each([
  ["start -> a", {}, ["before a at 0 (edge start -> a)", "succeeded"]],
  ["start -> b", {}, ["succeeded"]],
  // It was not the start that led there.
  ["start -> a", { n: 1 }, ["succeeded"]],
  ["b -> a", { n: 1 }, ["after b at 0 (edge b -> a)", "succeeded"]],
  ["a -> c", {}, ["after a at 1 (edge a -> c)", "succeeded"]],
  ["c -> d", {}, ["after c at 3 (edge c -> d)", "succeeded"]],
  ["a -> d", {}, ["succeeded"]],
  ["a -> d", { xs: [] }, ["after a at 1 (edge a -> d)", "succeeded"]],
] as const)("the arrow `%s` with %j", async (edge, given, stops) => {
  const fails: Does = ({ node: { name } }) => {
    if (name !== "b") return [name];
    throw new FailureError({ class: "tool", code: "M8301", message: "no paper" });
  };
  const { run } = drive(flows, { does: fails, input: { xs: ["1", "2"], ...given } });
  run.setBreakpoint({ edge });
  expect(await stopsOf(run)).toEqual(stops);
});

test("an arrow from the start of a graph that is called", async () => {
  const { run } = drive(
    `graph Outer() returns log {
      state { log: string[] = [] via append }
      run a = f() writes log
      graph go = Inner() writes log
      start -> a -> go -> end
    }
    graph Inner() returns log {
      state { log: string[] = [] via append }
      run a = f() writes log
      start -> [a] -> each x of ["1"] { a2 } -> end
      run a2 = f() writes log
    }`,
    { does: ({ node: { name } }) => [name] },
  );
  run.setBreakpoint({ edge: "go/start -> a", if: "log.length == 0" });
  expect(await stopsOf(run)).toEqual(["before go/a at 1 (edge go/start -> a)", "succeeded"]);
});

test("a failure holds the run before anything is decided on it: what is wrong is put right, and it goes on", async () => {
  let isBroken = true;
  const { run, performed } = drive(loop, {
    does: (attempt, context) => {
      if (attempt.node.name === "b" && isBroken)
        throw new FailureError({ class: "tool", code: "M8301", message: "no paper" });
      return does(attempt, context);
    },
  });
  run.setBreakpoint({ on: "error" });
  expect(await run.continue()).toMatchObject({ kind: "breakpoint", node: "b", by: "error" });
  expect([run.status, run.failure]).toEqual(["paused", undefined]);
  isBroken = false;
  await run.rewind(4);
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(performed.filter((label) => label.startsWith("b"))).toHaveLength(2);
});

test("a deadline that rings holds the run behind it, where the run goes on", async () => {
  const slow = gate(["slow"]);
  const { run, clock } = drive(
    `graph Late() returns log {
      state { log: string[] = [] via append }
      run slow = f() writes log { limit 1s }
      run after = g() writes log
      start -> slow -> after
      slow -> after on limit
    }`,
    { does: ({ node: { name } }, { signal }) => (name === "slow" ? slow.pass(signal) : [name]) },
  );
  run.setBreakpoint({ on: "limit" });
  const stop = run.continue();
  await slow.entered;
  await clock.advance(1_000);
  expect(await stop).toMatchObject({ kind: "breakpoint", node: "slow", by: "limit" });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(run.state).toEqual({ log: ["after"] });
});

test("a count of failures counts each of them once", async () => {
  const { run } = drive(
    `graph Tries() returns log {
      state { log: string[] = [] via append }
      run a = f() writes log { retry 3 }
      start -> a
    }`,
    {
      does: ({ attempt }) => {
        if (attempt < 4) throw new FailureError({ class: "tool", code: "M8301", message: "no" });
        return ["a"];
      },
    },
  );
  run.setBreakpoint({ on: "error", hits: 2 });
  expect(await run.continue()).toMatchObject({ by: "error", attempt: 2 });
  expect(await run.continue()).toMatchObject({ by: "error", attempt: 3 });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
});

test("a failure that is let go is decided as if nobody had looked", async () => {
  const { run } = drive(loop, {
    does: ({ node: { name } }) => {
      if (name === "a") throw new FailureError({ class: "tool", code: "M8301", message: "no" });
      return [name];
    },
  });
  run.setBreakpoint({ on: "error" });
  expect(await stopsOf(run)).toEqual(["after a at 0 (error)", "failed"]);
  expect(run.failure).toMatchObject({ code: "M8301" });
});

const calling = `graph Calling() returns log {
  state { log: string[] = [] via append }
  run a = f() writes log { tell b }
  run b = g() writes log
  start -> a -> b -> end
}`;

test("a tool's call, a question, a message, a price hold the run where they come", async () => {
  const calls: string[] = [];
  const { run } = drive(calling, {
    does: async ({ node: { name } }, { effect, ask }) => {
      const perform = () => {
        calls.push(name);
        return Promise.resolve({ value: name, usage: { ...noUsage, modelCalls: 1, costUsd: 0.4 } });
      };
      const request = {};
      await effect({ effect: "tool", name: `look_${name}`, external: false, request, perform });
      if (name === "b") await ask({ ask: "approval", question: "go on?" });
      return [name];
    },
  });
  for (const breakpoint of [
    { on: "tool", name: "look_b" },
    { on: "message" },
    { on: "approval" },
    { costAbove: 0.5 },
  ] as const) {
    run.setBreakpoint(breakpoint);
  }
  expect(await run.continue()).toMatchObject({ node: "a", when: "after", by: "message" });
  expect(await run.continue()).toMatchObject({ node: "b", when: "before", by: "tool look_b" });
  expect(calls).toEqual(["a"]);
  expect(await run.continue()).toMatchObject({ node: "b", by: "cost above $0.5" });
  expect(calls).toEqual(["a", "b"]);
  expect(await run.continue()).toMatchObject({ node: "b", by: "approval" });
  const [question] = run.interrupts;
  await run.answer(question?.id ?? "", { kind: "approve" });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
});

const unsure = `graph Unsure() returns log {
  state {
    log: string[] = [] via append
    plan?: { steps: string[] }
  }
  run a = f() writes log
  run b = g() writes log
  break before b when plan.steps.length > 1
  start -> a -> b -> { log.length < 4 -> a max 9, else -> end }
}`;

const unanswered: readonly (readonly [Breakpoint | undefined, string])[] = [
  [undefined, "breakpoint before `b` has no answer at b#1, behind step 1: "],
  [{ node: "a", if: "plan.steps.length > 1" }, "before `a` has no answer at a#1, behind step 0: "],
  [{ node: "a", if: "plan" }, "it has no value yet (`plan`:1:1)"],
  [{ node: "a", if: "log.length" }, "it is 0, which is neither true nor false (`log.length`:1:1)"],
  [{ node: "a", if: "log.length > 0 ? log[7].length > 1 : false" }, "behind step 2: "],
  [{ edge: "a -> b", if: "result[9].x" }, "edge a -> b has no answer at a#1, behind step 1: "],
];

test.each(unanswered)(
  "a condition without an answer holds nobody and is told once: %j",
  async (breakpoint, message) => {
    const { run } = drive(unsure, { does: ({ node: { name } }) => [name] });
    if (breakpoint !== undefined) {
      run.goPastBreaks();
      run.setBreakpoint(breakpoint);
    }
    const told: string[] = [];
    const stop = run.watchWarnings((warning) => told.push(warning.message));
    expect(await stopsOf(run)).toEqual(["succeeded"]);
    stop();
    expect(told).toEqual([expect.stringContaining(message)]);
    expect(run.breakpointWarnings).toMatchObject([{ code: "M5458", message: told[0] }]);
  },
);

test("of a condition that the graph writes the place in its text is told", async () => {
  const { run } = drive(unsure, { does: ({ node: { name } }) => [name] });
  await stopsOf(run);
  expect(run.breakpointWarnings[0]?.message).toMatch(/:8:23\)$/);
});

const bad: readonly (readonly [Breakpoint, string, string])[] = [
  [{ node: "a", if: "lgo.length" }, "M5450", "did you mean `log`?"],
  [{ node: "a", if: "1 +" }, "M5450", ""],
  [{ node: "a", hits: 0 }, "M5450", "a whole number"],
  [{ edge: "a -> z" }, "M5003", "arrows lead to a, b, c"],
  [{ edge: "start -> b" }, "M5003", "arrows lead to a"],
  [{ edge: "z/start -> b" }, "M5003", "its nodes: a, b, c"],
  [{ edge: "a" }, "M5450", "write `a -> b`"],
  [{ watch: "pln.steps" }, "M5003", "did you mean `plan`?"],
  [{ watch: "plan..x" }, "M5450", "plan.steps[2].title"],
  [{ on: "nothing" as "error" }, "M5450", "one of error"],
  [{ on: "tool", node: "z" }, "M5003", "its nodes: a, b, c"],
  [{ costAbove: -1 }, "M5450", "in dollars"],
];

test.each(bad)("what can't be meant is refused: %j", (breakpoint, code, hint) => {
  const { run } = drive(loop, { does });
  const error = (() => {
    try {
      run.setBreakpoint(breakpoint);
      return undefined;
    } catch (thrown) {
      return thrown as { code: string; hint?: string };
    }
  })();
  expect(error?.code).toBe(code);
  expect(error?.hint ?? "").toContain(hint);
});
