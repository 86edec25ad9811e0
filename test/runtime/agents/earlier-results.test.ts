/** What agents before have come to, in the system prompt of those after them. */
import { afterEach, expect, test } from "vitest";
import { type RunEvent, Session, scripted } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

const TEXT = `model m = "scripted"
type Result = { by: string, text: string }

graph Trip(task: string) returns answer {
  state {
    results: Result[] = [] via append
    notes:   string
    plan:    string
    answer:  string
  }
  defaults {
    model  m
    system \`\`\`
      Main task: \${task}
      Results so far:
      \${results.map(r => r.by + ": " + r.text.slice(0, 600)).join("\\n")}
      \`\`\`
  }

  agent look  { prompt \`Look.\`; writes notes, results = { by: "look", text: result.notes } }
  agent think { prompt \`Think.\`; writes plan, results = { by: "think", text: result.plan } }
  agent tell  { prompt \`Tell, from \${notes.length + plan.length} letters.\`; writes answer }

  start -> look -> think -> tell -> end
}`;

test("E26 the system prompt has the main task and the results of all earlier agents, 600 characters each", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const graph = session.compile(TEXT).Trip;
  const long = `${"a".repeat(599)}bc`;
  const models = {
    m: scripted({ look: { notes: long }, think: { plan: "By train." }, tell: "Done." }),
  };
  const run = graph?.run({ task: "Go to Ghent." }, { models });
  const systems: string[] = [];
  run?.events$.subscribe((event: RunEvent) => {
    if (event.kind !== "model.request") return;
    const { messages = [] } = event.request as {
      readonly messages?: readonly { readonly role: string; readonly content: string }[];
    };
    systems.push(messages.find(({ role }) => role === "system")?.content ?? "");
  });
  expect(await run?.output).toEqual({ answer: "Done." });
  const cut = `${"a".repeat(599)}b`;
  expect(systems.map((text) => text.replace(cut, "AAA"))).toMatchInlineSnapshot(`
    [
      "Main task: Go to Ghent.
    Results so far:


    Answer with one JSON value only, no other text and no code fence. It must fit this JSON Schema:
    {"type":"object","properties":{"notes":{"type":"string"}},"required":["notes"],"additionalProperties":false}",
      "Main task: Go to Ghent.
    Results so far:
    look: AAA

    Answer with one JSON value only, no other text and no code fence. It must fit this JSON Schema:
    {"type":"object","properties":{"plan":{"type":"string"}},"required":["plan"],"additionalProperties":false}",
      "Main task: Go to Ghent.
    Results so far:
    look: AAA
    think: By train.",
    ]
  `);
  expect(graph?.prompt("look", { task: "Go to Ghent." })).toMatchInlineSnapshot(`
    "[system]
    Main task: Go to Ghent.
    Results so far:


    Answer with one JSON value only, no other text and no code fence. It must fit this JSON Schema:
    {"type":"object","properties":{"notes":{"type":"string"}},"required":["notes"],"additionalProperties":false}

    [user]
    Look."
  `);
});
