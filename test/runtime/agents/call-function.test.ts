/** Functions that expressions and reducers call: whatever they do is a result. */
import { expect, test } from "vitest";
import {
  callAtOnce,
  createFunctionCaller,
} from "../../../runtime/agents/functions/call-function.ts";
import { tool } from "../../../runtime/agents/scope/tools.ts";
import { Cancellation } from "../../../runtime/cancellation.ts";
import type { FunctionCall } from "../../../runtime/scheduler/expressions/calls.ts";

const never = new Cancellation();
const waits = { now: () => 7, sleep: () => new Promise<void>(() => {}) };

async function said(value: unknown, call: Partial<FunctionCall> = {}) {
  const caller = createFunctionCaller({ scope: () => ({ f: value }), clock: waits });
  const result = await caller({ name: "f", args: [], ...call }, never);
  const { failure } = result;
  return failure === undefined
    ? result.value
    : `${failure.class} ${failure.code} ${failure.message}`;
}

test.each<[string, unknown, unknown]>([
  ["gives a value", () => [1], [1]],
  ["gives a promise", async () => "later", "later"],
  ["gives nothing", () => undefined, null],
  [
    "throws",
    () => {
      throw new Error("no");
    },
    "tool M5340 `f` threw: no",
  ],
  [
    "throws no error",
    () => {
      const thrown: unknown = { code: 3 };
      throw thrown;
    },
    'tool M5340 `f` threw: {"code":3}',
  ],
  ["rejects", () => Promise.reject(new Error("no")), "tool M5340 `f` threw: no"],
  ["rejects with nothing", () => Promise.reject(undefined), "tool M5340 `f` threw: undefined"],
  [
    "gives what throws when looked at",
    () => ({
      get a() {
        throw new Error("no");
      },
    }),
    "tool M5341 what `f` returned is not JSON: a getter that throws (no) at `a`",
  ],
  [
    "acts on the world outside",
    tool(() => 1, { effect: "external" }),
    "tool M5344 `f` acts on the world outside, and an expression or a reducer calls it",
  ],
  ["is no function", 3, "tool M8303 `f` is not a function"],
])("a function that %s", async (_, value, came) => {
  expect(await said(value)).toEqual(came);
});

test("one that never comes back is given up, and the decision with it", async () => {
  const clock = { now: () => 0, sleep: async () => {} };
  const caller = createFunctionCaller({ scope: () => ({ f: () => new Promise(() => {}) }), clock });
  const { failure } = await caller({ name: "f", args: [] }, never);
  expect(failure).toMatchObject({ class: "timeout", code: "M5342" });
  expect(failure?.message).toContain("did not come back within 60 s");
});

test("one that is called off rejects, and nothing is made of it", async () => {
  const cancellation = new Cancellation();
  const caller = createFunctionCaller({
    scope: () => ({ f: () => new Promise(() => {}) }),
    clock: waits,
  });
  const called = caller({ name: "f", args: [] }, cancellation);
  cancellation.cancel();
  await expect(called).rejects.toThrow("cancelled");
});

const reducer = { name: "f", custom: true, args: [] };

test.each<[string, unknown, readonly unknown[], unknown]>([
  ["gives the next value", (a: number, b: number) => a * b, [2, 3, 4], 24],
  ["changes its draft", (a: number[], b: number) => void a.push(b), [[1], 2, 3], [1, 2, 3]],
  ["gives a changed copy of its draft", (a: number[], b: number) => [...a, b], [[1], 2], [1, 2]],
  [
    "begins without a value",
    (a: number | undefined, b: number) => (a ?? 10) + b,
    [undefined, 2],
    12,
  ],
  [
    "changes its draft and gives another",
    (a: number[]) => {
      a.push(1);
      return [2];
    },
    [[0], 1],
    expect.stringContaining("M5340 the reducer `f` threw"),
  ],
  [
    "changes what is written",
    (a: number[], b: number[]) => {
      b.push(9);
      return a;
    },
    [[0], [1]],
    expect.stringContaining("M5340 the reducer `f` threw: Cannot add property"),
  ],
  [
    "gives a promise",
    async (a: number) => a,
    [1, 2],
    "tool M5340 the reducer `f` threw: a reducer answers at once, not with a promise",
  ],
])("a reducer that %s", async (_, value, args, came) => {
  expect(await said(value, { args, reducer })).toEqual(came);
});

test("who can't wait is told of a promise", () => {
  const call = { name: "f", args: [] };
  expect(callAtOnce(call, { f: () => 3 }, 0).value).toBe(3);
  expect(callAtOnce(call, { f: async () => 3 }, 0).failure).toMatchObject({ code: "M5343" });
  expect(callAtOnce({ name: "run.now", args: [] }, {}, 5).value).toBe(5);
});
