/** Pain 15: spans that lose their parents in asynchronous code, and graphs that change under a paused run unnoticed. */
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted, tool } from "../../../runtime/index.ts";
import { errorOf } from "../store/fixtures.ts";
import { newFolder } from "../trace/store.ts";

const text = `model m = "scripted"
graph Team(topics: string[]) returns log {
  state { log: string[] = [] via append }
  agent look(topic: string) { model m; prompt \`Look at \${topic}.\`; tools find; writes log }
  run close = join(log) writes log
  start -> each topic of topics parallel 3 { look(topic) } -> close
}`;

const scope = {
  find: tool(
    async ({ word }: { word: string }) => {
      // They end in another order than they began.
      for (let turn = 0; turn < word.length; turn += 1) await Promise.resolve();
      return word;
    },
    {
      effect: "none",
      description: "finds",
      input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    },
  ),
  join: (log: string[]) => [log.join("+")],
};

const look = (word: string) => [
  { calls: [{ tool: "find", input: { word } }], when: `Look at ${word}.` },
  { says: word, when: `Look at ${word}.` },
];

async function ran() {
  const session = new Session({ env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const script = { look: ["a".repeat(20), "b", "c".repeat(9)].flatMap(look) };
  const graph = session.compile(text, { scope }).Team;
  const topics = ["a".repeat(20), "b", "c".repeat(9)];
  const run = graph?.run({ topics }, { models: { m: scripted(script) } });
  await run?.output;
  return { session, run };
}

test("pain 15 every span has its parent, and lies within it, whoever ran beside it", async () => {
  const { session, run } = await ran();
  const traces = await session.traces();
  const rows = await traces.query("FROM spans WHERE run_id = $run", { run: run?.id ?? "" });
  const spans = new Map(rows.map((row) => [String(row.span_id), row]));
  const kinds = rows.map(({ kind }) => String(kind));
  expect(new Set(kinds).size).toBeGreaterThan(2);
  const lost = rows.filter(
    ({ parent_id: parent }) => parent !== null && !spans.has(String(parent)),
  );
  expect(lost).toEqual([]);
  expect(rows.filter(({ parent_id: parent }) => parent === null)).toHaveLength(1);
});

test("pain 15 a graph that changed between pause and resume is refused with what is wrong: M5302", async () => {
  const { session, run } = await ran();
  const changed = session.compile(text.replaceAll("close", "finish"), { scope }).Team;
  const open = () => session.open(run?.id ?? "", changed === undefined ? {} : { ir: changed.ir });
  expect(await errorOf(open)).toMatch(/^M5302 run `.*` can't go on with `Team` as it is now/);
});
