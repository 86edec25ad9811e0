/** `context shorten`: a function says what a model is shown before each call. */
import { expect, test } from "vitest";
import { rules, tool } from "../../../runtime/index.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { ofKind } from "../../support/run-graph.ts";
import { failureOf, runWith } from "../scoped-run.ts";

const text = (context: string) => `model m = "rules"
graph G(topic: string) returns a {
  state { a: string = "" }
  agent look { model m; tools web.read; prompt \`Read of \${topic}.\`; writes a; context ${context} }
  start -> look -> end
}`;

const web = { read: tool(() => "a very long page", { effect: "none" }) };

/** Reads twice, then answers; keeps what it was shown. */
function reader() {
  const seen: string[][] = [];
  const model = rules(({ messages }) => {
    seen.push(messages.map(({ role }) => role));
    return seen.length < 3 ? { calls: [{ tool: "web_read", input: {} }] } : "done";
  });
  return { seen, model };
}

test("it is asked before each call, and the call is in the log", async () => {
  const { seen, model } = reader();
  const last = (messages: unknown[]) => [messages[0], ...messages.slice(1).slice(-2)];
  const { run, records, ir } = runWith(
    text("last"),
    { last, web },
    { models: { m: model }, input: { topic: "x" } },
  );
  expect(await run.output).toEqual({ a: "done" });
  expect(seen.map((roles) => roles.length)).toEqual([2, 3, 3]);
  const calls = ofKind(records(), "intent").filter(({ effect }) => effect === "function");
  expect(calls.map(({ name, request }) => [name, request])).toEqual([
    ["last", { messages: 2 }],
    ["last", { messages: 4 }],
    ["last", { messages: 6 }],
  ]);
  expect(replayLog(records(), { recorded: ir }).divergence).toBeUndefined();
});

test("it may be a member, and what it changes in place is its own", async () => {
  const { seen, model } = reader();
  const policies = {
    short: async (messages: unknown[]) => {
      messages.push({ role: "user", content: [{ type: "text", text: "Be brief." }] });
      return messages;
    },
  };
  const { run } = runWith(
    text("policies.short"),
    { policies, web },
    { models: { m: model }, input: { topic: "x" } },
  );
  await run.output;
  expect(seen.map((roles) => roles.filter((role) => role === "user").length)).toEqual([2, 2, 2]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no");
    },
    "M8301",
  ],
  ["gives nothing", () => undefined, "M8302"],
  ["gives something else", () => ["hello"], "M8121"],
])("one that %s fails the attempt", async (_, broken, code) => {
  const { model } = reader();
  const given = { models: { m: model }, input: { topic: "x" } };
  expect((await failureOf(runWith(text("broken"), { broken, web }, given))).code).toBe(code);
});

test("one that is not there is told before the run starts", () => {
  expect(() =>
    runWith(text("nobody"), { web }, { unchecked: true, input: { topic: "x" } }),
  ).toThrow(/M8303|nobody/);
});
