import { describe, expect, test } from "vitest";
import type { FieldIr, JsonSchema } from "../../../dsl/index.ts";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import { isStrict, outputPlan, readOutput } from "../../../runtime/agents/conversation/output.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import { type Script, scripted } from "../../../runtime/agents/models/scripted.ts";
import { createToolSet, tool } from "../../../runtime/agents/scope/tools.ts";
import type { Attempt } from "../../../runtime/performer.ts";
import {
  attemptOf,
  type FakeContext,
  failureOf,
  fakeContext,
  nodeOf,
  stillClock,
} from "./fake-context.ts";

const task = {
  type: "object",
  properties: { query: { type: "string" }, why: { type: "string" } },
  required: ["query", "why"],
  additionalProperties: false,
};

const schemas: Readonly<Record<string, JsonSchema>> = {
  text: { type: "string" },
  count: { type: "integer" },
  verdict: { enum: ["ship", "revise"] },
  tasks: { type: "array", items: task },
  task,
  tree: {
    $ref: "#/$defs/Tree",
    $defs: {
      Tree: {
        type: "object",
        properties: {
          name: { type: "string" },
          parts: { type: "array", items: { $ref: "#/$defs/Tree" } },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  },
};

function field(name: string, reducer: string): FieldIr {
  return {
    name,
    scope: "run",
    optional: false,
    type: { kind: "named", name: "Json", args: [] },
    reducer: { name: reducer, custom: false, args: [] },
  };
}

function read(text: string, schema: string, reducer = "replace"): unknown {
  const node = nodeOf({
    output: schemas[schema] ?? {},
    writes: [{ field: schema, optional: false }],
  });
  return readOutput(text, outputPlan(node, [field(schema, reducer)]), "fast");
}

describe("what is asked of the provider", () => {
  const asked = (name: string) => {
    const plan = outputPlan(
      nodeOf({ output: schemas[name] ?? {}, writes: [{ field: name, optional: false }] }),
      [],
    );
    return plan.kind === "text" ? "text" : plan.asked;
  };
  test("a text is asked for as a text, an object as it is", () => {
    expect(asked("text")).toBe("text");
    expect(asked("task")).toBe(task);
  });
  test("anything else stands in a member named after the field; definitions stay at the root", () => {
    expect(asked("tasks")).toEqual({
      type: "object",
      properties: { tasks: { type: "array", items: task } },
      required: ["tasks"],
      additionalProperties: false,
    });
    expect(asked("tree")).toMatchObject({
      properties: { tree: { $ref: "#/$defs/Tree" } },
      $defs: { Tree: { type: "object" } },
    });
  });
  test("strict mode is for schemas that leave nothing open", () => {
    expect(isStrict(asked("tasks"))).toBe(true);
    expect(isStrict(asked("tree"))).toBe(false);
    expect(isStrict({ type: "object", additionalProperties: { type: "string" } })).toBe(false);
    expect(isStrict({ type: "array", prefixItems: [{ type: "string" }], items: false })).toBe(
      false,
    );
    expect(
      isStrict({
        type: "object",
        properties: { any: {} },
        required: ["any"],
        additionalProperties: false,
      }),
    ).toBe(false);
  });
});

describe("what an answer means", () => {
  const one = { query: "a", why: "b" };
  const list = JSON.stringify([one]);
  test.each([
    ["as asked", `{"tasks":${list}}`, "tasks", [one]],
    ["without the wrapper", list, "tasks", [one]],
    ["in a code fence", `Here:\n\`\`\`json\n{"tasks":${list}}\n\`\`\`\nDone.`, "tasks", [one]],
    ["in prose", `The tasks are ${list}, I think.`, "tasks", [one]],
    ["after a wrong start", `Like [this]: {"tasks":${list}}`, "tasks", [one]],
    ["brackets in strings", `{"query":"a } b","why":"{"}`, "task", { query: "a } b", why: "{" }],
    ["a bare number", "42", "count", 42],
    ["a bare word of a union", "ship", "verdict", "ship"],
    ["a quoted word of a union", '"ship"', "verdict", "ship"],
    [
      "a recursive value",
      '{"tree":{"name":"a","parts":[{"name":"b"}]}}',
      "tree",
      { name: "a", parts: [{ name: "b" }] },
    ],
  ])("%s", (_, text, schema, expected) => {
    expect(read(text, schema)).toEqual(expected);
  });
  test("one item is a list for a field that appends, and for no other", () => {
    expect(read(JSON.stringify(one), "tasks", "append")).toEqual([one]);
    expect(read(`{"tasks":${JSON.stringify(one)}}`, "tasks", "union")).toEqual([one]);
    expect(() => read(JSON.stringify(one), "tasks")).toThrow(/expected an array/);
  });
});

describe("an answer that does not fit says where, what was expected and what was found", () => {
  test.each([
    ["", "tasks", "it is empty"],
    ["I can't do that.", "tasks", "it holds no JSON: I can't do that."],
    [
      '{"tasks":[{"query":1,"why":"b"}]}',
      "tasks",
      "at `tasks[0].query`: expected a string, found the number 1",
    ],
    ['{"tasks":[{"query":"a"}]}', "tasks", "at `tasks[0].why`: expected a string, found nothing"],
    [
      '{"query":"a","why":"b","who":"c"}',
      "task",
      'at `who`: expected no such member (there are query, why), found the string "c"',
    ],
    ["4.5", "count", "at `count`: expected an integer, found the number 4.5"],
    ['"no"', "verdict", 'at `verdict`: expected one of "ship", "revise", found the string "no"'],
    [
      '{"tree":{"name":"a","parts":[{"nam":"b"}]}}',
      "tree",
      "at `tree.parts[0].name`: expected a string, found nothing",
    ],
  ])("%s", (text, schema, message) => {
    expect(() => read(text, schema)).toThrow(`the answer of \`fast\` does not fit: ${message}`);
  });
});

// ── through the performer ───────────────────────────────────────────────────────────────────────

const tasksNode = { output: schemas.tasks ?? {}, writes: [{ field: "tasks", optional: false }] };

function perform(script: Script, attempt: Attempt, context: FakeContext): Promise<unknown> {
  const look = tool(() => "seen", { effect: "none" });
  const handle = resolveModel(scripted(script), { env: {} });
  return createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({ look })),
    clock: stillClock(),
  }).perform(attempt, context);
}

