/** Conversations in runs: shared by agents with tools, kept over turns, removed, resumed, replayed and run again. */
import { expect, test } from "vitest";
import { scripted, tool } from "../../../runtime/index.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";

const flights = {
  find: tool(({ to }: { to: string }) => `9:40 to ${to}`, {
    effect: "none",
    description: "finds flights",
    input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  }),
};

const AIRLINE = `model m = "scripted"
graph Airline(question: string) returns messages {
  state { messages: Messages }
  defaults { model m; history messages; writes messages }
  agent front "greets" { tools flights.find }
  agent seats "changes seats" { tools flights.find }
  start -> front set messages = question
  front -> seats | end
  seats -> end
}`;

const models = () => ({
  m: scripted({
    front: [
      { calls: [{ tool: "flights.find", input: { to: "Oslo" } }] },
      {
        text: "I pass you on.",
        calls: [{ tool: "handoff", input: { to: "seats", task: "a seat" } }],
      },
    ],
    seats: ["You have 12A."],
  }),
});

/** `front: I pass you on.` a message. */
function lines(messages: unknown): readonly string[] {
  return (messages as readonly Record<string, unknown>[]).map(
    ({ role, name, content, toolCalls }) =>
      `${name ?? role}: ${content}${toolCalls === undefined ? "" : ` ${JSON.stringify(toolCalls)}`}`,
  );
}

test("two agents share a conversation with calls of tools, also where one hands over to the other", async () => {
  const { run } = runWith(
    AIRLINE,
    { flights },
    { input: { question: "A seat, please." }, models: models() },
  );
  const output = await run.output;
  expect(lines((output as { messages: unknown }).messages)).toMatchInlineSnapshot(`
    [
      "user: A seat, please.",
      "front:  [{"id":"call-1-1","tool":"flights.find","input":{"to":"Oslo"}}]",
      "tool: 9:40 to Oslo",
      "front: {"text":"I pass you on.","calls":[{"tool":"handoff","input":{"to":"seats","task":"a seat"}}]}",
    ]
  `);
  expect(run.replay().ok).toBe(true);
});

test("ids are the same in another run of the same, and differ for equal words in one thread", async () => {
  const session = newSession();
  const once = async (thread: string) => {
    const { run } = runWith(
      `model m = "scripted"
graph Chat(question: string) returns messages {
  state thread { messages: Messages }
  agent reply { model m; prompt \`\${question}\`; history messages; writes messages }
  start -> reply
}`,
      {},
      { session, thread, input: { question: "Yes." }, models: { m: scripted({ reply: ["No."] }) } },
    );
    const { messages } = (await run.output) as { messages: readonly { id: string }[] };
    return messages.map(({ id }) => id);
  };
  const first = await once("a");
  expect(await once("b")).toEqual(first);
  const second = await once("a");
  expect(second.slice(0, 2)).toEqual(first);
  expect(new Set(second).size).toBe(4);
});

const EDIT = (write: string) => `graph Edit() returns messages {
  state { messages: Messages = [{ id: "a", role: "system", content: "Be kind." }, "Hello"] }
  run change = change() writes messages ${write}
  start -> change
}`;

test.each<[string, unknown, readonly string[] | string]>([
  [
    "one is added",
    { type: "ai", content: "Hi" },
    ["system: Be kind.", "user: Hello", "assistant: Hi"],
  ],
  [
    "one is replaced",
    { id: "a", role: "system", content: "Be brief." },
    ["system: Be brief.", "user: Hello"],
  ],
  ["one is removed", { remove: "a" }, ["user: Hello"]],
  ["all are removed", [{ remove: "all" }, "New"], ["user: New"]],
  ["LangGraph's removal is one", { type: "remove", id: "a" }, ["user: Hello"]],
  ["one that is not there can't be removed", { remove: "b" }, "M8691"],
  ["what is no message is refused", { text: "Hi" }, "M8690"],
])("%s", async (_, returned, wanted) => {
  const { run } = runWith(EDIT(""), { change: () => returned });
  if (typeof wanted === "string") expect((await failureOf({ run })).code).toBe(wanted);
  else expect(lines(((await run.output) as { messages: unknown }).messages)).toEqual(wanted);
});

