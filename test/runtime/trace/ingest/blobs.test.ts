/** What is stored once by its hash: nobody who reads a payload sees that it is. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { redactForTrace } from "../../../../runtime/redaction/redact.ts";
import { jsonBytes, stringify } from "../../../../runtime/trace/ingest/json-size.ts";
import {
  RunBlobs,
  TEXT_LENGTH_MIN,
  WHOLE_BYTES_MAX,
} from "../../../../runtime/trace/ingest/run-blobs.ts";
import { PAYLOAD_BYTES_MAX, toBlobJson } from "../../../../runtime/trace/ingest/trace-json.ts";
import { openTraces, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { NOON, readingRun, sourceOf } from "../sample.ts";
import { contents, newFolder, traced } from "../store.ts";

const PAGE = "a page of a book. ".repeat(200);
const BOOK = "a book of pages. ".repeat(10_000);

const piece = fc.constantFrom("a", "é", "😀", "\ud800", "\\", '"', "\n", "\u0001", "\\u0001");
const short = fc.string({ unit: piece, maxLength: 8 });
const long = short.map((text) => `${text}|`.repeat(TEXT_LENGTH_MIN));
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(short, long, fc.integer(), fc.constantFrom(null, undefined, true)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(short, fc.constant("__proto__")), tie("value"), { maxKeys: 3 }),
  ),
})).value;

test("law: with its blobs put back, a payload's text is its JSON", () => {
  fc.assert(
    fc.property(value, (of) => {
      const blobs = new RunBlobs("r");
      const json = toBlobJson(of, blobs);
      const rows = blobs.take();
      expect(json === undefined).toBe(rows.length === 0);
      if (json === undefined) return;
      const data = new Map(rows.map((row) => [row.hash, row.data]));
      const pieces = json.text.split("\u0001").map((text, at) => (at % 2 ? data.get(text) : text));
      expect(pieces.join("")).toBe(stringify(of));
      expect(json.bytes).toBe(jsonBytes(of));
    }),
    { numRuns: 60 },
  );
});

test("what a tool said and the model is told is stored once, and every view shows it", async () => {
  const found = { text: PAGE, odd: `\u0001${PAGE}\ud800"\\` };
  const traces = await traced(sourceOf([readingRun("r1", { found, said: PAGE })]));
  const shown = { text: PAGE, odd: `\u0001${PAGE}\ufffd"\\` };
  const stored = await traces.query("SELECT data ->> '$' AS data FROM blobs ORDER BY bytes");
  expect(stored).toEqual([{ data: shown.text }, { data: shown.odd }]);
  const messages = [
    { role: "tool", content: [{ type: "tool-result", toolName: "docs.read", output: shown }] },
  ];
  expect(await traces.query("SELECT tool, result, status FROM tool_calls")).toEqual([
    { tool: "docs.read", result: shown, status: "ok" },
  ]);
  expect(await traces.query("SELECT request, response FROM llm_calls")).toEqual([
    { request: { messages }, response: { text: PAGE } },
  ]);
  const payloads = await traces.query(
    "SELECT kind, payload FROM events WHERE kind IN ('tool.result', 'model.request') ORDER BY seq",
  );
  expect(payloads).toEqual([
    { kind: "tool.result", payload: shown },
    { kind: "model.request", payload: { messages } },
  ]);
  const [{ request, tools } = {}] = await traces.query("SELECT request, tools FROM chain");
  expect(request).toEqual({ messages });
  expect(tools).toMatchObject([{ result: shown }]);
  expect(
    await traces.query("SELECT content FROM conversation('r1', 'search#1') ORDER BY place"),
  ).toEqual([{ content: `docs.read → ${JSON.stringify(shown)}` }, { content: PAGE }]);
});

test("messages with too long a text stay messages: that text is cut, and behind the hash that its tool's answer has", async () => {
  const traces = await traced(sourceOf([readingRun("r1", { found: BOOK })]));
  const cut = { $cut: jsonBytes(BOOK), head: JSON.stringify(BOOK).slice(0, 4_096) };
  const [{ result } = {}] = await traces.query("SELECT result FROM tool_calls");
  expect(result).toMatchObject(cut);
  const [{ request } = {}] = await traces.query("SELECT request FROM llm_calls");
  const content = [{ type: "tool-result", toolName: "docs.read", output: result }];
  expect(request).toEqual({ messages: [{ role: "tool", content }] });
  expect(await traces.query("SELECT bytes FROM blobs WHERE bytes > 65536")).toEqual([
    { bytes: jsonBytes(BOOK) },
  ]);
  const spoken = await traces.query("SELECT role FROM conversation('r1', 'search#1')");
  expect(spoken).toEqual([{ role: "tool" }, { role: "assistant" }]);
});

/** What `docs.read` said of a run, behind its cut. */
async function whole(traces: TraceStore, runId: string): Promise<unknown> {
  const [row] = await traces.query(
    "SELECT result, blob(result ->> '$.book.blob') AS book FROM tool_calls WHERE run_id = $run",
    { run: runId },
  );
  expect(row?.result).toMatchObject({ book: { $cut: jsonBytes(BOOK) }, title: PAGE });
  return row?.book;
}

