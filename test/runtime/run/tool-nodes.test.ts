/** `tool` and `reduce` nodes: TypeScript that no model calls. */
import { expect, test } from "vitest";
import { tool } from "../../../runtime/index.ts";
import { ofKind } from "../../support/run-graph.ts";
import { failureOf, runWith } from "./scoped-run.ts";

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
