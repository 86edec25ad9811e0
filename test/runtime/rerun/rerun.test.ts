/** A run again after an edit: what is unchanged is served from the log, what follows from the edit is performed. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type DrivenRun, type Scope, Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

vi.setConfig({ testTimeout: 60_000 });

const SUM = (
  edge = "start -> first -> second -> add -> end",
) => `graph Sum(base: int) returns total {
  state {
    one: int = 0
    two: int = 0
    total: int = 0
  }
  run first = first(base) writes one
  run second = second(one) writes two
  run add = add(one, two) writes total
  ${edge}
}`;

let calls: string[] = [];
const SCOPE = {
  first: (base: number) => {
    calls.push("first");
    return base + 1;
  },
  second: (one: number) => {
    calls.push("second");
    return one * 2;
  },
  add: (one: number, two: number) => {
    calls.push("add");
    return one + two;
  },
};

function opened(scope: Scope = SCOPE, text = SUM()) {
  const session = new Session({ cwd: temporaryFolder(), env: {}, name: "rerun" });
  onTestFinished(() => session.close());
  calls = [];
  const compiled = (of: string, names: Scope = scope) => {
    const [graph] = Object.values(session.compile(of, { scope: names }));
    if (graph === undefined) throw new Error("no graph");
    return graph;
  };
  return { session, graph: compiled(text), compiled };
}

test("A run again without an edit calls nothing, and comes to the same", async () => {
  const { graph } = opened();
  const run = graph.run({ base: 1 });
  expect(await run.output).toEqual({ total: 6 });
  expect(calls).toEqual(["first", "second", "add"]);
  const plan = await graph.rerun(run);
  expect(calls).toHaveLength(3);
  expect(plan.performs).toEqual([]);
  expect(plan.saves.sure.nodeRuns).toBe(3);
  const again = plan.run();
  expect(await again.output).toEqual({ total: 6 });
  expect(again.state).toEqual(run.state);
  expect(calls).toHaveLength(3);
  expect(again.id).not.toBe(run.id);
  expect((again as unknown as DrivenRun).replay()).toMatchObject({ ok: true });
});

/** Functions as a cell's or a file's code has them: what they name is looked up where they are called. */
function declared(code: Readonly<Record<string, string>>): Scope {
  const scope: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(code)) {
    scope[name] = new Function("exports", `with (exports) { return (${text}); }`)(scope);
  }
  return scope;
}

const DECLARED = {
  first: "(base) => base + 1",
  second: "(one) => { const result = (0, exports.twice)(one); return result; }",
  add: "(one, two = three) => one + two + limits.of.least.least",
  twice: "(n) => times(n, 2)",
  times: "(n, by) => n * by * exports.unit",
  unit: "1",
  limits: "({ of: { least: { least: 0 } } })",
  three: "3",
  result: "7",
  helpers: "({ half: (n) => n / 2, note: 'x' })",
};

const edits: readonly (readonly [Partial<typeof DECLARED> & object, readonly string[]])[] = [
  [{}, []],
  [{ twice: "(n) => times(n, 3)" }, ["second"]],
  // Two calls away, and what that one reads.
  [{ times: "(n, by) => by * n * exports.unit" }, ["second"]],
  [{ unit: "10" }, ["second"]],
  [{ limits: "({ of: { least: { least: 5 } } })" }, ["add"]],
  [{ three: "4" }, ["add"]],
  // Nobody names it: what `second` calls so is a variable of its own.
  [{ result: "8" }, []],
  [{ helpers: "({ half: (n) => n / 4, note: 'x' })" }, []],
];

test.each(edits)(
  "what functions name in turn is part of them: after %j",
  async (edit, performed) => {
    const { graph, compiled } = opened(declared(DECLARED));
    const run = graph.run({ base: 1 });
    expect(await run.output).toEqual({ total: 6 });
    const scope = declared({ ...DECLARED, ...edit });
    const edited = compiled(SUM(), scope);
    const plan = await edited.rerun(run);
    expect(plan.performs.map(({ node }) => node)).toEqual(performed);
    const anew = edited.run({ base: 1 });
    expect(await plan.run().output).toEqual(await anew.output);
  },
);

test("a function that names itself or goes in a ring has a hash, and what lives is no part of it", async () => {
  const ring = {
    ...DECLARED,
    second: "(one) => (one > 0 ? other(one) : second(one, clients))",
    other: "(n) => (n < 0 ? second(n) : n * 2)",
    clients: "new Map()",
  };
  const scope = declared(ring) as { readonly clients: Map<string, number> };
  const { graph } = opened(scope);
  const run = graph.run({ base: 1 });
  await run.output;
  scope.clients.set("one", 1);
  expect((await graph.rerun(run)).performs).toEqual([]);
});

test.each([
  ["few values", "[0, ...new Array(9_000).fill(1)]", []],
  ["too many to look through", "[0, ...new Array(10_001).fill(1)]", ["add"]],
  ["too long a text to look through", '["x".repeat(1_000_000)]', ["add"]],
])(
  "of data that a function names, %s: what is performed again without a change",
  async (_, data, performed) => {
    const big = { ...DECLARED, add: "(one, two) => one + two + data.length * 0", data };
    const { graph } = opened(declared(big));
    const run = graph.run({ base: 1 });
    await run.output;
    expect((await graph.rerun(run)).performs.map(({ node }) => node)).toEqual(performed);
  },
);

test("only what is downstream of another function is called", async () => {
  const { graph, compiled } = opened();
  const run = graph.run({ base: 1 });
  await run.output;
  calls = [];
  const second = (one: number) => {
    calls.push("second");
    return one * 3;
  };
  const edited = compiled(SUM(), { ...SCOPE, second });
  const plan = await edited.rerun(run);
  expect(calls).toEqual([]);
  expect(plan.performs).toEqual([
    { node: "second", label: "second#1", why: ["function `second`: code changed"] },
  ]);
  expect([plan.saves.sure.nodeRuns, plan.saves.maybe.nodeRuns]).toEqual([1, 1]);
  expect(await plan.run().output).toEqual({ total: 8 });
  expect(calls).toEqual(["second", "add"]);
});
