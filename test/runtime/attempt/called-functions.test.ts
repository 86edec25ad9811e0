/** TypeScript functions that expressions and reducers call, in real runs. */
import { expect, onTestFinished, test, vi } from "vitest";
import { FailureError } from "../../../runtime/failure.ts";
import { scripted } from "../../../runtime/index.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { ofKind } from "../../support/run-graph.ts";
import { failureOf, runWith } from "../scoped-run.ts";

const graph = (lines: string, state = "a: string[] = [] via append") =>
  `graph G(n: int = 2) returns a { state { ${state} }\n${lines}\n}`;

const upper = (text: string) => text.toUpperCase();
const later = async (text: string) => `${text} later`;
const give = (...args: readonly unknown[]) => args.slice(0, -1).join(" ");

test.each<[string, string, object, readonly string[]]>([
  ["an argument", 'run x = give(upper("b")) writes a\nstart -> x', { upper }, ["B"]],
  [
    "an argument that is waited for",
    'run x = give(later("b")) writes a\nstart -> x',
    { later },
    ["b later"],
  ],
  [
    "what a node sets",
    'run x = give("b") writes a { set a = upper("c") }\nstart -> x',
    { upper },
    ["b", "C"],
  ],
  [
    "what an arrow sets",
    'run x = give("b") writes a\nstart -> x set a = upper("c")',
    { upper },
    ["C", "b"],
  ],
  ["a condition", 'run x = give("b") writes a\nstart -> x when far(n)', { far: () => false }, []],
  [
    "a choice",
    'run x = give("b") writes a\nrun y = give("c") writes a\nstart -> { far(n) -> x, else -> y }',
    { far: (n: number) => n > 5 },
    ["c"],
  ],
  [
    "the items of an each",
    "run x(w: string) = give(w) writes a\nstart -> each w of load(n) { x(w) }",
    { load: (n: number) => Array.from({ length: n }, (_, at) => `i${at}`) },
    ["i0", "i1"],
  ],
  [
    "a post-condition",
    'run x = give("b") writes a { ensure good(a) "bad" }\nstart -> x',
    { good: (a: string[]) => a.length === 1 },
    ["b"],
  ],
  [
    "an end",
    'run x = give("b") writes a\nend when done(a)\nlimit 9 steps\nstart -> x -> x',
    { done: (a: string[]) => a.length > 2 },
    ["b", "b", "b"],
  ],
  [
    "each item of a list",
    'run x = give(["p", "q"].map(t => upper(t)).join("")) writes a\nstart -> x',
    { upper },
    ["PQ"],
  ],
  [
    "a function of a group",
    'run x = give(text.upper("b")) writes a\nstart -> x',
    { text: { upper } },
    ["B"],
  ],
  ["a constant", "run x = give(WORD) writes a\nstart -> x", { WORD: "said" }, ["said"]],
  [
    "a constant of a group",
    "run x = give(words.first) writes a\nstart -> x",
    { words: { first: "one" } },
    ["one"],
  ],
  [
    "a method of a constant",
    'run x = give("b") writes a\nstart -> x when WORDS.includes("no")',
    { WORDS: ["yes"] },
    [],
  ],
])("%s may come from TypeScript", async (_, lines, scope, a) => {
  // Values that are no functions are known by their import alone.
  const imports = Object.keys(scope).join(", ");
  const text = `import { ${imports} } from "./ours.ts"\n${graph(lines)}`;
  const { run } = runWith(text, { give, ...scope });
  expect(await run.output).toEqual({ a });
});

test("a default calls before the first node, and says so where that fails", async () => {
  const text = graph(
    "run x = give(b) writes a\nstart -> x",
    'a: string[] = [] via append, b: string = upper("d")'.replace(", b", "\n b"),
  );
  expect(await runWith(text, { give, upper }).run.output).toEqual({ a: ["D"] });
  const failure = await failureOf(runWith(text, { give, upper: () => new Date() }));
  expect(failure).toMatchObject({ code: "M5341", class: "tool" });
  expect(failure.message).toBe(
    "before the first node: what `upper` returned is not JSON: a Date (cell:2:14)",
  );
});

