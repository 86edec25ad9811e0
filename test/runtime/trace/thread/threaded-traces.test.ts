/** Traces in a thread of their own are the same as those in this thread: rows, errors, secrets, what people write. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RunError, Session, scripted } from "../../../../runtime/index.ts";
import { memoryRunStore, openRunStore } from "../../../../runtime/store/open-store.ts";
import type { RunStore } from "../../../../runtime/store/run-store.ts";
import { SqlError } from "../../../../runtime/trace/trace-store.ts";
import { readingRun, searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, storeIn, traced } from "../store.ts";
import { threaded } from "./thread.ts";

const text = `model m = "scripted"
graph Go(n: int) returns notes {
  state { notes: Json[] = [] via append }
  agent look { model m; prompt \`Look \${n}.\`; writes notes }
  run note = noted(n) writes notes
  start -> look -> note -> end
}`;
const scope = { noted: (n: number) => ({ n, at: -0, nothing: null, text: "\\u0000 😀" }) };

/** The store of a session that has run the graph so many times. */
async function storeWithRuns(keep: "disk" | "memory", runs: number): Promise<RunStore> {
  const session = new Session({ store: keep, env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(text, { scope }).Go;
  for (let n = 0; n < runs; n += 1)
    await graph?.run({ n }, { models: { m: scripted([{ says: ["found"] }]) } }).output;
  return session.store;
}

test.each(["disk", "memory"] as const)(
  "it has the rows of one in this thread, of a store in %s",
  async (keep) => {
    const store = await storeWithRuns(keep, 3);
    const { traces } = await threaded(store, newFolder());
    expect(await traces.ingest(store)).toBeGreaterThan(10);
    expect(await traces.ingest(store)).toBe(0);
    const rows = await contents(traces);
    expect(rows.runs).toHaveLength(3);
    expect(rows).toEqual(await contents(await traced(store)));
    expect(await traces.rebuild(store)).toBeGreaterThan(10);
    expect(await contents(traces)).toEqual(rows);
    expect(traces.warnings).toEqual([]);
  },
);

test("a run in memory that has ended goes on: its rows are those of the whole log", async () => {
  const [run] = [searchRun("a")];
  const source = sourceOf([run, searchRun("b")]);
  const { traces } = await threaded(memoryRunStore(), newFolder());
  source.show("a", 5);
  await traces.ingest(source);
  source.show("a", run.records.length);
  await traces.ingest(source);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("a run that is deleted in memory is in no trace any more", async () => {
  const store = await storeWithRuns("memory", 2);
  const { traces } = await threaded(store, newFolder());
  await traces.ingest(store);
  const [first] = store.list();
  store.delete(first?.runId ?? "");
  await traces.ingest(store);
  const left = store.list().map(({ runId }) => ({ run_id: runId }));
  expect(left).toHaveLength(1);
  expect(await traces.query("SELECT run_id FROM runs")).toEqual(left);
});

test("a value that a query names as a table is read part by part, and no other", async () => {
  const { traces } = await threaded(memoryRunStore(), newFolder());
  const asked: string[] = [];
  const value = (name: string, parts: number) => ({
    name,
    async read(at: number) {
      asked.push(`${name} ${at}`);
      if (name === "broken") throw new RunError("M7841", "it can't be read", { hint: "mend it" });
      return at < parts
        ? { type: '[{"n":"BIGINT"}]', rows: `[{"n":${at}},{"n":null}]` }
        : undefined;
    },
  });
  const tables = [value("three", 3), value("other", 1), value("broken", 1)];
  const sql = "SELECT count(*) AS rows, sum(n) AS n FROM Three";
  const { rows } = await traces.ask(sql, [], { tables });
  expect(rows).toEqual([{ rows: 6, n: 3 }]);
  expect(asked).toEqual(["three 0", "three 1", "three 2", "three 3"]);
  await expect(traces.ask(sql)).rejects.toMatchObject({ code: "M6101" });
  await expect(traces.ask("FROM broken", [], { tables })).rejects.toMatchObject({
    code: "M7841",
    hint: "mend it",
    offset: 5,
  });
  await expect(traces.ask(sql, [], { tables, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "M6102",
  });
});

test("an error of SQL is the same error, with its place and hint", async () => {
  const { traces } = await threaded(memoryRunStore(), newFolder());
  const here = await traced(sourceOf([]));
  const wrong = "SELECT 'é',\n  'è', nodes FROM node_runs";
  for (const ask of ["query", "ask"] as const) {
    const [theirs, ours] = [await thrownBy(traces[ask](wrong)), await thrownBy(here[ask](wrong))];
    expect(theirs).toBeInstanceOf(SqlError);
    expect({ ...theirs, message: theirs.message }).toEqual({ ...ours, message: ours.message });
  }
  const unfit = await thrownBy(traces.query("SELECT $1", [(() => {}) as unknown as string]));
  expect(unfit.message).toMatch(/could not be cloned/);
  await traces.close();
  expect(await thrownBy(traces.query("SELECT 1"))).toMatchObject({ code: "M6103" });
});

async function thrownBy(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => new Error("nothing was thrown"),
    (error: Error) => error,
  );
}

const LONG = `
SELECT count(*)
FROM range(100000000) a, range(100000) b
WHERE a.range + b.range > 10`;

test("a question is cancelled by its signal, and tells how far it is", async () => {
  const { traces } = await threaded(memoryRunStore(), newFolder());
  const controller = new AbortController();
  const told: unknown[] = [];
  const asked = traces.ask(LONG, undefined, {
    signal: controller.signal,
    progress: (percent) => {
      told.push(percent);
      controller.abort();
    },
  });
  expect(await thrownBy(asked)).toMatchObject({ code: "M6102" });
  expect(told.length).toBeGreaterThan(0);
  // What else stands in the options of a caller stays there.
  const options = { rowsMax: 1, progress: () => {}, end: () => {} };
  expect((await traces.ask("FROM range(3)", [], options)).rows).toHaveLength(1);
  const before = AbortSignal.abort();
  expect(await thrownBy(traces.query(LONG, [], { signal: before }))).toMatchObject({
    code: "M6102",
  });
});

test("every kind of value comes as in this thread", async () => {
  const { traces } = await threaded(memoryRunStore(), newFolder());
  const here = await traced(sourceOf([]));
  const sql = `SELECT 1::BIGINT a, 12345678901234567890::HUGEINT b, 1.5::DECIMAL(9,2) c, 'NaN'::DOUBLE d,
    TIMESTAMP '2026-01-02 03:04:05.678901' e, DATE '2026-01-02' f, [1, NULL] g, {'x': 'y'} h, '\\x00\\xFF'::BLOB i,
    MAP {'k': 1} j, '{"p": [1]}'::JSON k, NULL l, INTERVAL 3 DAY m, '-Infinity'::DOUBLE n`;
  const params = [null, true, 7n, "text"];
  const bound = "SELECT $1 a, $2 b, $3 c, $4 d";
  expect(await traces.ask(sql)).toEqual(await here.ask(sql));
  expect(await traces.query(bound, params)).toEqual(await here.query(bound, params));
});

test("secrets that only this process knows are hidden", async () => {
  const secret = "a-perfectly-plain-word";
  const source = sourceOf([readingRun("a", { found: `it is ${secret}` })]);
  const { traces } = await threaded(memoryRunStore(), newFolder(), [
    { name: "MY_KEY", value: secret },
  ]);
  await traces.ingest(source);
  const rows = JSON.stringify(await contents(traces));
  expect(rows).not.toContain(secret);
  expect(rows).toContain("⟦secret:MY_KEY⟧");
});

test.each(["disk", "memory"] as const)(
  "scores that are written are in the store in %s, and those of others are seen",
  async (keep) => {
    const folder = newFolder();
    const store = keep === "disk" ? storeIn(folder) : memoryRunStore();
    const { traces } = await threaded(store, join(folder, "traces"));
    await traces.ask("INSERT INTO scores (run_id, name, value) VALUES ('a', 'good', 1)");
    expect(store.writable.rows().scores).toHaveLength(1);
    const revision = store.writable.revision();
    const other = keep === "disk" ? openRunStore(join(folder, "runs.sqlite")) : store;
    const [row = []] = other.writable.rows().scores;
    other.writable.replace(revision, { ...other.writable.rows(), scores: [row, row] });
    expect(await traces.query("SELECT name FROM scores")).toEqual([
      { name: "good" },
      { name: "good" },
    ]);
    if (other !== store) other.close();
  },
);
