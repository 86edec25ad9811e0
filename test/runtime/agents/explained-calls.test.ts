/** A model explains each tool call: by arguments that its tools have for it, shown where consent is asked and kept in the trace. */
import { afterEach, describe, expect, test } from "vitest";
import { explainedTool, readExplained } from "../../../runtime/agents/tools/explained-calls.ts";
import { Session, scripted, type ToolContext, tool } from "../../../runtime/index.ts";
import { type OpenAiServer, openAiServer } from "../../support/openai-server.ts";

const sessions: Session[] = [];
const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const server of servers.splice(0)) await server.close();
});

const text = (more: string) => `model m = "openai-compatible/tiny"
graph G() returns done {
  state { done: string }
  agent clean { model m; tools look, remove; prompt \`Clean.\`; writes done; context { explain: true }; ${more} }
  start -> clean -> end
}`;

function world(env: Readonly<Record<string, string>> = {}) {
  const removed: unknown[] = [];
  const input = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const look = tool(({ path }: { path: string }) => `${path} is empty`, {
    ...{ effect: "none", description: "looks", input },
  });
  const remove = tool(
    (args: { path: string }, { idempotencyKey }: ToolContext) => {
      removed.push([args, idempotencyKey]);
      return "removed";
    },
    { effect: "external", baseline: "maybe", description: "removes", input },
  );
  const session = new Session({ store: "memory", env });
  sessions.push(session);
  return { session, removed, scope: { look, remove } };
}

const wanted = { path: "a", explanation: "It is empty.", require_approval: true };

test("M27 [LB] the schema of each tool has `explanation`, and `require_approval` where a call may need a person", async () => {
  const server = await openAiServer([
    { calls: [{ tool: "look", input: { path: "a", explanation: "To see." } }] },
    { text: "done" },
  ]);
  servers.push(server);
  const { session, scope } = world({ OPENAI_COMPATIBLE_BASE_URL: server.url });
  const [graph] = Object.values(session.compile(text(""), { scope }));
  expect(await graph?.run({}).output).toEqual({ done: "done" });
  const tools = server.requests[0]?.body.tools ?? [];
  expect(tools).toMatchObject([
    {
      function: {
        name: "look",
        parameters: {
          properties: { path: { type: "string" }, explanation: { type: "string" } },
          required: ["path", "explanation"],
        },
      },
    },
    {
      function: {
        name: "remove",
        parameters: {
          properties: { require_approval: { type: "boolean" } },
          required: ["path", "explanation", "require_approval"],
        },
      },
    },
  ]);
  expect(JSON.stringify(tools[0])).not.toContain("require_approval");
});

test("M27 [SM] consent shows the explanation, the tool gets its own arguments alone, and the trace keeps the reason", async () => {
  const { session, removed, scope } = world();
  const asked = 'approve tool remove `Remove ${call.args.path}?` when call.guess == "always"';
  const [graph] = Object.values(session.compile(text(asked), { scope }));
  const m = scripted([{ calls: [{ tool: "remove", input: wanted }] }, { says: "done" }]);
  const run = graph?.run({}, { models: { m } });
  await run?.settled();
  expect(run?.interrupts).toMatchObject([
    { question: 'Remove a?\nThe model says: "It is empty."', shown: { path: "a" }, tool: "remove" },
  ]);
  await run?.answer(run.interrupts[0]?.id ?? "", { kind: "edit", value: { path: "b" } });
  expect(await run?.output).toEqual({ done: "done" });
  expect(removed).toEqual([[{ path: "b" }, expect.any(String)]]);
  const traces = await session.traces();
  expect(
    await traces.query(
      `SELECT tool, explanation, request ->> 'path' AS path FROM tool_calls WHERE run_id = '${run?.id}'`,
    ),
  ).toEqual([{ tool: "remove", explanation: "It is empty.", path: "b" }]);
  expect(run?.replay()).toMatchObject({ ok: true });
});

test("M27 a reason is no part of the call: a retry with another one is served what came back", async () => {
  const { session, removed, scope } = world();
  const [graph] = Object.values(session.compile(text("retry 1 on model"), { scope }));
  const because = (explanation: string) => ({
    calls: [{ tool: "remove", input: { ...wanted, explanation } }],
  });
  const m = scripted([because("One."), { fails: "no" }, because("Another."), { says: "done" }]);
  expect(await graph?.run({}, { models: { m } }).output).toEqual({ done: "done" });
  expect(removed).toHaveLength(1);
});

describe("the arguments", () => {
  const own = {
    inputSchema: { type: "object", properties: { explanation: { type: "number" } } },
    baseline: "maybe",
  } as const;

  test("one that a tool has itself stays the tool's", () => {
    const { properties } = explainedTool(own).inputSchema as { properties: object };
    expect(properties).toMatchObject({
      explanation: { type: "number" },
      require_approval: { type: "boolean" },
    });
    const call = { id: "1", name: "x", input: { explanation: 3, require_approval: false } };
    expect(readExplained(call, own)).toEqual({
      ...{ id: "1", name: "x", guess: "never" },
      input: { explanation: 3 },
    });
  });

  test("of an unknown tool and of broken arguments nothing is taken out", () => {
    const call = { id: "1", name: "x", input: { explanation: "so" } };
    expect(readExplained(call, undefined)).toBe(call);
    const broken = { ...call, input: "{", broken: true } as const;
    expect(readExplained(broken, own)).toBe(broken);
  });
});
