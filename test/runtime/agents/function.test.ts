import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../dsl/index.ts";
import { createFunctionPerformer } from "../../../runtime/agents/functions/function.ts";
import type { FunctionContext } from "../../../runtime/agents/functions/function-context.ts";
import type { Scope } from "../../../runtime/agents/scope/scope.ts";
import { attemptOf, type FakeContext, failureOf, fakeContext, stillClock } from "./fake-context.ts";

interface Call {
  readonly callee?: string;
  readonly args?: readonly unknown[];
  readonly output?: JsonSchema;
  readonly context?: FakeContext;
}

function run(
  scope: Scope,
  { callee = "f", args = [], output, context = fakeContext() }: Call = {},
) {
  let draws = 0;
  const performer = createFunctionPerformer({
    scope: () => scope,
    clock: stillClock(5000),
    random: () => ++draws / 10,
  });
  const node = {
    name: "check",
    kind: "run",
    call: { callee: callee.split("."), args: [] },
    writes: output === undefined ? [] : [{ field: "passed", optional: false }],
    ...(output === undefined ? {} : { output }),
  } as const;
  return performer.perform(attemptOf(node, { callArgs: args }), context);
}

test("a function gets the node's arguments, then its context", async () => {
  const names = ["artifact", "ask", "inbox", "now", "random", "signal", "step"];
  const f = (a: number, b: string, ctx: FunctionContext) => [
    a,
    b,
    names.filter((name) => name in ctx),
  ];
  expect(await run({ f }, { args: [1, "x"] })).toEqual([1, "x", names]);
});

test("a function of a group keeps its group", async () => {
  const tests = {
    base: 2,
    f(n: number) {
      return this.base + n;
    },
  };
  expect(await run({ tests }, { callee: "tests.f", args: [3] })).toBe(5);
});

test("a function that returns nothing is fine where nothing is written", async () => {
  expect(await run({ f: async () => undefined })).toBe(null);
});

test("steps, times and random numbers are journalled; a replay does nothing again", async () => {
  const done: string[] = [];
  const f = async (ctx: FunctionContext) => {
    const patch = await ctx.step("write", async () => {
      done.push("write");
      return { lines: 3 };
    });
    await ctx.step("send", () => {
      done.push("send");
    });
    return { patch, at: await ctx.now(), draw: await ctx.random() };
  };
  const first = fakeContext();
  const output = await run({ f }, { context: first });
  expect(output).toEqual({ patch: { lines: 3 }, at: 5000, draw: 0.1 });
  expect(first.performed).toEqual([
    "function write",
    "function send",
    "clock now",
    "random random",
  ]);
  const second = fakeContext({ recorded: first.log });
  expect(await run({ f }, { context: second })).toEqual(output);
  expect(second.performed).toEqual([]);
  expect(done).toEqual(["write", "send"]);
});

test("the first run gets what a replay would get: JSON", async () => {
  const f = (ctx: FunctionContext) => ctx.step("s", () => ({ a: 1, b: undefined }));
  expect(Object.keys((await run({ f })) as object)).toEqual(["a"]);
});

describe("a function that throws", () => {
  test("is class tool, with what it said and its stack", async () => {
    const failure = await failureOf(
      run({
        f: () => {
          throw new TypeError("no patch");
        },
      }),
    );
    expect(failure).toMatchObject({ class: "tool", code: "M8301", message: "`f` threw: no patch" });
    expect(failure.stack).toContain("function.test.ts");
  });
  test("may throw anything", async () => {
    expect(await failureOf(run({ f: () => Promise.reject("words") }))).toMatchObject({
      message: "`f` threw: words",
    });
  });
  test("also an object that has no text", async () => {
    const f = () => Promise.reject(Object.assign(Object.create(null), { status: 404 }));
    expect(await failureOf(run({ f }))).toMatchObject({ message: '`f` threw: {"status":404}' });
  });
  test("in a step: the step is named, and its failure is in the journal", async () => {
    const f = (ctx: FunctionContext) =>
      ctx.step("write", () => {
        throw new Error("disk full");
      });
    const context = fakeContext();
    expect(await failureOf(run({ f }, { context }))).toMatchObject({
      code: "M8301",
      message: "`f: write` threw: disk full",
    });
    expect(context.log[0]?.failure).toMatchObject({ code: "M8301" });
  });
  test("may catch what a step threw and go on", async () => {
    const f = async (ctx: FunctionContext) =>
      ctx
        .step("write", () => {
          throw new Error("full");
        })
        .catch(() => "elsewhere");
    expect(await run({ f })).toBe("elsewhere");
  });
});

