/**
 * Secrets planted in the environment, in headers, prompts, tool results, and private values: in nothing that leaves a run but its log, which
 * has what nobody knows to be a secret, so that the run replays exactly.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DrivenRun, type Row, Session } from "../../../../runtime/index.ts";
import { views } from "../../../../runtime/trace/views/views.ts";
import { GUESSED, KNOWN, PRIVATE, plantedRun, told } from "../../../support/planted-run.ts";

let home: string;
let session: Session;
let run: DrivenRun;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "madrigal-leaks-"));
  session = newSession();
  run = await plantedRun(session);
  await session.traces();
});

afterAll(async () => {
  await session.close();
  rmSync(home, { recursive: true, force: true });
});

function newSession(env: Record<string, string> = {}): Session {
  return new Session({ env: { MADRIGAL_HOME: home, PLANTED_API_KEY: KNOWN, ...env } });
}

test("the log has no known secret, and everything else as it was: the run replays exactly", async () => {
  const stored = readFileSync(join(home, ".madrigal", "runs.sqlite"), "latin1");
  const wal = readFileSync(join(home, ".madrigal", "runs.sqlite-wal"), "latin1");
  expect(told(stored + wal)).not.toContain(KNOWN);
  const records = JSON.stringify(session.store.read(run.id));
  expect(told(records)).toEqual([...GUESSED, ...PRIVATE]);
  expect(run.replay().divergence).toBeUndefined();
  expect(await run.output).toEqual({ letter: "Dear ward", verdict: PRIVATE[2], age: 42_137 });
});

test("no view of the trace tells one, and private values have their hash and length", async () => {
  const traces = await session.traces();
  expect(traces.warnings).toEqual([]);
  let length = 0;
  for (const view of Object.keys(views)) {
    const text = JSON.stringify(await traces.query(`FROM ${view}`));
    length += text.length;
    expect([view, told(text)]).toEqual([view, []]);
  }
  expect(length).toBeGreaterThan(10_000);
  const [{ input, output } = {} as Row] = await traces.query("SELECT input, output FROM runs");
  const hidden = (length: number) => ({ $private: expect.stringMatching(/^[\da-f]{12}$/), length });
  expect(input).toEqual({ patient: { name: hidden(20), ward: "7" }, phone: hidden(14) });
  expect(output).toEqual({ letter: "Dear ward", verdict: hidden(21), age: hidden(5) });
});

test("no file tells one: live trace, Parquet, exported run, spans", async () => {
  const out = join(home, "out");
  mkdirSync(out);
  const file = join(out, "run.spans");
  await session.spans.export(run.id, file, { content: true });
  session.stored.export(run.id, join(out, "run.madrigal-run"));
  await session.close();
  const files = [...filesIn(join(home, ".madrigal", "traces")), ...filesIn(out)];
  expect(files.map((path) => path.replace(/^.*\./, "")).sort()).toEqual(
    expect.arrayContaining(["duckdb", "madrigal-run", "parquet", "spans"]),
  );
  for (const path of files) {
    // An exported run has its program as it is written.
    const isRun = path.endsWith(".madrigal-run");
    const others = GUESSED.filter((one) => one !== GUESSED[2]);
    const planted = isRun ? [KNOWN, ...others, ...PRIVATE] : undefined;
    expect([path, told(readFileSync(path, "latin1"), planted)]).toEqual([path, []]);
  }
  session = newSession();
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
