/** A debugger over one run: steps in, over, out and back, frames, scopes, expressions. */
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { Debugger } from "../../../runtime/debug/debugger.ts";
import { type Breakpoint, rules, Session } from "../../../runtime/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { temporaryFolder } from "../../support/child.ts";
import { type DrivenOptions, drive } from "../driven-run.ts";

const TEXT = `model m = "rules"
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`Begin \${topic}.\`; writes notes }
  graph go = Search(topic) writes notes
  agent last { model m; prompt \`End \${notes}.\`; writes notes }
  limit 40 steps
  start -> first -> go -> last
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found; tell read }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}`;

const OPTIONS: DrivenOptions = { input: { topic: "x" }, does: ({ node }) => node.name };

/** What was committed last, with the way to its graph. */
function lastOf({ run }: Debugger): string {
  const last = run.position.walked.at(-1);
  return last === undefined ? "start" : [...(last.path ?? []), last.node].join(" ");
}

describe("steps", () => {
  test("go in, over and out of called graphs", async () => {
    const debug = new Debugger(drive(TEXT, OPTIONS).run);
    const seen: string[] = [];
    const moved = async (move: () => Promise<unknown>) => {
      await move();
      seen.push(`${lastOf(debug)} (${debug.depth})`);
    };
    await moved(() => debug.stepOver());
    await moved(() => debug.stepIn());
    await moved(() => debug.stepOut());
    await moved(() => debug.stepBack());
    await moved(() => debug.stepOver());
    await moved(() => debug.stepOut());
    expect(seen).toEqual([
      "first (0)",
      "go#1 search (1)",
      "go (0)",
      "first (0)",
      "go (0)",
      "last (0)",
    ]);
    expect(debug.stop).toEqual({ kind: "end", status: "succeeded" });
  });

  test("over a call are held by a breakpoint inside of it", async () => {
    const debug = new Debugger(drive(TEXT, OPTIONS).run);
    const id = debug.setBreakpoint("go/read");
    await debug.stepOver();
    expect(await debug.stepOver()).toMatchObject({ kind: "breakpoint", node: "go/read" });
    expect(debug.removeBreakpoint(id)).toBe(true);
    expect(debug.removeBreakpoint(id)).toBe(false);
    expect([lastOf(debug), debug.depth]).toEqual(["go#1 search", 1]);
    expect(await debug.stepOut()).toEqual({ kind: "pause", reason: "step" });
    expect(lastOf(debug)).toBe("go");
  });

  test("run to a step of the run's own, forth and back", async () => {
    const debug = new Debugger(drive(TEXT, OPTIONS).run);
    await debug.runTo(2);
    expect(lastOf(debug)).toBe("go");
    await debug.runTo(1);
    expect([lastOf(debug), debug.run.state]).toEqual(["first", { notes: ["first"] }]);
    expect(await debug.runTo(9)).toEqual({ kind: "end", status: "succeeded" });
  });
});

test("frames lead from the node over the calls to the run, each at its line", async () => {
  const debug = new Debugger(drive(TEXT, OPTIONS).run);
  expect(debug.frames.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["run Parent"]);
  debug.setBreakpoint("go/read");
  await debug.continue();
  const frames = debug.frames.map(({ id, kind, name, at }) => `${id} ${kind} ${name} :${at?.line}`);
  expect(frames).toEqual(["0 node read#1 :13", "1 graph Search (go#1) :10", "2 run Parent :2"]);
  expect(debug.values("State")).toEqual({ topic: "x", found: ["search"] });
  expect(debug.values("State", 2)).toEqual({ topic: "x", notes: ["first"] });
  expect(debug.values("Last changes")).toEqual({ "found[0]": "search" });
  expect(debug.values("Inbox")).toMatchObject({ 0: { sender: "search", payload: "search" } });
  expect(debug.values("Limits", 2)).toMatchObject({ limit: { steps: 40 }, used: { steps: 1 } });
});

