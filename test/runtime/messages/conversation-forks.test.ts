/** Conversations of runs that were: forked with other messages, told as tests, asked in SQL. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { type Run, runTest, scripted, tool } from "../../../runtime/index.ts";
import { newSession, runWith } from "../scoped-run.ts";

const flights = {
  find: tool(({ to }: { to: string }) => `9:40 to ${to}`, {
    effect: "none",
    description: "finds flights",
    input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  }),
};

const DESK = `model m = "scripted"
graph Desk(question: string) returns messages {
  state { messages: Messages }
  defaults { model m; history messages; writes messages }
  agent clerk { tools flights.find; prompt \`\${question}\` }
  agent critic "checks" { }
  start -> clerk -> critic -> end
}`;

const answers = {
  clerk: [{ calls: [{ tool: "flights.find", input: { to: "Oslo" } }] }, "There is one at 9:40."],
  critic: ["That is right.", "Bergen it is."],
};

const options = () => ({
  input: { question: "When can I fly?" },
  models: { m: scripted(answers) },
});

interface Told {
  readonly id?: string;
  readonly role: string;
  readonly content: string;
}

function talkOf(run: Run): readonly Told[] {
  return run.state.messages as readonly Told[];
}

test("a run is forked with another conversation: its messages have ids, and its agent is shown them", async () => {
  const { run } = runWith(DESK, { flights }, options());
  await run.output;
  const before = talkOf(run);
  const given = ["When can I fly?", { role: "assistant", name: "clerk", content: "To Bergen?" }];
  const branch = run.fork(1, { messages: given });
  const shown: string[] = [];
  branch.events$.subscribe((event) => {
    if (event.kind === "model.request" && event.node === "critic")
      shown.push(JSON.stringify(event.request));
  });
  await branch.output;
  expect(shown.at(-1)).toContain('"history":{"turns":2,"messages":2}');
  const after = talkOf(branch);
  expect(after.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    "user: When can I fly?",
    "assistant: To Bergen?",
    "assistant: Bergen it is.",
  ]);
  expect(new Set(after.map(({ id }) => id)).size).toBe(3);
  expect(talkOf(run)).toEqual(before);
  expect(branch.replay().ok).toBe(true);
});

test("a function changes single messages of a fork, also by pushing a text", async () => {
  const { run } = runWith(DESK, { flights }, options());
  await run.output;
  const branch = run.fork(1, (state) => {
    const talk = state.messages as { content: string }[];
    talk.splice(1, 2);
    Object.assign(talk[0] ?? {}, { content: "When can I sail?" });
    (talk as unknown[]).push("Quick, please.");
  });
  await branch.output;
  expect(talkOf(branch).map(({ content }) => content)).toEqual([
    "When can I sail?",
    "There is one at 9:40.",
    "Quick, please.",
    "Bergen it is.",
  ]);
});

test.each<[string, unknown, string]>([
  ["what is no message", [{ text: "Hi" }], "M8690"],
  ["a removal", [{ remove: "all" }], "M8690"],
])("a fork is refused %s, and nothing is done", async (_, messages, code) => {
  const { run } = runWith(DESK, { flights }, options());
  await run.output;
  expect(() => run.fork(1, { messages })).toThrow(expect.objectContaining({ code }));
});

test("two messages of one id come to the later one, as where a node writes them", async () => {
  const { run } = runWith(DESK, { flights }, options());
  await run.output;
  const branch = run.fork(1, {
    messages: [
      { id: "a", role: "user", content: "One" },
      { id: "a", role: "user", content: "Two" },
    ],
  });
  await branch.output;
  expect(talkOf(branch).map(({ content }) => content)).toEqual(["Two", "Bergen it is."]);
});

test("a run with a conversation becomes a test, with calls of tools and what its texts came to", async () => {
  const { run } = runWith(DESK, { flights }, options());
  await run.output;
  expect(await run.toTest({ name: "a flight" })).toMatchInlineSnapshot(`
    "test "a flight" of Desk {
      given question = "When can I fly?"
      clerk calls { tool: "flights.find", input: { to: "Oslo" }, result: "9:40 to Oslo" }, says "There is one at 9:40."
      critic says "That is right."
      expect path clerk -> critic -> end
      expect messages.map(x => x.content) == ["When can I fly?", "", "9:40 to Oslo", "There is one at 9:40.", "That is right."]
    }
    "
  `);
});

test("the turn of a thread becomes a test that begins with what was said before", async () => {
  const session = newSession();
  const text = `model m = "scripted"
graph Chat(question: string) returns messages, answer {
  state thread { messages: Messages }
  state { answer: string }
  agent reply { model m; prompt \`\${question}\`; history messages; writes messages, answer }
  start -> reply
}`;
  const models = { m: scripted({ reply: ["Hello.", "Ann."] }) };
  const turn = async (question: string) => {
    const { run } = runWith(text, {}, { session, thread: "t", input: { question }, models });
    await run.output;
    return run;
  };
  await turn("I am Ann.");
  const second = await turn("Who am I?");
  const told = await second.toTest({ name: "it remembers" });
  expect(told.replaceAll(/"m-[0-9a-f]{12}"/g, '"ID"')).toMatchInlineSnapshot(`
    "test "it remembers" of Chat {
      given question = "Who am I?"
      given messages = [{ id: "ID", role: "user", content: "I am Ann." }, { id: "ID", role: "assistant", name: "reply", content: "Hello." }]
      reply says "Ann."
      expect path reply -> end
      expect messages.map(x => x.content) == ["I am Ann.", "Hello.", "Who am I?", "Ann."]
      expect answer == "Ann."
    }
    "
  `);
});

test("an agent that writes a conversation alone hands over, or answers, in a test", async () => {
  const text = `model m = "scripted"
graph Airline(question: string) returns messages {
  state { messages: Messages }
  defaults { model m; history messages; writes messages }
  agent front "greets" { prompt \`\${question}\` }
  agent seats "changes seats" { }
  start -> front -> seats | end
  seats -> end
}`;
  const said = async (script: object) => {
    const models = { m: scripted(script as Record<string, string[]>) };
    const { run } = runWith(text, {}, { input: { question: "A seat." }, models });
    await run.settled();
    return await run.toTest({ name: "it is said" });
  };
  const calls = [{ tool: "handoff", input: { to: "seats", task: "a seat" } }];
  expect(await said({ front: [{ calls }], seats: ["12A."] })).toMatchInlineSnapshot(`
    "test "it is said" of Airline {
      given question = "A seat."
      front says { goto: "seats", handoff: { task: "a seat" } }
      seats says "12A."
      expect path front -> seats -> end
      expect messages.map(x => x.content) == ["A seat.", "12A."]
    }
    "
  `);
  expect(await said({ front: ["We have none."] })).toMatchInlineSnapshot(`
    "test "it is said" of Airline {
      given question = "A seat."
      front says "We have none."
      expect path front -> end
      expect messages.map(x => x.content) == ["A seat.", "We have none."]
    }
    "
  `);
});

test("conversations are asked in SQL: who said what at which step, with calls and results", async () => {
  const session = newSession();
  const { run } = runWith(DESK, { flights }, { session, ...options() });
  await run.output;
  const traces = await session.traces();
  const rows = await traces.query(
    `SELECT step, position, node, role, name, text, tool_calls[0].tool AS calls, tool_call_id IS NOT NULL AS answers
FROM conversation_messages WHERE run_id = ? ORDER BY step, position`,
    [run.id],
  );
  expect(rows.map((row) => Object.values(row).map(String).join(" | "))).toMatchInlineSnapshot(`
    [
      "1 | 0 | clerk | user | null | When can I fly? | null | false",
      "1 | 1 | clerk | assistant | clerk |  | flights.find | false",
      "1 | 2 | clerk | tool | null | 9:40 to Oslo | null | true",
      "1 | 3 | clerk | assistant | clerk | There is one at 9:40. | null | false",
      "2 | 4 | critic | assistant | critic | That is right. | null | false",
    ]
  `);
  const [all] = await traces.query(
    "SELECT json_extract_string(value, '$[*].content') AS texts FROM state_fields(?, 2) WHERE field = 'messages'",
    [run.id],
  );
  expect(all?.texts).toEqual(talkOf(run).map(({ content }) => content));
});

test("a test gives and says messages in all forms, removals too", async () => {
  const text = `model m = "scripted"
graph Chat(before: Messages) returns messages {
  state { messages: Messages = before  n: int = 0 }
  run tidy = tidy() writes messages
  run both = both() writes messages, n
  start -> tidy -> both -> end
}
test "of all forms" of Chat {
  given before = [["human", "Hi"], { id: "old", type: "ai", content: "Hello" }, "Bye"]
  tidy says [{ remove: "old" }, "Tidy"]
  both says { messages: "Both", n: 2 }
  expect messages.map(x => x.content) == ["Hi", "Bye", "Tidy", "Both"]
  expect messages[0].role == "user" && n == 2
}
test "no message" of Chat {
  given before = [{ said: "Hi" }]
  tidy says []
  both says { messages: [], n: 2 }
  expect n == 2
}`;
  const { tests, diagnostics } = check({ file: "t.madrigal", text });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const faults = [];
  for (const one of tests) faults.push((await runTest(one)).faults.map(({ code }) => code));
  expect(faults).toEqual([[], ["M8690"]]);
});