test("branches that write at the same time land in the order of the graph, each with its calls together", async () => {
  const { run } = runWith(
    `graph Both() returns messages {
  state { messages: Messages }
  run slow = slow() writes messages
  run fast = fast() writes messages
  start -> [slow, fast] -> end
}`,
    {
      slow: async () => {
        await new Promise((done) => setImmediate(done));
        return ["a", "b"];
      },
      fast: () => ["c"],
    },
  );
  expect(lines(((await run.output) as { messages: unknown }).messages)).toEqual([
    "user: a",
    "user: b",
    "user: c",
  ]);
});

test("a prompt shows a conversation as a text, and expressions read it as a list", async () => {
  const { run } = runWith(
    `model m = "scripted"
graph Sum(messages: Messages) returns answer, count {
  state { answer: string  count: int = 0 }
  agent sum { model m; prompt \`\${messages}\`; writes answer; set count = messages.filter(x => x.role == "user").length }
  start -> sum
}`,
    {},
    {
      input: { messages: [["human", "Hello"], { type: "ai", content: "Hi", name: "bob" }] },
      models: { m: scripted({ sum: ["done"] }) },
    },
  );
  const prompts: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "model.request") prompts.push(JSON.stringify(event.request));
  });
  expect(await run.output).toEqual({ answer: "done", count: 1 });
  expect(prompts.join("")).toContain("user: Hello\\nbob: Hi");
});

test("what a person says is a user's turn, and an answer that is put right stands in it once", async () => {
  const { run } = runWith(
    `model m = "scripted"
type Verdict = { good: boolean }
graph Ask() returns messages, verdict {
  state { messages: Messages  verdict: Verdict }
  human ask_them { ask \`What now?\`; writes messages }
  agent judge { model m; history messages; writes messages, verdict }
  start -> ask_them -> judge
}`,
    {},
    {
      models: { m: scripted({ judge: ["it is good", { good: true }] }) },
      answers: { ask_them: "Judge it." },
    },
  );
  const { messages, verdict } = (await run.output) as { messages: unknown; verdict: unknown };
  expect(verdict).toEqual({ good: true });
  expect(lines(messages)).toEqual(["user: Judge it.", 'judge: {"good":true}']);
});

test("a summary of what is left out is gone on with, and made anew where a message of it is gone", async () => {
  const asked: string[] = [];
  const { run } = runWith(
    `model m = "scripted"
graph Long() returns n {
  state { messages: Messages  n: int = 0 }
  agent speak { model m; prompt \`Go on.\`; history messages 2 messages summarize; writes messages; set n = n + 1 }
  start -> speak -> { n < 4 -> speak max 9, else -> end }
}`,
    {},
    {
      models: {
        m: scripted({ speak: ["one", "two", "three", "four"], "speak.summary": ["S1", "S2"] }),
      },
    },
  );
  run.events$.subscribe((event) => {
    const { purpose, messages } =
      (event as { request?: { purpose?: string; messages?: unknown } }).request ?? {};
    if (event.kind === "model.request" && purpose === "summary")
      asked.push(JSON.stringify(messages));
  });
  await run.output;
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain("S1");
  expect(asked[1]).not.toContain("one");
});

test("a long conversation is not stored anew with each turn", async () => {
  const { run, records } = runWith(
    `graph Grow() returns n {
  state { messages: Messages  n: int = 0 }
  run speak = speak(n) writes messages { set n = n + 1 }
  start -> speak -> { n < 200 -> speak max 300, else -> end }
}`,
    { speak: (n: number) => `${n} ${"word ".repeat(20)}` },
  );
  await run.output;
  const sizes = records().flatMap((record) =>
    record.kind === "commit" ? [JSON.stringify(record).length] : [],
  );
  expect(sizes).toHaveLength(200);
  expect(Math.max(...sizes)).toBeLessThan(2000);
});
