/** kill -9 in the middle of the main job, and a new process that goes on. */
import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDocsTools, type LogRecord, Session, type storedRuns } from "../../runtime/index.ts";
import {
  type Child,
  type Ended,
  madrigal,
  startMadrigal,
  temporaryFolder,
} from "../support/child.ts";
import { fourthRead, type GatedDocs, gatedDocs } from "./gated-docs.ts";
import { answerDeepSearch } from "./live-model.ts";
import { deepSearch, documents, liveModel, question, recordsOf, stored } from "./scene.ts";

interface Scene {
  readonly input: { readonly question: string; readonly width: number };
  readonly home: string;
  readonly docs: GatedDocs;
  readonly env: Readonly<Record<string, string>>;
}

/** Four searches, so that three are over while one waits. */
function scene(asked: string, env: Readonly<Record<string, string>> = {}): Scene {
  const input = { question: asked, width: 4 };
  const docs = gatedDocs();
  return { input, home: temporaryFolder(), docs, env: { ...env, MADRIGAL_DOCS: documents() } };
}

function start({ home, docs, env, input }: Scene, durability: string): Child {
  const words = ["run", deepSearch, "--scope", docs.scopeFile, "--durability", durability];
  const args = [...words, "--input", JSON.stringify(input), "--json"];
  return startMadrigal(args, { home, env: { ...env, ...docs.gate } });
}

function resume({ home, env }: Scene): Promise<Ended> {
  return madrigal(["resume", "last", "--json"], { home, env });
}

/** Kills it with the fourth read under way, once `isReached` holds for what it has flushed. */
async function killed(
  child: Child,
  { home }: Scene,
  isReached: (records: readonly LogRecord[]) => boolean,
): Promise<void> {
  await child.said(fourthRead);
  const { records, session } = stored(home);
  // Asked again and again: a file's change is told before SQLite lets others see what was written.
  while (!isReached(records())) await nextTurn();
  await session.close();
  child.signal("SIGKILL");
  expect(await child.ended).toMatchObject({ code: null, signal: "SIGKILL" });
}

/** The plan and three searches are committed. */
function hasOneSearchLeft(records: readonly LogRecord[]): boolean {
  return recordsOf(records, "commit").length === 4;
}

/** The calls of a log by their lasting names: how often each was begun and came back. */
function callCounts(records: readonly LogRecord[]): Record<string, string> {
  const keys = new Map(recordsOf(records, "start").map(({ id, key }) => [id, key]));
  const calls = records.filter(({ kind }) => kind === "intent" || kind === "outcome");
  const byName = Object.groupBy(calls as CallRecord[], ({ node, id, attempt, call, effect }) =>
    [node, keys.get(id), attempt, call, effect].join(" "),
  );
  return Object.fromEntries(
    Object.entries(byName).map(([name, of = []]) => {
      const begun = recordsOf(of, "intent").length;
      return [name, `begun ${begun}, ended ${of.length - begun}`];
    }),
  );
}

type CallRecord = LogRecord & { readonly kind: "intent" | "outcome" };

/** The output of the same input without a kill, in this process. */
async function unbroken({
  env,
  input,
}: Pick<Scene, "env" | "input">): Promise<Record<string, unknown> | undefined> {
  const session = new Session({ store: "memory", env });
  const scope = { docs: createDocsTools({ root: env.MADRIGAL_DOCS ?? "" }) };
  const graph = session.compile(readFileSync(deepSearch, "utf8"), { scope }).DeepSearch;
  const output = await graph?.invoke(input);
  await session.close();
  return output;
}