test("a field hides what the scope offers by the same name, and nobody else's name", async () => {
  const text = graph(
    "run x = give(far) writes a\nstart -> x",
    'a: string = ""\n far: string = "field"',
  );
  expect(await runWith(text, { give, far: "scope" }).run.output).toEqual({ a: "field" });
  const imported = `import { far } from "./ours.ts"\n${text}`;
  expect(() => runWith(imported, { give, far: "scope" })).toThrow(
    /M2002 .*`far` is already an import/,
  );
});

const thrower = (thrown: unknown) => () => {
  throw thrown;
};

test.each<[string, (...args: never[]) => unknown, string]>([
  ["throws", thrower(new Error("no")), "M5340 `far` threw: no"],
  ["throws a text", thrower("no"), "M5340 `far` threw: no"],
  ["throws nothing", thrower(undefined), "M5340 `far` threw: undefined"],
  ["rejects", async () => Promise.reject(new Error("no")), "M5340 `far` threw: no"],
  ["gives a Map", () => new Map(), "M5341 what `far` returned is not JSON: a Map"],
  [
    "gives a cycle inside",
    () => ({ b: [cycle] }),
    "M5341 what `far` returned is not JSON: a cycle at `b[0].self`",
  ],
  ["gives a BigInt", () => [1n], "M5341 what `far` returned is not JSON: a BigInt at `[0]`"],
])("a function that %s fails the run, with its name and place", async (_, far, said) => {
  const text = graph('run x = give("b") writes a\nstart -> x\nx -> end when far(n)');
  const failure = await failureOf(runWith(text, { give, far }));
  expect(`${failure.code} ${failure.message}`).toBe(
    `${said.split(" ")[0]} behind \`x\`: ${said.split(" ").slice(1).join(" ")} (cell:4:15)`,
  );
});

const cycle: { self?: object } = {};
cycle.self = cycle;

test("a function that throws in a node's own expressions is tried again as the node says", async () => {
  let calls = 0;
  const flaky = (a: readonly string[]) => {
    calls += 1;
    if (calls < 3) throw new Error("not yet");
    return a.length === 1;
  };
  const text = graph(
    'run x = give("b") writes a { ensure flaky(a) "bad"; retry 2 on tool }\nstart -> x',
  );
  const { run } = runWith(text, { give, flaky });
  expect(await run.output).toEqual({ a: ["b"] });
  expect(calls).toBe(3);
});

test("an aborted run waits for no function, and the rest of the run for none either", async () => {
  const never = () => new Promise(() => {});
  const text = graph(
    'run x = give("b") writes a\nrun y = give("c") writes a\nstart -> [x, y]\nx -> end when never()',
  );
  const { run } = runWith(text, { give, never });
  for await (const { node } of run) {
    expect(node).toBe("y");
    void run.abort();
  }
  expect([run.status, run.state]).toEqual(["aborted", { a: ["c"] }]);
});

test("a function sees the same frozen values each time, and what it changes of them throws", async () => {
  const text = graph(
    'run x = give("b") writes a\nrun y = give("c") writes a\nstart -> x -> y when meddle(a)',
  );
  const meddle = (a: string[]) => a.push("mine") > 0;
  const failure = await failureOf(runWith(text, { give, meddle }));
  expect(failure.message).toContain("`meddle` threw: Cannot add property 1");
});

test("the log has what functions came to: folding it calls nobody", async () => {
  const text = graph(
    "run x(w: string) = give(w) writes a\nstart -> each w of load(n) { x(w) }",
    "a: string[] = [] via shortest",
  );
  let calls = 0;
  const shortest = (before: readonly string[], value: readonly string[]) => {
    calls += 1;
    return [...before, ...value].toSorted();
  };
  const load = () => ["r", "q", "p"];
  const list = (w: string) => [w];
  const { run, records, ir } = runWith(text, { give: list, load, shortest });
  expect(await run.output).toEqual({ a: ["p", "q", "r"] });
  const made = calls;
  const program = link(ir);
  expect(shownState(program, foldLog(program, records()))).toEqual(run.state);
  expect(calls).toBe(made);
  expect(records()[0]?.calls).toMatchObject([
    { name: "load", key: "load(2)", value: ["r", "q", "p"] },
  ]);
});