test("at an arrow the innermost frame is at where it leads in the text", async () => {
  const debug = new Debugger(drive(TEXT, OPTIONS).run);
  debug.setBreakpoint({ edge: "go/search -> read" });
  debug.setBreakpoint({ edge: "start -> first" });
  const seen: string[] = [];
  while ((await debug.continue()).kind === "breakpoint") {
    seen.push(...debug.frames.map(({ name, at }) => `${name} ${at?.line}:${at?.column}`));
  }
  expect(seen).toEqual([
    ...["first#1 8:12", "Parent 2:1"],
    ...["search 14:22", "Search (go#1) 10:1", "Parent 2:1"],
  ]);
});

test("an argument of a node has no value where that node does not run, instead of counting as NaN", async () => {
  const text = `graph Slow(ns: number[]) returns out {
    state { out: number[] = [] via append }
    run work(n: number) = work(n) writes out
    start -> each item of ns { work(item) } -> end
  }`;
  const debug = new Debugger(drive(text, { input: { ns: [7] } }).run);
  debug.setBreakpoint("work");
  await debug.continue();
  expect(debug.evaluate("n * 100")).toBe(700);
  await debug.continue();
  for (const expression of ["n * 100", "n"]) {
    expect(() => debug.evaluate(expression)).toThrow(
      expect.objectContaining({
        code: "M5011",
        message: `\`${expression}\` has no value here: \`n\` is known only while \`work\` runs`,
      }),
    );
  }
});

test("arithmetic with a field that is not written yet says so, instead of NaN", async () => {
  const text = `graph Sum(base: number) returns total {
    state { total: number }
    run add = add(base) writes total
    start -> add -> end
  }`;
  const debug = new Debugger(drive(text, { input: { base: 1 } }).run);
  debug.setBreakpoint("add");
  await debug.continue();
  expect(debug.evaluate("total")).toBe(undefined);
  expect(() => debug.evaluate("total * base")).toThrow("`total` is not known here");
});

const expressions: readonly (readonly [string, number, unknown])[] = [
  ["found.length", 0, 1],
  ["inbox.length > 0 && topic == 'x'", 0, true],
  ["state", 1, { topic: "x", found: ["search"] }],
  ["notes", 2, ["first"]],
  ["{ all: notes, n: run.steps }", 2, { all: ["first"], n: 1 }],
];

test.each(expressions)("`%s` in frame %i", async (text, frame, value) => {
  const debug = new Debugger(drive(TEXT, OPTIONS).run);
  debug.setBreakpoint("go/read");
  await debug.continue();
  expect(debug.evaluate(text, frame)).toEqual(value);
});

test.each([
  ["fund.length", 0, "M5450", "`Search` has nothing named `fund`"],
  ["found[", 0, "M5450", "can't be read"],
  ["found.nothing.more", 0, "M5011", "no value here"],
  ["notes", 7, "M5451", "no frame 7"],
] as const)("`%s` in frame %i is refused", async (text, frame, code, message) => {
  const debug = new Debugger(drive(TEXT, OPTIONS).run);
  debug.setBreakpoint("go/read");
  await debug.continue();
  const evaluate = () => debug.evaluate(text, frame);
  expect(evaluate).toThrow(message);
  expect(evaluate).toThrow(expect.objectContaining({ code }));
});

test("whoever debugs a run changes nothing of what it comes to, and comes back to each state", async () => {
  const kinds = fc.constantFrom(...Object.keys(moves));
  const drawn = fc.array(kinds, { minLength: 1, maxLength: 30 });
  const property = fc.asyncProperty(arbitraryGraph(), drawn, async (text, made) => {
    const plain = drive(text, { goal: "end" });
    await plain.run.settled();
    const { run } = drive(text);
    const debug = new Debugger(run);
    await debug.rewind(0);
    const states = new Map<number, unknown>([[0, run.state]]);
    for (const move of made) {
      if (run.status === "succeeded" || run.status === "failed") break;
      await moves[move]?.(debug);
      const { length } = run.steps;
      if (debug.depth > 0 || run.status !== "paused") continue;
      if (states.has(length)) expect(run.state).toEqual(states.get(length));
      states.set(length, run.state);
    }
    debug.clearBreakpoints();
    if (run.status === "paused") await debug.continue();
    expect(run.status).toBe(plain.run.status);
    // What a failed one had done by then depends on when it failed.
    if (run.status !== "failed") expect(run.state).toEqual(plain.run.state);
  });
  await fc.assert(property, { numRuns: 80 });
});