test("a value that is cut is there whole behind its hash: in the file, in Parquet, after a rebuild, for an agent", async () => {
  const folder = newFolder();
  const source = sourceOf([readingRun("r1", { found: { book: BOOK, title: PAGE } })]);
  expect(BOOK.length).toBeGreaterThan(PAYLOAD_BYTES_MAX);
  const own = await openTraces(folder, "own");
  onTestFinished(() => own.close());
  await own.ingest(source);
  expect(await whole(own, "r1")).toBe(BOOK);
  const before = await contents(own);
  expect(before.blobs).not.toEqual([]);
  await own.rebuild(source);
  expect(await contents(own)).toEqual(before);
  await own.share();
  const other = await traced(sourceOf([]), folder);
  expect(await contents(other)).toEqual(before);
  expect(await whole(other, "r1")).toBe(BOOK);
  const sql = "SELECT strlen(blob(result ->> '$.book.blob')::VARCHAR) AS n FROM tool_calls";
  const { signal } = new AbortController();
  const answer = await other.answer({ runId: "of nobody", sql, signal });
  expect(JSON.stringify(answer)).toContain(`${jsonBytes(BOOK)}`);
  expect([own.warnings, other.warnings]).toEqual([[], []]);
});

test("a log that is read in parts, by one process after the other, leaves each blob once", async () => {
  const folder = newFolder();
  const run = readingRun("r1", { found: { book: BOOK, title: PAGE }, said: PAGE });
  const source = sourceOf([run]);
  for (let shown = 1; shown <= run.records.length; shown += 1) {
    source.show("r1", shown);
    const traces = await openTraces(folder, "kernel");
    await traces.ingest(source);
    await traces.close();
  }
  const last = await traced(source, folder);
  expect(await contents(last)).toEqual(await contents(await traced(sourceOf([run]))));
});

test("blobs of a run that is deleted, replaced or pruned go with it", async () => {
  const folder = newFolder();
  const deleted: string[] = [];
  const runs = ["r1", "r2", "r3"].map((id) => readingRun(id, { found: PAGE }));
  const source = { ...sourceOf(runs), deleted: () => deleted };
  const traces = await traced(source, folder);
  const kept = async () =>
    (await traces.query("SELECT run_id FROM blobs ORDER BY run_id")).map((row) => row.run_id);
  expect(await kept()).toEqual(["r1", "r2", "r3"]);
  deleted.push("r1");
  await traces.ingest(source);
  expect(await kept()).toEqual(["r2", "r3"]);
  const others = runs.map(({ meta }) => readingRun(meta.runId, { found: "short" }, NOON + 1));
  await traces.ingest({ ...sourceOf(others.slice(1, 2)), positions: () => [replaced("r2")] });
  expect(await kept()).toEqual(["r3"]);
  await traces.share();
  expect(await traces.prune({ olderThanMs: 1 })).toMatchObject({
    runIds: expect.arrayContaining(["r3"]),
  });
  expect(await kept()).toEqual([]);
  expect(readdirSync(join(folder, "runs")).filter((name) => name.endsWith(".parquet"))).toEqual([]);
});

const replaced = (runId: string) => ({ runId, lastSeq: 7, logId: 2 });

test("too long a value is cut without a blob, and so is what exceeds a run's share", () => {
  const blobs = new RunBlobs("r");
  expect(blobs.ofCut("x", WHOLE_BYTES_MAX + 1)).toBeUndefined();
  const kept = Array.from({ length: 20 }, (_, at) => blobs.ofCut(`${at}`, WHOLE_BYTES_MAX));
  expect(kept.map((blob) => blob !== undefined)).toEqual(kept.map((_, at) => at < 4));
  expect(blobs.take()).toHaveLength(4);
});

test("no blob has a secret", async () => {
  const secret = `sk-ant-api03-${"Ab9x".repeat(20)}`;
  const found = { text: `${PAGE} ${secret}`, book: `${secret} ${BOOK}`, api_key: PAGE };
  const traces = await openTraces(newFolder(), "kernel", { redact: redactForTrace });
  onTestFinished(() => traces.close());
  await traces.ingest(sourceOf([readingRun("r1", { found })]));
  const text = JSON.stringify(await contents(traces));
  expect(text).not.toContain(secret);
  expect(await traces.query("SELECT hash FROM blobs")).toHaveLength(3);
});
