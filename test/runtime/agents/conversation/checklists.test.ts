/** Agents that keep a list of what is done: by a summary of a type, by their own field, and before their answer counts. */
import { expect, test } from "vitest";
import { rules, scripted, tool } from "../../../../runtime/index.ts";
import { newSession } from "../../scoped-run.ts";

const look = tool(({ at }: { at: number }) => `page ${at}`, {
  effect: "none",
  description: "looks at a page",
  input: { type: "object", properties: { at: { type: "number" } }, required: ["at"] },
});
const scope = { web: { look } };

test("E74 every so many answers another model lists what is done and what is not, and the agent goes on from that", async () => {
  const text = `model m = "scripted"
model lister = "rules"
type Todo = { completedList: string[], todoList: string[], loopDetection: "loop" | "no_loop" }
graph G() returns answer {
  state { answer: string }
  agent work {
    model m
    tools web.look
    prompt \`Look at all pages.\`
    context { summarize: { every: 3, by: lister, schema: Todo } }
    writes answer
  }
  start -> work -> end
}`;
  const { G } = newSession().compile(text, { scope });
  const listed: string[] = [];
  const lister = rules(({ messages }) => {
    listed.push(JSON.stringify(messages));
    return JSON.stringify({
      completedList: ["page 1"],
      todoList: ["page 9"],
      loopDetection: "loop",
    });
  });
  const asked: string[] = [];
  let turn = 0;
  const m = rules(({ messages }) => {
    asked.push(JSON.stringify(messages));
    turn += 1;
    return turn > 8 ? "all seen" : { calls: [{ tool: "web_look", input: { at: turn } }] };
  });
  const run = G?.run({}, { models: { m, lister } });
  expect(await run?.output).toEqual({ answer: "all seen" });
  expect(listed.length).toBeGreaterThan(1);
  expect(asked.at(-1)).toContain("page 9");
  expect(asked.at(-1)).toContain("loopDetection");
});

test("E74 an agent that does the same again and again is stopped by its limit, and that is no success", async () => {
  const text = `model m = "scripted"
graph G() returns answer {
  state { answer: string = "" }
  agent work { model m tools web.look prompt \`Look.\` writes answer limit 6 turns }
  start -> work -> end
}`;
  const { G } = newSession().compile(text, { scope });
  const m = rules(() => ({ calls: [{ tool: "web_look", input: { at: 1 } }] }));
  const run = G?.run({}, { models: { m } });
  await expect(run?.output).rejects.toMatchObject({ code: "M5010" });
  expect(run?.reason).toBe("limit:turns");
});

const JUDGED = `model m = "scripted"
model judge = "rules"
graph G() returns answer {
  state { answer: string }
  agent work { model m prompt \`List all three.\` writes answer ensure "all three are there" by judge }
  start -> work -> end
}`;

test("E75 an answer that a check finds incomplete goes back once with what is missing", async () => {
  const { G } = newSession().compile(JUDGED);
  const answers = ["one, two", "one, two, three"];
  const asked: string[] = [];
  const m = rules(({ messages }) => {
    asked.push(JSON.stringify(messages));
    return answers[asked.length - 1] ?? "";
  });
  const judge = rules(({ messages }) =>
    JSON.stringify({
      condition_met: JSON.stringify(messages).includes("one, two, three"),
      reason: "three is missing",
    }),
  );
  const run = G?.run({}, { models: { m, judge } });
  expect(await run?.output).toEqual({ answer: "one, two, three" });
  expect(asked.length).toBe(2);
  expect(asked[1]).toContain("three is missing");
});

test("E76 an agent marks the parts of its step as done in a field, and what it marked is what counts", async () => {
  const text = `model m = "scripted"
type Part = { id: string, status: "todo" | "done" }
graph G() returns parts, answer {
  state {
    parts: Part[] = [{ id: "a", status: "todo" }, { id: "b", status: "todo" }]
    answer: string
  }
  agent work { model m tools state.read, state.write prompt \`Do \${parts}\` writes answer, parts }
  start -> work -> end
}`;
  const { G } = newSession().compile(text);
  const parts = (a: string, b: string) => [
    { id: "a", status: a },
    { id: "b", status: b },
  ];
  const m = scripted({
    work: [
      { calls: [{ tool: "state_write", input: { parts: parts("done", "todo") } }] },
      { calls: [{ tool: "state_write", input: { parts: parts("done", "done") } }] },
      { says: { answer: "both", parts: parts("todo", "todo") } },
    ],
  } as never);
  const run = G?.run({}, { models: { m } });
  expect(await run?.output).toEqual({ answer: "both", parts: parts("done", "done") });
});
