/** Messages in SQL: who told whom, what came of it, and what led to what. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTraces, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { sourceOf, tellingRun } from "../sample.ts";

let traces: TraceStore;

beforeAll(async () => {
  traces = await openTraces(join("/dev/null", "traces"), "kernel");
  await traces.ingest(sourceOf([tellingRun("r")]));
});

afterAll(() => traces.close());

test("A57 [DB] messages can be filtered: each with its kind, its fate and who read it when", async () => {
  const rows = await traces.query(
    "SELECT message_id, sender, recipient, kind, reply_to, content, status, read_by, read_step, topic, priority, group_id FROM messages ORDER BY seq",
  );
  expect(rows).toEqual([
    {
      message_id: "m1.1",
      sender: "plan",
      recipient: "search",
      kind: "question",
      reply_to: null,
      content: "go",
      status: "read",
      read_by: "search",
      read_step: 2,
      topic: null,
      priority: 0,
      group_id: null,
    },
    {
      message_id: "m2.1",
      sender: "search",
      recipient: "plan",
      kind: "answer",
      reply_to: "m1.1",
      content: "go",
      status: "dead",
      read_by: null,
      read_step: null,
      topic: "costs",
      priority: 2,
      group_id: 7,
    },
  ]);
});

test("A55 the lineage of a message goes back to the first one", async () => {
  const rows = await traces.query(
    "SELECT depth, message_id, sender FROM message_lineage('r', 'm2.1')",
  );
  expect(rows).toEqual([
    { depth: 0, message_id: "m2.1", sender: "search" },
    { depth: 1, message_id: "m1.1", sender: "plan" },
  ]);
});

test("who talks to whom is a matrix", async () => {
  const rows = await traces.query(
    "SELECT sender, recipient, messages, dead FROM message_matrix('r')",
  );
  expect(rows.map((row) => Object.values(row).map(String).join(" "))).toEqual([
    "plan search 1 0",
    "search plan 1 1",
  ]);
});