/** Everything that one can do with a run but change it. */
const moves: Readonly<Record<string, (debug: Debugger) => unknown>> = {
  in: (debug) => debug.stepIn(),
  over: (debug) => debug.stepOver(),
  out: (debug) => debug.stepOut(),
  on: (debug) => debug.continue(),
  back: (debug) => (debug.run.steps.length > 0 ? debug.stepBack() : undefined),
  "to the middle": (debug) => debug.runTo(Math.floor(debug.run.steps.length / 2)),
  "two further": (debug) => debug.runTo(debug.run.steps.length + 2),
  pause: (debug) => debug.pause(),
  before: (debug) => debug.setBreakpoint(nodeOf(debug)),
  after: (debug) => debug.setBreakpoint({ node: nodeOf(debug), when: "after", hits: 2 }),
  edge: (debug) => debug.setBreakpoint(edgeOf(debug)),
  watch: (debug) => debug.setBreakpoint({ watch: fieldOf(debug) }),
  "watch a part": (debug) => debug.setBreakpoint({ watch: "log[0]", if: "log.length > 1" }),
  error: (debug) => debug.setBreakpoint({ on: "error" }),
  limit: (debug) => debug.setBreakpoint({ on: "limit", hits: 2 }),
  tool: (debug) => debug.setBreakpoint({ on: "tool", node: nodeOf(debug) }),
  message: (debug) => debug.setBreakpoint({ on: "message" }),
  question: (debug) => debug.setBreakpoint({ on: "question" }),
  approval: (debug) => debug.setBreakpoint({ on: "approval" }),
  cost: (debug) => debug.setBreakpoint({ costAbove: 0 }),
  "take one back": (debug) => debug.removeBreakpoint(debug.breakpoints[0]?.id ?? 0),
  look: (debug) =>
    debug.frames.map(({ id }) => [debug.values("State", id), debug.values("Inbox", id)]),
  evaluate: (debug) => debug.evaluate("state"),
};

/** Another one at each step. */
function nodeOf({ run }: Debugger): string {
  return run.ir.nodes[run.steps.length % run.ir.nodes.length]?.name ?? "";
}

function fieldOf({ run }: Debugger): string {
  return run.ir.fields[run.steps.length % run.ir.fields.length]?.name ?? "";
}

/** An arrow that the graph has. */
function edgeOf(debug: Debugger): Breakpoint {
  const arrows = debug.run.ir.edges.flatMap(({ from, route }) => {
    if (from.kind !== "any" || route.kind !== "to") return [];
    return from.nodes.flatMap((node) => route.targets.map((to) => `${node} -> ${to.node}`));
  });
  const edge = arrows[debug.run.steps.length % Math.max(1, arrows.length)];
  return edge === undefined ? nodeOf(debug) : { edge };
}

test("a fork is held at its step with the same breakpoints, and leaves the other run as it is", async () => {
  const session = new Session({ cwd: temporaryFolder(), env: {}, name: "debug" });
  onTestFinished(() => session.close());
  const { Parent } = session.compile(TEXT);
  const models = { m: rules(() => "said") };
  const debug = new Debugger(Parent?.debug({ topic: "x" }, { models }) ?? { id: "" });
  debug.setBreakpoint("last");
  await debug.continue();
  const branch = debug.fork(1, { notes: ["mine"] });
  expect(await branch.continue()).toMatchObject({ kind: "breakpoint", node: "last" });
  expect(branch.run.state).toEqual({ notes: ["mine", "said", "said"] });
  expect([debug.run.status, debug.run.state]).toEqual([
    "paused",
    { notes: ["said", "said", "said"] },
  ]);
});

test("what is no run is refused", () => {
  expect(() => new Debugger({ id: "x" })).toThrow(expect.objectContaining({ code: "M5455" }));
});
