/** A cassette made of a log has the requests and answers that a recording of the same run has, also those that show more than their own conversation. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Session, tool } from "../../../../../runtime/index.ts";
import { temporaryFolder } from "../../../../support/child.ts";
import { type Turn, talker } from "./talker.ts";

const loop = (history: string, more = "") => `model m = "rules"
graph G(question: string = "?") returns notes {
  state {
    notes: string = ""
    at: int = 1
  }
  agent write { model m; tools look; system "Be short."; prompt \`\${question} \${at}\`; writes notes; set at = at + 1; ${history} }
  start -> write -> { at > 6 -> end, else -> write max 9 }
  ${more}
}`;

const look = tool(({ at }: { at: string }) => ({ found: `what is at ${at}` }), {
  effect: "none",
  description: "looks",
  input: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
});

const said = (text: string): Turn => ({ says: [text] });
const TURNS: readonly Turn[] = [
  { calls: [{ tool: "look", input: { at: "home" } }] },
  ...["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].map(said),
];

function session(): Session {
  const made = new Session({ store: "memory", env: {}, cwd: temporaryFolder() });
  onTestFinished(() => made.close());
  return made;
}

/** The requests of a cassette by key and number, with what was said to each. */
function callsIn(file: string): readonly unknown[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const calls = lines.map((line) => JSON.parse(line));
  return calls.map(({ key, n, request, parts }) => ({ key, n, request, parts: joined(parts) }));
}

/** A log has no pieces. */
function joined(parts: readonly unknown[] = []): string {
  return parts
    .map((part) => JSON.stringify(part).match(/"(?:delta|text)":"([^"]*)"/)?.[1])
    .join("");
}

async function recordedAndExported(
  text: string,
  more: RunOptions & { readonly turns?: readonly Turn[] } = {},
  made = session(),
) {
  const { turns = TURNS, ...options } = more;
  const [graph] = Object.values(made.compile(text, { scope: { look } }));
  const folder = temporaryFolder();
  const [recorded, exported] = [join(folder, "recorded.jsonl"), join(folder, "exported.jsonl")];
  const run = graph?.run({}, { models: { m: talker(turns) }, record: recorded, ...options });
  await run?.output;
  const { leftOut } = await made.stored.cassette(run?.id ?? "", exported);
  return {
    recorded: callsIn(recorded),
    exported: callsIn(exported),
    leftOut,
    graph,
    file: exported,
  };
}

test.each([
  ["all of it", "history own"],
  ["turns", "history own 2 turns"],
  ["tokens", "history own 30 tokens"],
  ["a summary of the rest", "history own 2 turns summarize"],
  ["none", "history none"],
])("earlier conversations of the node are in it: %s", async (_, history) => {
  const { recorded, exported, leftOut } = await recordedAndExported(loop(history));
  expect(leftOut).toEqual([]);
  expect(exported).toEqual(recorded);
  expect(recorded.length).toBeGreaterThanOrEqual(7);
});

test("so are those of called graphs", async () => {
  const text = `model m = "rules"
graph Outer() returns all {
  state { all: string[] = [] via append }
  graph inner = Inner("a") writes all
  graph later = Inner("b") writes all
  start -> inner -> later -> end
}
graph Inner(topic: string) returns notes {
  state {
    notes: string = ""
    at: int = 1
  }
  agent write { model m; prompt \`\${topic} \${at}\`; writes notes; set at = at + 1 }
  start -> write -> { at > 2 -> end, else -> write max 9 }
}`;
  const { recorded, exported, leftOut } = await recordedAndExported(text);
  expect(leftOut).toEqual([]);
  expect(exported).toEqual(recorded);
  expect(recorded).toHaveLength(5);
});

test("so is what earlier runs of the thread said", async () => {
  const made = session();
  const text = loop("history thread");
  await recordedAndExported(text, { thread: "t" }, made);
  const { recorded, exported, leftOut } = await recordedAndExported(text, { thread: "t" }, made);
  expect(leftOut).toEqual([]);
  expect(exported).toEqual(recorded);
  expect(JSON.stringify(recorded[0])).toContain("three");
});

test("what interceptors changed is asked as they changed it, and the answer is the model's own", async () => {
  const { recorded, exported, leftOut } = await recordedAndExported(loop("history own"), {
    intercept: [
      {
        name: "polite",
        beforeModel: ({ messages }) => ({
          messages: [...messages, { role: "user", content: [{ type: "text", text: "Please." }] }],
          settings: { temperature: 0.25 },
        }),
        afterModel: ({ text }) => (text === "" ? undefined : { text: `${text}!` }),
      },
    ],
  });
  expect(leftOut).toEqual([]);
  expect(exported).toEqual(recorded);
  expect(JSON.stringify(exported)).toContain("Please.");
});

test("what a node's context shortens is left out and named, also where only a summary stands for it", async () => {
  const text = loop("history own; context { summarize: { every: 2 } }");
  const calls = (at: string): Turn => ({ calls: [{ tool: "look", input: { at } }] });
  const turns = [...["a", "b", "c", "d"].map(calls), ...TURNS.slice(1)];
  const { recorded, exported, leftOut } = await recordedAndExported(text, { turns });
  expect(leftOut).toEqual(["write"]);
  expect(exported.length).toBeLessThan(recorded.length);
  for (const call of exported) expect(recorded).toContainEqual(call);
});

test("the run replays from it without a model", async () => {
  const { graph, file } = await recordedAndExported(loop("history own 2 turns summarize"));
  const again = graph?.run({}, { models: { m: `cassette:${file}` } });
  expect(await again?.output).toMatchObject({ notes: expect.any(String) });
});
