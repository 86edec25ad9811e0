/** Shows what the models of whole runs are sent, and what the events say of it. */
import type { LanguageModelV4, LanguageModelV4Message } from "@ai-sdk/provider";
import { afterEach, expect, test } from "vitest";
import { tokensOf } from "../../../../runtime/agents/conversation/tokens.ts";
import type { Script } from "../../../../runtime/agents/models/scripted.ts";
import { type RunEvent, Session, scripted, tool } from "../../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

/** A script that keeps the messages of each call; `as` is what the provider calls itself. */
function listening(script: Script, as: Partial<LanguageModelV4> = {}) {
  const prompts: (readonly LanguageModelV4Message[])[] = [];
  const model = scripted(script);
  const doStream: LanguageModelV4["doStream"] = async (call) => {
    prompts.push(call.prompt);
    return await model.doStream(call);
  };
  return { prompts, model: { ...model, doStream, ...as } };
}

async function run(text: string, model: LanguageModelV4, scope = {}) {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const graph = session.compile(text, { scope }).G;
  if (graph === undefined) throw new Error("no G");
  const started = graph.run({}, { models: { m: model } });
  const events: RunEvent[] = [];
  started.events$.subscribe((event) => events.push(event));
  return { output: await started.output, events, session, run: started };
}

const agent = (clauses: string, more = "") => `model m = "scripted"
model small = "scripted"
type Snapshot = { done: string[], next: string }
graph G() returns notes {
  state { notes: string }
  agent write { model m; system "Be short."; prompt \`Write.\`; tools look; writes notes; ${clauses} }
  ${more}
  start -> write
}`;

const call = (at: number) => ({ calls: [{ tool: "look", input: { at } }] });

const look = tool(({ at }: { at: number }) => `${at} `.repeat(400), {
  effect: "none",
  input: { type: "object", properties: { at: { type: "integer" } } },
});

/** The conversation as lines, without the system's message. */
function lines(messages: readonly LanguageModelV4Message[]): readonly string[] {
  return messages.slice(1).map(({ role, content }) => {
    if (typeof content === "string") return `${role}: ${content}`;
    const parts = content.map((part) => {
      if (part.type === "text") return part.text;
      return "toolCallId" in part ? `${part.type} ${part.toolCallId}` : part.type;
    });
    return `${role}: ${parts.join(" + ")}`;
  });
}

const compacted = (events: readonly RunEvent[]) =>
  events.filter((event) => event.kind === "context.compacted");

test("M10 a conversation that outgrows its limit loses its middle, and the trace says which messages", async () => {
  const { prompts, model } = listening({ write: [call(1), call(2), call(3), call(4), "done"] });
  const {
    events,
    session,
    run: started,
  } = await run(agent("context { limit: 1000 }"), model, {
    look,
  });
  expect(prompts.map(lines).at(-1)).toEqual([
    "user: Write.",
    "assistant: tool-call call-1-1",
    "tool: tool-result call-1-1",
    "assistant: tool-call call-3-1",
    "tool: tool-result call-3-1",
  ]);
  for (const prompt of prompts) expect(tokensOf(prompt)).toBeLessThanOrEqual(1000);
  expect(compacted(events).at(-1)).toMatchObject({
    label: "write#1",
    policy: "limit",
    limit: 1000,
    dropped: [[4, 8]],
  });
  const rows = await (await session.traces()).query(
    `SELECT reason, (payload->>'before')::int > (payload->>'limit')::int AS was_above,
       (payload->>'after')::int <= (payload->>'limit')::int AS fits
     FROM events WHERE run_id = '${started.id}' AND kind = 'context.compacted' ORDER BY seq`,
  );
  expect([...rows].at(-1)).toEqual({ reason: "limit", was_above: true, fits: true });
});

test("W04 each agent has its share of what its model can read", async () => {
  const { prompts, model } = listening([call(1), call(2), call(3), "done"], {
    provider: "openai",
    modelId: "gpt-4o",
  });
  const { events } = await run(agent("context { limit: 0.007 }"), model, { look });
  // 0.007 of 128,000 tokens.
  for (const prompt of prompts) expect(tokensOf(prompt)).toBeLessThanOrEqual(896);
  const last = compacted(events).at(-1);
  expect(last).toMatchObject({ policy: "limit", limit: 896 });
  expect(last?.kind === "context.compacted" && last.before > 896 && last.after <= 896).toBe(true);
});

test("W04 a share of what nobody knows is an error with a code", async () => {
  const { model } = listening(["done"]);
  await expect(run(agent("context { limit: 0.5 }"), model, { look })).rejects.toMatchObject({
    code: "M8124",
    message: expect.stringContaining("nobody knows how many tokens `scripted` can read"),
  });
});

test("M10 what can't be cut to its limit is an error with the figures", async () => {
  const { model } = listening({ write: [call(1), "done"] });
  await expect(run(agent("context { limit: 300 }"), model, { look })).rejects.toMatchObject({
    message: expect.stringMatching(
      /can't be cut to 300 tokens: what always stays has \d{3}, \d+ of them/,
    ),
  });
});