test("a run that went on serves a prompt's calls from the log", async () => {
  let calls = 0;
  const told = () => {
    calls += 1;
    return `told ${calls}`;
  };
  let fails = true;
  const text = graph("run x = give(told()) writes a\nstart -> x");
  const waiting = async (
    word: string,
    ctx: { step<T>(name: string, work: () => T): Promise<T> },
  ) => {
    const kept = await ctx.step("kept", () => word);
    if (fails) throw new FailureError({ class: "aborted", code: "M8111", message: "cut off" });
    return kept;
  };
  const { run, records } = runWith(text, { give: waiting, told });
  await run.output.catch(() => {});
  fails = false;
  expect(ofKind(records(), "outcome")[0]).toMatchObject({ effect: "function", name: "told" });
  await run.resume();
  expect(await run.output).toEqual({ a: ["told 2"] });
});

test("`run.now` is the time of the decision, and in a node's own expressions a journalled effect", async () => {
  const text = graph(
    "run x = give(`${run.now}`) writes a { set a = `${run.now}` }\nstart -> x when run.now > 0",
  );
  const { run, records } = runWith(text, { give });
  const { a } = (await run.output) as { a: readonly [string, string] };
  expect(ofKind(records(), "outcome")[0]).toMatchObject({ effect: "clock", name: "run.now" });
  expect(ofKind(records(), "commit")[0]?.at).toBe(Number(a[1]));
});

test("M130 a prompt carries the date, and a replay on another day says the same", async () => {
  const text = `model m = "scripted"
graph G() returns a {
  state { a: string = "" }
  agent x { model m; system \`Today is \${run.date}.\`; prompt \`Go.\`; writes a }
  start -> x -> end
}`;
  const { run, records } = runWith(text, {}, { models: { m: scripted(["done"]) } });
  await run.output;
  const asked = () => ofKind(records(), "intent").find(({ effect }) => effect === "model")?.request;
  const at = ofKind(records(), "outcome")[0]?.value as { readonly value: number };
  const date = new Date(at.value).toISOString().slice(0, 10);
  expect(JSON.stringify(asked())).toContain(`Today is ${date}.`);
  vi.useFakeTimers({ toFake: ["Date"], now: at.value + 3 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(run.replay()).toMatchObject({ ok: true, status: "succeeded", state: { a: "done" } });
});

test.each([
  ["start -> x when farr(n)", { far: () => true }, "M8303 nothing in the scope is called `farr`"],
  ["start -> x", {}, "M8303 nothing in the scope is called `ours`"],
])("what is not there is told before the run starts: %s", (flow, scope, said) => {
  const state = said.includes("ours") ? "a: string[] = [] via ours" : "a: string[] = [] via append";
  const text = graph(`run x = give("b") writes a\n${flow}`, state);
  expect(() => runWith(text, { give, ...scope }, { unchecked: true })).toThrow(said.slice(6));
});

test("L13 a replay decides with what functions came to, and calls none", async () => {
  const text = graph(
    'run x(w: string) = give(upper(w)) writes a { ensure good(a) "bad" }\nstart -> each w of load(n) { x(w) }',
    "a: string[] = [] via shortest",
  );
  let calls = 0;
  const counted =
    <A extends readonly unknown[], R>(work: (...args: A) => R) =>
    (...args: A) => {
      calls += 1;
      return work(...args);
    };
  const { run } = runWith(text, {
    give: (w: string) => [w],
    upper: counted(upper),
    good: counted((a: string[]) => a.length > 0),
    load: counted((n: number) => ["r", "q", "p"].slice(0, n)),
    shortest: counted((a: string[], b: string[]) => [...a, ...b].toSorted()),
  });
  expect(await run.output).toEqual({ a: ["Q", "R"] });
  const made = calls;
  expect(run.replay()).toMatchObject({ ok: true, status: "succeeded", state: { a: ["Q", "R"] } });
  expect(calls).toBe(made);
});