test.each(["sync", "async"])(
  "killed with one search left (%s), a live run ends as an unbroken one, and asks the model nothing twice",
  async (durability) => {
    const { server, env } = await liveModel(answerDeepSearch);
    const here = scene(question, env);
    const child = start(here, durability);
    await killed(child, here, hasOneSearchLeft);
    const { server: other, env: otherEnv } = await liveModel(answerDeepSearch);
    const expected = await unbroken({ ...here, env: { ...here.env, ...otherEnv } });

    const before = stored(here.home);
    const { status, owner } = before.session.store.find("last");
    expect([status, owner]).toEqual(["running", undefined]);
    const flushed = recordsOf(before.records(), "outcome").filter(
      ({ effect }) => effect === "model",
    );
    await before.session.close();

    const ended = await resume(here);
    const run = JSON.parse(ended.stdout);
    expect([ended.code, run.status, run.output]).toEqual([0, "succeeded", expected]);
    const after = stored(here.home);
    // plan 1, four searches of 3, write 1; all but the last search's last and the report's were flushed before.
    const [{ calls } = {}] = await after.sql("SELECT count(*)::INTEGER AS calls FROM llm_calls");
    expect({ flushed: flushed.length, calls, requests: server.requests.length }).toEqual({
      flushed: 12,
      calls: 14,
      requests: 14,
    });
    expect(other.requests.length).toBe(14);
    const counts = callCounts(after.records());
    expect(Object.keys(counts)).toHaveLength(14 + 8);
    expect(new Set(Object.values(counts))).toEqual(new Set(["begun 1, ended 1"]));
    // The read that was in flight is the only thing that was done twice.
    const reads = here.docs.reads();
    expect(reads).toHaveLength(5);
    expect(reads[4]).toBe(reads[3]);
    await after.session.close();

    const again = await resume(here);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("error[M5004]")]);
    expect(JSON.parse(again.stdout)).toMatchObject({ version: 1, error: { code: "M5004" } });
  },
);

test("killed as the fourth read begins, a run of `rules` ends as an unbroken one", async () => {
  const here = scene(
    "How do I search full text with prefix and fuzzy matching, and how do I produce the next immutable state?",
  );
  await killed(start(here, "async"), here, hasOneSearchLeft);
  const before = stored(here.home);
  const flushed = Object.entries(callCounts(before.records()));
  await before.session.close();

  const ended = await resume(here);
  const run = JSON.parse(ended.stdout);
  expect([ended.code, run.status, run.output]).toEqual([0, "succeeded", await unbroken(here)]);
  expect(run.model_sources).toEqual(["rules"]);
  const after = stored(here.home);
  const counts = callCounts(after.records());
  for (const [name] of flushed) expect(counts).toHaveProperty([name]);
  expect(new Set(Object.values(counts))).toEqual(new Set(["begun 1, ended 1"]));
  const [calls] = await after.sql(`
    SELECT
      (SELECT count(*) FROM llm_calls)::INTEGER AS model,
      (SELECT count(*) FROM tool_calls)::INTEGER AS tool`);
  const { modelCalls, toolCalls } = after.session.store.find("last").usage;
  expect(calls).toEqual({ model: modelCalls, tool: toolCalls });
  expect(Object.keys(counts)).toHaveLength(modelCalls + toolCalls);
});

test("killed before anything but its input was stored (exit), a run starts over", async () => {
  const { server, env } = await liveModel(answerDeepSearch);
  const here = scene(question, env);
  await killed(start(here, "exit"), here, () => true);
  const before = stored(here.home);
  expect(before.records().map(({ kind }) => kind)).toEqual(["run"]);
  const asked = server.requests.length;
  await before.session.close();

  const ended = await resume(here);
  expect([ended.code, JSON.parse(ended.stdout).output.report]).toEqual([
    0,
    expect.stringContaining("What the documents say"),
  ]);
  const [{ calls } = {}] = await stored(here.home).sql(
    "SELECT count(*)::INTEGER AS calls FROM llm_calls",
  );
  expect({ calls, requests: server.requests.length - asked }).toEqual({ calls: 14, requests: 14 });
});

test("killed in the moment of its start, a run has nothing to go on from, and says so", async () => {
  const home = temporaryFolder();
  const { session } = stored(home);
  const meta = { ...(await metaOfAnyRun()), runId: "a-run", threadId: "a-run" };
  const owner = { id: "gone", pid: process.pid, host: "here" };
  await session.store.create(meta, owner).close();
  const expected = { code: "M5004", message: expect.stringContaining("nothing of run `a-run`") };
  await expect(session.open("last").abort()).rejects.toMatchObject(expected);
  await session.close();
  const ended = await madrigal(["resume", "last"], { home });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(
    /^error\[M5004\]: nothing of run `a-run` .*\n {2}hint: start it again/,
  );
});

async function metaOfAnyRun(): Promise<storedRuns.RunMeta> {
  const session = new Session({ store: "memory", env: {} });
  const run = session.compile("graph G() {\n  start -> end\n}", { scope: {} }).G?.run({});
  await run?.settled();
  const meta = session.store.meta(run?.id ?? "");
  await session.close();
  return meta;
}
