import { afterEach, expect, test } from "vitest";
import type { Script } from "../../../runtime/agents/models/scripted.ts";
import { type RunEvent, Session, scripted, tool } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

/** A model that keeps what it was asked, message by message. */
function listening(script: Script) {
  const asked: string[][] = [];
  const model = scripted(script);
  const doStream: typeof model.doStream = async (call) => {
    asked.push(call.prompt.map(({ role, content }) => `${role}: ${textOf(content)}`).slice(1));
    return await model.doStream(call);
  };
  return { asked, model: { ...model, doStream } };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as { type: string; text?: string; toolName?: string }[])
    .map(({ type, text, toolName }) => text ?? `${type} ${toolName}`)
    .join(" + ");
}

async function run(text: string, script: Script, scope = {}) {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const { asked, model } = listening(script);
  const graph = session.compile(text, { scope }).G;
  if (graph === undefined) throw new Error("no G");
  const run = graph.run({}, { models: { m: model } });
  const events: RunEvent[] = [];
  run.events$.subscribe((event) => events.push(event));
  const output = await run.output;
  return { asked, output, events, run };
}

const loop = (history: string, times = 2) => `model m = "scripted"
graph G() returns notes {
  state {
    notes: string[] = [] via append
    at: int = 0
  }
  agent write { model m; prompt \`Write \${at}\`; writes notes; set at = at + 1; ${history} }
  start -> write -> { at > ${times} -> end, else -> write max 9 }
}`;

test("an agent that is come to again sees what it said before", async () => {
  const { asked } = await run(loop(""), { write: ["a", "b", "c"] });
  expect(asked).toEqual([
    ["user: Write 0"],
    ["user: Write 0", "assistant: a", "user: Write 1"],
    ["user: Write 0", "assistant: a", "user: Write 1", "assistant: b", "user: Write 2"],
  ]);
});

test("with `history none` it begins anew each time", async () => {
  const { asked } = await run(loop("history none"), { write: ["a", "b", "c"] });
  expect(asked).toEqual([["user: Write 0"], ["user: Write 1"], ["user: Write 2"]]);
});

test("a size in turns keeps the newest, and what is left out is told", async () => {
  const { asked, events } = await run(loop("history 1 turns"), { write: ["a", "b", "c"] });
  expect(asked.at(-1)).toEqual(["user: Write 1", "assistant: b", "user: Write 2"]);
  expect(events.filter(({ kind }) => kind === "context.reduced")).toMatchObject([
    { label: "write#3", turns: 1, dropped: 1, summarized: false },
  ]);
});

test("`summarize` says in short what is left out, and goes on from the last summary", async () => {
  const script = {
    write: ["a", "b", "c", "d"],
    "write.summary": ["first a", "first a, then b"],
  };
  const { asked } = await run(loop("history 1 turns summarize", 3), script);
  const last = asked.at(-1);
  expect(last).toEqual([
    "user: What was said before, in short:\nfirst a, then b",
    "user: Write 2",
    "assistant: c",
    "user: Write 3",
  ]);
  const second = asked.at(-2)?.[0];
  expect(second).toContain("The summary so far:\nfirst a");
  expect(second).toContain("Write 1");
  expect(second).not.toContain("Write 0");
});

test("each item has a history of its own", async () => {
  const text = `model m = "scripted"
graph G() returns notes {
  state { notes: string[] = [] via append }
  agent write(n: int) { model m; prompt \`Write \${n}\`; writes notes }
  start -> each n of [1, 2] parallel 1 { write(n) } -> end
}`;
  const { asked } = await run(text, { write: ["a", "b"] });
  expect(asked).toEqual([["user: Write 1"], ["user: Write 2"]]);
});

test("M84 a round of a sentinel begins with the history before the first, and its last round is what remains", async () => {
  const text = `model m = "scripted"
graph G() returns notes {
  state {
    notes: string[] = [] via append
    at: int = 0
  }
  agent look { model m; prompt \`Look \${at}\`; writes notes; set at = at + 1; every 1ms until 2 }
  start -> look -> { at > 2 -> end, else -> look max 3 }
}`;
  const { asked } = await run(text, { look: ["a", "b", "c", "d"] });
  const before = ["user: Look 1\n\n(Round 2.)", "assistant: b"];
  expect(asked).toEqual([
    ["user: Look 0\n\n(Round 1.)"],
    ["user: Look 1\n\n(Round 2.)"],
    [...before, "user: Look 2\n\n(Round 1.)"],
    [...before, "user: Look 3\n\n(Round 2.)"],
  ]);
});

test("tool calls are remembered with their results", async () => {
  const look = tool(() => "seen", { effect: "none" });
  const { asked } = await run(
    loop("tools look", 1),
    { write: [{ calls: [{ tool: "look" }] }, "a", "b"] },
    { look },
  );
  expect(asked.at(-1)).toEqual([
    "user: Write 0",
    "assistant: tool-call look",
    "tool: tool-result look",
    "assistant: a",
    "user: Write 1",
  ]);
});

test("a rewound run remembers what counts, and a run found in its log as much", async () => {
  const { run: ran } = await run(loop(""), {
    write: ["a", "b", "c", "again", "once more"],
  });
  await ran.rewind(1);
  await ran.continue();
  const requests = ran.steps.map(({ output }) => output);
  expect(requests).toEqual(["a", "again", "once more"]);
});

test("`context` says how much of a long conversation is shown, and the trace that it was less", async () => {
  const look = tool(() => "seen ".repeat(40), { effect: "none" });
  const calls = { calls: [{ tool: "look" }] };
  const { asked, events } = await run(
    loop("tools look; context { offload: 10, keep: 1 }", 0),
    { write: [calls, calls, "a"] },
    { look },
  );
  expect(asked.map((messages) => messages.length)).toEqual([1, 3, 3]);
  expect(events.filter(({ kind }) => kind === "context.shaped")).toMatchObject([
    { label: "write#1", offloaded: 1, dropped: 0 },
    { label: "write#1", offloaded: 1, dropped: 1 },
  ]);
});

test("M51 with `history thread` a follow-up sees what earlier runs of its thread said, and no other thread's", async () => {
  const text = `model m = "scripted"
graph G(question: string) returns answer {
  state { answer: string }
  agent reply { model m; prompt \`\${question}\`; writes answer; history thread }
  start -> reply -> end
}`;
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const { asked, model } = listening({ reply: ["a", "b", "c"] });
  const { G } = session.compile(text);
  const ask = (question: string, thread: string) =>
    G?.run({ question }, { thread, models: { m: model } }).output;
  await ask("Who?", "t");
  await ask("Where?", "u");
  await ask("And when?", "t");
  expect(asked).toEqual([
    ["user: Who?"],
    ["user: Where?"],
    ["user: Who?", "assistant: a", "user: And when?"],
  ]);
});