describe("what it returned must be JSON", () => {
  const cycle: { parts: unknown[] } = { parts: [] };
  cycle.parts.push({ whole: cycle });
  test.each<[string, unknown, string]>([
    ["a function", () => 1, "what `f` returned is not JSON: a function"],
    [
      "deep inside",
      { a: [{ "odd key": 1n }] },
      'what `f` returned is not JSON: a BigInt at `a[0]["odd key"]`',
    ],
    ["a Date", { at: new Date(0) }, "what `f` returned is not JSON: a Date at `at`"],
    ["a Map", new Map(), "what `f` returned is not JSON: a Map"],
    [
      "a class",
      {
        point: new (class Point {
          x = 1;
        })(),
      },
      "what `f` returned is not JSON: a Point at `point`",
    ],
    ["NaN", [Number.NaN], "what `f` returned is not JSON: the number NaN at `[0]`"],
    ["a cycle", cycle, "what `f` returned is not JSON: a cycle at `parts[0].whole`"],
    ["a hole", [undefined], "what `f` returned is not JSON: undefined at `[0]`"],
  ])("%s", async (_, returned, message) => {
    expect(await failureOf(run({ f: () => returned }))).toMatchObject({
      class: "tool",
      code: "M8302",
      message,
    });
  });
  test("a shared part is no cycle, and a frozen value is fine", async () => {
    const part = Object.freeze({ n: 1 });
    expect(await run({ f: () => Object.freeze([part, part]) })).toEqual([{ n: 1 }, { n: 1 }]);
  });
  test("nothing, where the node writes a field", async () => {
    expect(
      await failureOf(run({ f: () => undefined }, { output: { type: "boolean" } })),
    ).toMatchObject({
      code: "M8302",
      message: "what `f` returned is not JSON: undefined",
    });
  });
});

test("what it returned must be of the type of the written field", async () => {
  expect(await failureOf(run({ f: () => "yes" }, { output: { type: "boolean" } }))).toMatchObject({
    class: "tool",
    code: "M8304",
    message: 'what `f` returned does not fit `passed`: expected a boolean, found the string "yes"',
  });
  const list = { type: "array", items: { type: "string" } };
  expect(await run({ f: () => ["a"] }, { output: list })).toEqual(["a"]);
  expect(await failureOf(run({ f: () => "a" }, { output: list }))).toMatchObject({ code: "M8304" });
});

const undeclared = (name: string) =>
  `run the cell that declares \`${name}\` first, and that of its graph; without a notebook, export it from the scope file`;

test.each([
  ["runTest", "no function is called `runTest`", "did you mean `runTests`?"],
  ["tests.all", "no function is called `tests.all`", undeclared("tests.all")],
  ["limit", "`limit` is not a function", undeclared("limit")],
  ["toString", "no function is called `toString`", undeclared("toString")],
])("%s is M8303", async (callee, message, hint) => {
  const scope = { runTests: () => true, limit: 3 };
  expect(await failureOf(run(scope, { callee }))).toMatchObject({ code: "M8303", message, hint });
});

test("a function that pays no heed to its signal ends with its attempt all the same", async () => {
  const controller = new AbortController();
  const f = (ctx: FunctionContext) =>
    new Promise(() => {
      expect(ctx.signal.aborted).toBe(false);
      controller.abort(new Error("time"));
      expect(ctx.signal.reason).toBe(controller.signal.reason);
    });
  const context = fakeContext({ signal: controller.signal });
  expect(await failureOf(run({ f }, { context }))).toMatchObject({
    class: "aborted",
    code: "M8111",
  });
});