test("W08 every so many answers a model says in short what came before, and goes on from its last summary", async () => {
  const { prompts, model } = listening({
    write: [call(1), call(2), call(3), call(4), "done"],
    "write.summary": ["looked at 1", "looked at 1 to 3"],
  });
  const { events } = await run(agent("context { summarize: { every: 2 } }"), model, { look });
  const own = prompts.filter(([first]) => first?.content === "Be short.");
  expect(own.map(lines)).toEqual([
    ["user: Write."],
    ["user: Write.", "assistant: tool-call call-1-1", "tool: tool-result call-1-1"],
    [
      "user: Write.",
      "user: What was done before, in short:\nlooked at 1",
      "assistant: tool-call call-2-1",
      "tool: tool-result call-2-1",
    ],
    [
      "user: Write.",
      "user: What was done before, in short:\nlooked at 1",
      "assistant: tool-call call-2-1",
      "tool: tool-result call-2-1",
      "assistant: tool-call call-2-1",
      "tool: tool-result call-2-1",
    ],
    [
      "user: Write.",
      "user: What was done before, in short:\nlooked at 1 to 3",
      "assistant: tool-call call-3-1",
      "tool: tool-result call-3-1",
    ],
  ]);
  expect(compacted(events)).toMatchObject([
    { policy: "summarize", covered: [2, 4] },
    { policy: "summarize", covered: [2, 8] },
  ]);
  const second = prompts.filter(([first]) => first?.content !== "Be short.")[1];
  expect(second?.map(({ content }) => JSON.stringify(content)).join()).toContain(
    "The summary so far:\\nlooked at 1",
  );
});

test("W08 a conversation is summarised where it has grown to a size", async () => {
  const { prompts, model } = listening({
    write: [call(1), call(2), call(3), "done"],
    "write.summary": ["looked at 1 and 2"],
  });
  const { events } = await run(agent("context { summarize: 1000 }"), model, { look });
  const [event, ...others] = compacted(events);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ policy: "summarize" });
  expect(event?.kind === "context.compacted" && event.before >= 1000 && event.after < 1000).toBe(
    true,
  );
  expect(lines(prompts.at(-1) ?? []).slice(0, 2)).toEqual([
    "user: Write.",
    "user: What was done before, in short:\nlooked at 1 and 2",
  ]);
});

test("E70 of the pictures of a conversation the model is shown the last one, and is told of the others", async () => {
  const data = "iVBORw0KGgo=";
  const shot = tool(
    ({ at }: { at: number }) => ({
      content: [
        { type: "text", text: `page ${at}` },
        { type: "image", data, mimeType: "image/png" },
      ],
    }),
    { effect: "none", input: { type: "object", properties: { at: { type: "integer" } } } },
  );
  const { prompts, model } = listening({ write: [call(1), call(2), call(3), "done"] });
  await run(agent("context { media: 1 }"), model, { look: shot });
  const sent = prompts.map((prompt) => JSON.stringify(prompt));
  expect(sent.map((text) => text.split(data).length - 1)).toEqual([0, 1, 1, 1]);
  expect(sent[3]?.match(/a file stood here that is not shown any more/g)).toHaveLength(2);
  expect(sent[3]?.indexOf(data)).toBeGreaterThan(sent[3]?.indexOf("page 3") ?? 0);
});

test("E68 another model makes the summary in the form of a type, and is told what does not fit", async () => {
  const { prompts, model } = listening({ write: [call(1), call(2), "done"] });
  const smaller = listening({
    "write.summary": ["I looked.", { done: ["1"], next: "look at 2" }],
  });
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const text = agent("context { summarize: { every: 2, by: small, schema: Snapshot } }");
  const { G } = session.compile(text, { scope: { look } });
  await G?.run({}, { models: { m: model, small: smaller.model } }).output;
  expect(lines(prompts.at(-1) ?? [])[1]).toBe(
    'user: What was done before, in short:\n{"done":["1"],"next":"look at 2"}',
  );
  expect(smaller.prompts).toHaveLength(2);
  expect(lines(smaller.prompts[1] ?? []).at(-1)).toContain("Your answer could not be used");
});

test("W50 of a result of 1 MB an agent sees both ends, and reads any part of it, also what is too long for the log", async () => {
  const whole = Array.from({ length: 20_000 }, (_, at) => `line ${at} of the long document`).join(
    "\n",
  );
  const all = `${whole.padEnd(999_900, ".")} the end, with an ü before it`;
  const long = tool(() => all, { effect: "none" });
  const { prompts, model } = listening({
    write: [
      { calls: [{ tool: "look" }] },
      { calls: [{ tool: "results.read", input: { call: "call-1-1", from: 100_000, length: 60 } }] },
      { calls: [{ tool: "results.read", input: { call: "call-1-1", from: 999_890, length: 60 } }] },
      "done",
    ],
  });
  const {
    events,
    session,
    run: started,
  } = await run(agent("context { offload: 500 }"), model, { look: long });
  for (const prompt of prompts) expect(tokensOf(prompt)).toBeLessThan(1_000);
  expect(JSON.stringify(prompts[1])).toContain("`results_read` shows any part");
  const read = events.filter(
    (event) => event.kind === "tool.result" && event.tool === "results.read",
  );
  expect(read).toMatchObject([
    { value: { from: 100_000, to: 100_060, of: all.length, text: all.slice(100_000, 100_060) } },
    { value: { from: 999_890, to: all.length, of: all.length, text: all.slice(999_890) } },
  ]);
  expect(read.some((event) => "note" in ((event as { value: object }).value ?? {}))).toBe(false);
  expect(events.filter(({ kind }) => kind === "context.shaped")).toMatchObject(
    Array.from({ length: 3 }, () => ({ offloaded: 1 })),
  );
  // The log has its beginning, the artifacts of the run all of it.
  expect(started.replay()).toMatchObject({ ok: true });
  const kept = await (await session.traces()).query(
    `SELECT name, bytes FROM artifacts WHERE run_id = '${started.id}'`,
  );
  expect([...kept]).toEqual([{ name: "result of look", bytes: Buffer.byteLength(all) }]);
});
