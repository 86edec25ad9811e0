/** Runs that came in as spans, listed and taken away. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const recorded = join(import.meta.dirname, "langgraph.jsonl");

function newSession(home: string): Session {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: home } });
  onTestFinished(() => session.close());
  return session;
}

test("they are listed by graph, thread, status and number; deleted, they are in no trace", async () => {
  const home = newFolder();
  const session = newSession(home);
  expect(await session.spans.list()).toEqual([]);
  const { runs } = await session.spans.import(recorded);
  const [runId = ""] = runs;
  const [run, ...others] = await session.spans.list();
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    run_id: runId,
    graph: "Weather",
    origin: "otlp:langgraph-weather",
    status: "succeeded",
    steps: 6,
  });
  const thread = run?.thread_id ?? "";
  const count = async (filter: object) => (await session.spans.list(filter)).length;
  expect(await count({ graph: "Weather", thread, status: "succeeded", limit: 3 })).toBe(1);
  expect(await count({ graph: "Other" })).toBe(0);
  expect(await count({ thread: "other" })).toBe(0);
  expect(await count({ status: "failed" })).toBe(0);
  expect(session.spans.delete("no such run")).toBeUndefined();
  expect(() => session.spans.assertHasLog(runId)).toThrow(
    expect.objectContaining({ code: "M5435" }),
  );
  expect(session.spans.delete(runId.slice(0, 12))).toBe(runId);
  expect(await session.spans.list()).toEqual([]);
  const traces = await newSession(home).traces();
  expect(await traces.query("SELECT run_id FROM runs")).toEqual([]);
  expect(await traces.query("SELECT run_id FROM events")).toEqual([]);
});

test("old ones are pruned, but for the newest of each thread", async () => {
  const session = newSession(newFolder());
  const { runs } = await session.spans.import(recorded);
  expect(await session.spans.prune({})).toEqual([]);
  expect(await session.spans.prune({ olderThanMs: 1e14 })).toEqual([]);
  expect(await session.spans.prune({ olderThanMs: 0, keep: 1 })).toEqual([]);
  expect(await session.spans.prune({ olderThanMs: 0, isTrial: true })).toEqual(runs);
  expect(await session.spans.list()).toHaveLength(1);
  expect(await session.spans.prune({ olderThanMs: 0 })).toEqual(runs);
  expect(await session.spans.list()).toEqual([]);
});
