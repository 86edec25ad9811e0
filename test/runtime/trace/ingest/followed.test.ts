/** A trace that follows the runs of its own process sees their records as they were made, not as they were read back. */
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted, tool } from "../../../../runtime/index.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { contents, newFolder } from "../store.ts";

const text = `model m = "scripted"
graph Go(n: int) returns notes, big {
  state {
    notes: Json[] = [] via append
    big:   Json[] = [] via append
  }
  agent look { model m; tools search; prompt \`Look.\`; writes notes }
  run grow = grown(big) writes big
  run fail = failing(n)
  run note = noted(n) writes notes
  limit 1k steps
  start -> look -> grow -> { big.length < 300 -> grow, else -> fail }
  fail -> note
  fail -> note on error
  note -> end
}`;

const item = { dict: { list: Array.from({ length: 200 }, (_, index) => index), apiKey: "hidden" } };
const scope = {
  search: tool(
    ({ query }: { query: string }) => `Bearer ${"x".repeat(20)} ${query} 😀 \\ud800`.repeat(500),
    {
      effect: "none",
      description: "searches",
      input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    },
  ),
  grown: (big: readonly unknown[]) => [...big, item, item, item],
  failing: (n: number) => {
    if (n > 1) throw new Error("too much");
  },
  noted: (n: number) => ({ n, at: -0, nothing: null, text: "\\u0000" }),
};

test("it has the rows of one that is built from the stored logs", async () => {
  const home = newFolder();
  const session = new Session({ env: { MADRIGAL_HOME: home } });
  onTestFinished(() => session.close());
  const graph = session.compile(text, { scope }).Go;
  if (graph === undefined) throw new Error("no graph");
  for (const n of [1, 2, 3]) {
    const script = [{ calls: [{ tool: "search", input: { query: "why" } }] }, { says: ["found"] }];
    await graph.run({ n }, { models: { m: scripted(script) } }).output;
    await session.traces();
  }
  const followed = await session.traces();
  const built = await openTraces(newFolder(), "other");
  onTestFinished(() => built.close());
  const stored = openRunStore(session.workspace);
  onTestFinished(() => stored.close());
  await built.ingest(stored);
  expect(await contents(followed)).toEqual(await contents(built));
  const [counted] = await followed.query("SELECT count(*) AS rows FROM event_log");
  expect(Number(counted?.rows)).toBeGreaterThan(60);
  expect(followed.warnings).toEqual([]);
});
