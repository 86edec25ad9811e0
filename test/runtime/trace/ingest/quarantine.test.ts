/** Records that can't be traced, and files that can't be used: the rest goes on, and the user is told once. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { withoutForms } from "../../../../runtime/redaction/secret-forms.ts";
import {
  type NotOpened,
  openDatabase,
  type TraceDatabase,
} from "../../../../runtime/trace/database/database.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { searchRun, sourceOf } from "../sample.ts";
import { contents, lines, newFolder, traced } from "../store.ts";

/** A run whose record at `index` is of no kind that we know, as another version may have written it. */
function strange(index: number) {
  const { meta, records } = searchRun("r1");
  const other = {
    ...records[index],
    kind: "telepathy",
    at: records[index]?.at,
  } as unknown as LogRecord;
  return { meta, records: records.map((record, at) => (at === index ? other : record)) };
}

test.each([0, 5, 8, 21])(
  "record %i is kept aside with its reason, and the rest goes on",
  async (index) => {
    const source = sourceOf([strange(index), searchRun("r2")]);
    const traces = await traced(source);
    const aside = "SELECT run_id, seq, kind FROM quarantine ORDER BY seq";
    const [first = ""] = (await lines(traces, aside)).split("\n");
    expect(first).toBe(`r1 ${index + 1} telepathy`);
    const [row] = await traces.query("SELECT reason, record FROM quarantine ORDER BY seq");
    expect(String(row?.reason)).not.toBe("");
    expect(JSON.parse(String(row?.record))).toMatchObject({ kind: "telepathy" });
    const other = await traces.query("SELECT status FROM runs WHERE run_id = 'r2'");
    expect(other).toEqual([{ status: "succeeded" }]);
    // It is read once: the next pass finds nothing new.
    expect(await traces.ingest(source)).toBe(0);
    const told = traces.warnings.filter(({ code }) => code === "M5402");
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain("r1");
  },
);

test("a rebuild keeps aside what it can't trace, and nothing else", async () => {
  const traces = await traced(sourceOf([strange(8)]));
  const before = await contents(traces);
  await traces.rebuild(sourceOf([strange(8)]));
  expect(await contents(traces)).toEqual(before);
  expect(await lines(traces, "SELECT count(*) FROM quarantine")).toBe("1");
  await traces.rebuild(sourceOf([searchRun("r1")]));
  expect(await lines(traces, "SELECT count(*) FROM quarantine")).toBe("0");
  expect(await contents(traces)).toEqual(await contents(await traced(sourceOf([searchRun("r1")]))));
});

test("a payload of 50 MB is cut, quickly, and the run's other rows are there", async () => {
  const { meta, records } = searchRun("r1");
  const huge = "x".repeat(50 * 2 ** 20);
  const withHuge = records.map((record) =>
    record.kind === "outcome" && record.effect === "tool" ? { ...record, value: [huge] } : record,
  );
  const traces = await traced(sourceOf([{ meta, records: withHuge }]));
  const sql =
    "SELECT (result ->> '$.\"$cut\"')::BIGINT > 50000000 AS cut, strlen(result::VARCHAR) < 70000 AS short FROM tool_calls";
  expect(await traces.query(sql)).toEqual([{ cut: true, short: true }]);
  expect(await lines(traces, "SELECT status, steps FROM runs")).toBe("succeeded 4");
});

test("a clock that goes backwards leaves rows in the order of the log", async () => {
  const { meta, records } = searchRun("r1");
  const back = records.map((record, index) =>
    index < 10 ? record : { ...record, at: record.at - 3_600_000 },
  );
  const traces = await traced(sourceOf([{ meta, records: back as LogRecord[] }]));
  expect(traces.warnings).toEqual([]);
  const asOrdered = await traced(sourceOf([searchRun("r1")]));
  const kinds = "SELECT string_agg(kind, ' ' ORDER BY seq, part) AS kinds FROM events";
  expect(await traces.query(kinds)).toEqual(await asOrdered.query(kinds));
});

test("scores and prices of an outdated file go over into the one that takes its place", async () => {
  const folder = newFolder();
  const file = join(folder, "live-kernel.duckdb");
  const old = assertOpened(await openDatabase(file));
  await old.writer.run("INSERT INTO scores (run_id, name, value) VALUES ('r1', 'useful', 0.5)");
  await old.writer.run("ALTER TABLE model_prices DROP COLUMN cached_usd");
  await old.writer.run("INSERT INTO model_prices (model, input_usd) VALUES ('m', 3)");
  await old.writer.run("DROP TABLE model_contexts");
  await old.writer.run("UPDATE meta SET value = 'older' WHERE key = 'schema'");
  old.close();
  const traces = await openTraces(folder, "kernel");
  onTestFinished(() => traces.close());
  expect(traces.warnings.map(({ code }) => code)).toEqual(["M6004"]);
  expect(await lines(traces, "SELECT run_id, value FROM scores")).toBe("r1 0.5");
  expect(await lines(traces, "SELECT model, input_usd, cached_usd FROM model_prices")).toBe(
    "m 3 null",
  );
});

function assertOpened(opened: TraceDatabase | NotOpened): TraceDatabase {
  if ("kind" in opened) throw new Error(opened.message);
  return opened;
}

test("a text of megabytes is looked through in parts, and no secret stands between two of them", () => {
  const words = "word ".repeat(210_000);
  const secret = `sk-${"a1B2c3D4e5F6g7H8".repeat(3)}`;
  const key = `-----BEGIN PRIVATE KEY-----\n${"MIIabcdef\n".repeat(40)}-----END PRIVATE KEY-----`;
  for (const hidden of [secret, key]) {
    for (let at = 999_500; at < 1_000_100; at += 37) {
      const text = withoutForms(`${words.slice(0, at)} ${hidden} ${words.slice(at)}`);
      expect(/a1B2c3D4|MIIabc/.test(text), `at ${at}`).toBe(false);
    }
  }
});
