import { afterEach, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { type Interceptor, Session, scripted } from "../../../runtime/index.ts";

const TEXT = `model smart = "openai/gpt-4o"
config { width: 4, modes: { fast: { width: 1, smart: "rules" }, expert: { width: 9 } } }
graph Ask(question: string) returns answer {
  state { answer: string }
  agent answer_it {
    model  smart
    system \`You answer in \${width} words.\`
    prompt \`Question: \${question}\`
    writes answer
  }
  start -> answer_it -> end
}`;

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function graph(text = TEXT) {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const { Ask } = session.compile(text);
  if (Ask === undefined) throw new Error("no graph");
  return { session, Ask };
}

const answers = (when: string) => ({ smart: scripted({ answer_it: [{ says: "yes", when }] }) });

test("E52 prompts are overridden by key: the system text and the prompt of an agent, with holes as in the program", async () => {
  const { Ask, session } = graph();
  const prompts = {
    "answer_it.system": "Answer in ${width} words, in `code` or not.",
    "answer_it.prompt": "Say it: ${question}",
  };
  const asked: unknown[] = [];
  const tap: Interceptor = {
    name: "tap",
    beforeModel: ({ messages }) => {
      asked.push(...messages);
    },
  };
  const intercept = [tap];
  const run = Ask.run({ question: "why" }, { models: answers("Say it: why"), prompts, intercept });
  expect(await run.output).toEqual({ answer: "yes" });
  expect(asked).toMatchObject([
    { role: "system", content: expect.stringContaining("Answer in 4 words, in `code` or not.") },
    { role: "user", content: [{ text: expect.stringContaining("Say it: why") }] },
  ]);
  expect(run.graphHash).not.toBe(Ask.ir.hash);
  expect(session.store.meta(run.id).prompts).toEqual(prompts);
  expect(run.replay()).toMatchObject({ ok: true });
  const again = await Ask.rerun(run, { models: answers("Say it: why"), intercept });
  expect(again.performs).toEqual([]);
  const own = await Ask.rerun(run, { prompts: {}, models: answers("Question: why") });
  expect(own.performs).toMatchObject([{ node: "answer_it" }]);
});

test("E52 a run that goes on keeps the prompts that it began with", async () => {
  const { Ask, session } = graph();
  const run = Ask.debug(
    { question: "why" },
    { models: answers("Say: why"), prompts: { "answer_it.prompt": "Say: ${question}" } },
  );
  await run.pause({ now: true });
  const again = session.open(run.id, { models: answers("Say: why") });
  await again.resume();
  expect(await again.output).toEqual({ answer: "yes" });
});

test.each([
  [{ "answer_it.sistem": "x" }, "`Ask` has no prompt `answer_it.sistem`", "did you mean"],
  [
    { "answer_it.prompt": "Hello\n`${questoin}`" },
    "answer_it.prompt:2:4 M2102 `Ask` has nothing named `questoin`",
    "did you mean `question`?",
  ],
])("prompts that are not right: %o", (prompts, message, hint) => {
  const { Ask } = graph();
  const run = () => Ask.run({ question: "" }, { models: answers(""), prompts });
  expect(run).toThrow(
    expect.objectContaining({ code: "M8177", message, hint: expect.stringContaining(hint) }),
  );
});

test("E53 a mode is a preset of settings and models: fast, normal, expert", async () => {
  const { Ask } = graph();
  const seen: string[] = [];
  const tap = {
    name: "tap",
    beforeModel: ({ model, messages }: { model: string; messages: readonly unknown[] }) => {
      seen.push(`${model} ${/in \d words/.exec(JSON.stringify(messages))?.[0]}`);
      return { veto: "seen" };
    },
  };
  const of = async (options: object) =>
    await Ask.run({ question: "?" }, { ...options, intercept: [tap] }).settled();
  await of({ mode: "fast" });
  await of({ mode: "expert", models: answers("") });
  await of({ models: answers("") });
  await of({ mode: "fast", config: { width: 2 } });
  expect(seen).toEqual([
    "rules in 1 words",
    "scripted in 9 words",
    "scripted in 4 words",
    "rules in 2 words",
  ]);
  expect(() => Ask.run({ question: "?" }, { mode: "fats" })).toThrow(
    expect.objectContaining({ code: "M8176", hint: "did you mean `fast`?" }),
  );
});

test("a graph without modes has none", () => {
  const { Ask } = graph(TEXT.replace(/, modes: .*\} \}/, " }"));
  expect(() => Ask.run({ question: "?" }, { mode: "fast" })).toThrow("has no mode `fast`");
});

test.each([
  ["modes: 3", "`modes` is no object of modes"],
  ["modes: { fast: 3 }", "the mode `fast` is no object of settings and models"],
  ["modes: { fast: { widht: 3 } }", "`widht` is no setting and no model of the file"],
  [
    'modes: { fast: { width: "3" } }',
    "`width` of the mode `fast` is not a number, like the setting",
  ],
  [
    "modes: { fast: { smart: 3 } }",
    "`smart` of the mode `fast` is not the id of a model, as a text",
  ],
  [
    "modes: { fast: { width: 1 + 2 } }",
    "`width` of the mode `fast` is not a number, like the setting",
  ],
  ["modes: { fast: { width: 1 } }", undefined],
])("E53 modes are checked: %s", (modes, message) => {
  const text = TEXT.replace(/modes: .*\} \}/, `${modes} }`);
  const { diagnostics } = check({ file: "a.madrigal", text });
  expect(diagnostics.map((one) => [one.code, one.message])).toEqual(
    message === undefined ? [] : [["M4190", message]],
  );
});

test("A44 an agent's prompt is its system text with the form of the answer, and its prompt; `beforeModel` of TypeScript puts another in its place", async () => {
  const { session } = graph();
  const { G } = session.compile(`model m = "scripted"
graph G(topic: string) returns text {
  state { text: string }
  agent plan "plans the work" { model m; prompt \`Plan \${topic}.\`; writes text }
  agent write "writes" { model m; system \`You write.\`; prompt \`Write on \${topic}.\`; writes text }
  start -> plan -> write -> end
}`);
  if (G === undefined) throw new Error("no graph");
  const asked: unknown[] = [];
  const run = G.run(
    { topic: "light" },
    {
      models: { m: scripted({ plan: [{ says: "a" }], write: [{ says: "b", when: "objective" }] }) },
      intercept: [
        {
          name: "json",
          beforeModel: ({ node, messages }) => {
            asked.push(...messages);
            if (node !== "write") return undefined;
            const state = { role: "writer", objective: "a text", state_view: { topic: "light" } };
            const content = [{ type: "text" as const, text: JSON.stringify(state) }];
            return { messages: [...messages.slice(0, 1), { role: "user" as const, content }] };
          },
        },
      ],
    },
  );
  await run.output;
  expect(asked).toMatchInlineSnapshot(`
    [
      {
        "content": "You are \`plan\`, one step of the program \`G\`. Your part: plans the work. Do what is asked and nothing else.",
        "role": "system",
      },
      {
        "content": [
          {
            "text": "Plan light.",
            "type": "text",
          },
        ],
        "role": "user",
      },
      {
        "content": "You write.",
        "role": "system",
      },
      {
        "content": [
          {
            "text": "Write on light.",
            "type": "text",
          },
        ],
        "role": "user",
      },
    ]
  `);
});
