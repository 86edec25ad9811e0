/** `tool` and `reduce` nodes: TypeScript that no model calls. */
import { expect, test } from "vitest";
import type { FunctionContext } from "../../../runtime/agents/functions/function-context.ts";
import { tool } from "../../../runtime/index.ts";
import { ofKind } from "../../support/run-graph.ts";
import { failureOf, runWith } from "../scoped-run.ts";

const graph = (lines: string) =>
  `graph G(n: int = 2) returns a { state { a: string[] = [] via append }\n${lines}\nstart -> x }`;

const input = {
  type: "object",
  properties: { at: { type: "string" }, n: { type: "integer" } },
  required: ["at"],
} as const;
const look = tool(async ({ at, n = 0 }: { at: string; n?: number }) => `${at}${n}`, {
  effect: "none",
  input,
});

test.each<[string, string, object]>([
  ["an object", 'tool x = look({ at: "b", n: n }) writes a', { look }],
  ["labelled arguments", 'tool x = look(at: "b", n: n) writes a', { look }],
  ["a group's tool", 'tool x = web.look({ at: "b", n: n }) writes a', { web: { look } }],
  [
    "a plain function",
    'tool x = plain("b", n) writes a',
    { plain: (at: string, n: number) => at + n },
  ],
  [
    "a reducer node",
    'reduce x = plain("b", n) writes a',
    { plain: (at: string, n: number) => at + n },
  ],
])("%s", async (_, lines, scope) => {
  expect(await runWith(graph(lines), scope).run.output).toEqual({ a: ["b2"] });
});

test("a tool's call is an effect, with its request and its usage; what takes effect outside says so", async () => {
  const send = tool(() => "sent", { effect: "external" });
  const { run, records } = runWith(graph("tool x = send({ to: `you` }) writes a"), { send });
  await run.output;
  expect(ofKind(records(), "intent")).toMatchObject([
    { effect: "tool", name: "send", request: { to: "you" }, external: true },
  ]);
  expect(run.usage.toolCalls).toBe(1);
});

// The table of the guide's chapter 13: of these calls a person is asked what became of them, when the process dies under way.
const plain = () => "b";
const outside = tool(plain, { effect: "external" });
test.each<[string, string, Readonly<Record<string, unknown>>, readonly boolean[]]>([
  ["a tool node's plain function", "tool x = f() writes a", { f: plain }, [true]],
  ["its tool that is declared external", "tool x = f() writes a", { f: outside }, [true]],
  [
    "its tool that works in the workspace",
    "tool x = f() writes a",
    { f: tool(plain, { effect: "workspace" }) },
    [false],
  ],
  ["a run node's plain function", "run x = f() writes a", { f: plain }, []],
  ["one with its effects", "run x = f() writes a { effects external }", { f: plain }, [true]],
  ["a run node's tool that is declared external", "run x = f() writes a", { f: outside }, [true]],
  [
    "a step of a run node's function",
    "run x = f() writes a",
    { f: (ctx: FunctionContext) => ctx.step("pay", plain) },
    [false],
  ],
  [
    "a step of one with its effects",
    "run x = f() writes a { effects external }",
    { f: (ctx: FunctionContext) => ctx.step("pay", plain) },
    [true, true],
  ],
])("whether a call is external: %s", async (_, lines, scope, externals) => {
  const { run, records } = runWith(graph(lines), scope);
  expect(await run.output).toEqual({ a: ["b"] });
  const intents = ofKind(records(), "intent");
  expect(intents.map(({ external }) => external === true)).toEqual(externals);
});

test("a reducer node gets its arguments and nothing else", async () => {
  const given: unknown[] = [];
  const take = (...args: unknown[]) => {
    given.push(args);
    return "b";
  };
  await runWith(graph("reduce x = take(a, n) writes a"), { take }).run.output;
  expect(given).toEqual([[[], 2]]);
});

test.each<[string, string, object, string]>([
  ["does not fit", 'tool x = look({ on: "b" }) writes a', { look }, "M8202"],
  ["throws", "tool x = bad() writes a", { bad: () => Promise.reject(new Error("no")) }, "M8202"],
  ["gives no JSON", "tool x = bad() writes a", { bad: () => new Set() }, "M8302"],
  ["gives another type", "tool x = bad() writes a", { bad: () => [1] }, "M8304"],
  [
    "never returns",
    "tool x = bad() writes a",
    { bad: tool(() => new Promise(() => {}), { effect: "none", timeoutMs: 5 }) },
    "M8202",
  ],
])("a tool node whose tool %s fails, and the run says why", async (_, lines, scope, code) => {
  expect(await failureOf(runWith(graph(lines), scope))).toMatchObject({ class: "tool", code });
});

test.each([
  ["tool x = lok({}) writes a", "M8201"],
  ["reduce x = lok(a) writes a", "M8303"],
])("%s is told before the run starts", (lines, code) => {
  expect(() => runWith(graph(lines), { look }, { unchecked: true })).toThrow(
    expect.objectContaining({ code }),
  );
});

test.each([
  ["b: int[] = []  c: int[] = [] }\nrun x = f() writes b, c = []", "return an object: `{ b }`"],
  ["b: int = 0 }\nrun x = f() writes b", "return what the node writes: `b`"],
])("what a function must return is what is asked of it: %s", async (lines, hint) => {
  const text = `graph G() returns b { state { ${lines}\nstart -> x }`;
  const failure = await failureOf(runWith(text, { f: () => ["1"] }));
  expect(failure).toMatchObject({ code: "M8304", hint });
});

test.each([
  ["tool", "b: string }\ntool x = f() writes b = result.text"],
  ["run", "b: string }\nrun x = f() writes b = result.text"],
])("a %s node takes a part of a result, whatever else stands in it", async (_, lines) => {
  const text = `graph G() returns b { state { ${lines}\nstart -> x }`;
  const page = () => ({ url: "u", text: "a" });
  expect(await runWith(text, { f: page }).run.output).toEqual({ b: "a" });
});