interface LoggedMessage {
  readonly role: string;
  readonly content: unknown;
}

function messagesOf(context: FakeContext | undefined): readonly LoggedMessage[] {
  const request = context?.log[0]?.request as { messages: LoggedMessage[] } | undefined;
  return request?.messages ?? [];
}

test("the schema stands in the system text too, for servers that ignore the format", async () => {
  const context = fakeContext();
  await perform([[{ query: "a", why: "b" }]], attemptOf(tasksNode, { system: "Plan." }), context);
  expect(context.log[0]?.request).toMatchObject({
    messages: [
      {
        role: "system",
        content: expect.stringMatching(/^Plan\.\n\nAnswer with one JSON value only.*\n.*"tasks"/),
      },
      { role: "user" },
    ],
    output: { properties: { tasks: {} } },
  });
});

test("an invalid answer fails with class invalid and says to the model what was wrong", async () => {
  const failure = await failureOf(perform(["none"], attemptOf(tasksNode), fakeContext()));
  expect(failure).toMatchObject({ class: "invalid", code: "M8120" });
  expect(failure.feedback).toMatchInlineSnapshot(`
    "Your answer could not be used:
    - it holds no JSON: none
    Answer again, with one JSON value only, that fits this JSON Schema:
    {"type":"object","properties":{"tasks":{"type":"array","items":{"type":"object","properties":{"query":{"type":"string"},"why":{"type":"string"}},"required":["query","why"],"additionalProperties":false}}},"required":["tasks"],"additionalProperties":false}"
  `);
});

test("a repair goes on in the same session: the model sees its answer and what was wrong", async () => {
  const first = fakeContext();
  const node = { ...tasksNode, tools: [["look"]] };
  const script = [{ calls: [{ tool: "look" }] }, '{"tasks":[{"query":"a"}]}'];
  const failure = await failureOf(perform(script, attemptOf(node), first));
  const second = fakeContext();
  const repair = attemptOf(node, {
    attempt: 2,
    reason: "repair",
    session: first.log,
    ...(failure.feedback === undefined ? {} : { feedback: failure.feedback }),
  });
  const fixed = [{ query: "a", why: "b" }];
  expect(await perform([{ says: fixed }], repair, second)).toEqual(fixed);
  const messages = messagesOf(second);
  expect(messages.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
  expect(messages[4]?.content).toEqual([{ type: "text", text: '{"tasks":[{"query":"a"}]}' }]);
  expect(messages[5]?.content).toEqual([{ type: "text", text: failure.feedback }]);
});

test("a repair of a repair keeps the whole session, whether it is given all effects or the last attempt's", async () => {
  const roles = async (sessionOf: (logs: readonly FakeContext[]) => FakeContext["log"]) => {
    const contexts: FakeContext[] = [];
    for (const attempt of [1, 2, 3]) {
      const context = fakeContext();
      const again =
        attempt === 1
          ? {}
          : {
              attempt,
              reason: "repair" as const,
              feedback: `wrong ${attempt}`,
              session: sessionOf(contexts),
            };
      contexts.push(context);
      await failureOf(perform([`bad ${attempt}`], attemptOf(tasksNode, again), context));
    }
    return messagesOf(contexts[2])
      .slice(1)
      .map(({ content }) => (content as { text: string }[])[0]?.text);
  };
  const expected = ["What is it?", "bad 1", "wrong 2", "bad 2", "wrong 3"];
  expect(await roles((all) => all.at(-1)?.log ?? [])).toEqual(expected);
  expect(await roles((all) => all.flatMap(({ log }) => log))).toEqual(expected);
});

test("a tool call that was never made is answered in the repaired session", async () => {
  const context = fakeContext();
  const session = [
    {
      effect: "model",
      name: "scripted",
      request: { from: 0, messages: [{ role: "user", content: [{ type: "text", text: "go" }] }] },
      value: {
        text: "",
        finish: "tool-calls",
        toolCalls: [
          { id: "1", name: "look", input: {} },
          { id: "2", name: "look", input: {} },
        ],
      },
    },
    { effect: "tool", name: "look", value: "seen" },
  ] as const;
  await perform(["done"], attemptOf({}, { feedback: "go on", session }), context);
  expect(context.log[0]?.request).toMatchObject({
    messages: [
      { role: "user" },
      { role: "assistant" },
      {
        role: "tool",
        content: [
          { output: { value: "seen" } },
          { output: { value: "Error: this call was not made" } },
        ],
      },
      { role: "user" },
    ],
  });
});
