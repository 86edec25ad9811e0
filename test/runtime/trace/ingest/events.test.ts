import { expect, test } from "vitest";
import { eventReader } from "../../../../runtime/events/event-reader.ts";
import { flowNames } from "../../../../runtime/events/flow-names.ts";
import type { RunEvent } from "../../../../runtime/events/kinds/run-event.ts";
import type { LogRecord, RecordBody } from "../../../../runtime/records/records.ts";
import { noUsage } from "../../../../runtime/usage.ts";
import {
  activate,
  begin,
  failedRun,
  metaOf,
  NOON,
  numbered,
  searchIr,
  searchRun,
  timeout,
} from "../sample.ts";

const start: RecordBody & { readonly kind: "run" } = {
  kind: "run",
  input: {},
  state: {},
  flow: [activate(1, 0, 1)],
  writes: [],
  patches: [],
};

function read(records: readonly LogRecord[], joins: readonly string[] = []): RunEvent[] {
  const names = { ...flowNames(searchIr), joins };
  const reader = eventReader({ ...metaOf("r1"), names });
  return records.flatMap((record) => reader.read(record));
}

/** `5.1 commit plan#1 …`: what tells events apart. */
function told(events: readonly RunEvent[]): string {
  return events
    .map((event) => `${event.seq}.${event.part} ${event.kind} ${gist(event)}`.trimEnd())
    .join("\n");
}

function gist(event: RunEvent): string {
  const who = "label" in event ? `${event.label}/${event.attempt} ` : "";
  switch (event.kind) {
    case "route.chosen":
      return `${event.node ?? "start"} -> ${event.to.map(({ label }) => label)} ended ${event.ended}`;
    case "attempt.started":
      return `${who}${event.reason} because of ${event.cause ?? "the run"}`;
    case "attempt.finished":
      return `${who}${event.status} ${event.durationMs}ms next ${event.next ?? "-"}`;
    case "commit":
      return `${who}step ${event.step}`;
    case "each.started":
    case "each.finished":
      return `${event.each} of ${event.items}`;
    case "join.fired":
      return event.join;
    case "join.released":
      return `${event.join} without ${event.missing}`;
    case "limit.reached":
      return `${event.limit} at ${event.node ?? "the run"}`;
    case "error":
      return `${event.failure.message} at ${event.node ?? "the run"}`;
    case "run.finished":
      return `${event.status} ${event.reason} ${event.steps} steps ${event.durationMs}ms`;
    default:
      return who.trim();
  }
}

test("a run told from its log", () => {
  expect(told(read(searchRun("r1").records))).toMatchInlineSnapshot(`
    "1.0 run.started
    1.1 route.chosen start -> plan#1 ended 0
    2.0 attempt.started plan#1/1 first because of the run
    3.0 model.request plan#1/1
    4.0 model.response plan#1/1
    5.0 attempt.finished plan#1/1 ok 300ms next -
    5.1 commit plan#1/1 step 1
    5.2 each.started task of 2
    5.3 route.chosen plan -> search#1,search#2 ended 0
    6.0 attempt.started search#1/1 first because of 1
    7.0 attempt.started search#2/1 first because of 1
    8.0 model.request search#1/1
    9.0 guard.decided search#2/1
    9.1 tool.call search#2/1
    10.0 tool.result search#2/1
    11.0 model.response search#1/1
    12.0 attempt.finished search#1/1 error 600ms next retry
    13.0 attempt.started search#1/2 retry because of 1
    14.0 model.request search#1/2
    15.0 model.response search#1/2
    16.0 attempt.finished search#2/1 ok 900ms next -
    16.1 commit search#2/1 step 2
    17.0 attempt.finished search#1/2 ok 400ms next -
    17.1 commit search#1/2 step 3
    17.2 each.finished task of 2
    17.3 route.chosen search -> report#1 ended 0
    18.0 attempt.started report#1/1 first because of 2
    19.0 model.fallback report#1/1
    19.1 model.request report#1/1
    20.0 model.response report#1/1
    21.0 attempt.finished report#1/1 ok 300ms next -
    21.1 commit report#1/1 step 4
    21.2 route.chosen report ->  ended 1
    22.0 run.finished succeeded done 4 steps 2100ms"
  `);
});

test("a failure is told once, with the limit that it is", () => {
  expect(told(read(failedRun("r1").records))).toMatchInlineSnapshot(`
    "1.0 run.started
    1.1 route.chosen start -> plan#1 ended 0
    2.0 attempt.started plan#1/1 first because of the run
    3.0 attempt.finished plan#1/1 error 100ms next fail
    3.1 limit.reached usd at plan
    3.2 error $1 is spent at plan
    4.0 run.finished failed limit:usd 0 steps 300ms"
  `);
});

test("a failure of no node is the run's own", () => {
  const records = numbered([
    start,
    { kind: "end", status: "failed", reason: "error", failure: timeout, patches: [] },
  ]);
  expect(told(read(records))).toMatchInlineSnapshot(`
    "1.0 run.started
    1.1 route.chosen start -> plan#1 ended 0
    2.0 error the line went dead at the run
    2.1 run.finished failed error 0 steps 100ms"
  `);
});

test("a join that goes on without a source was released", () => {
  const records = numbered([
    {
      ...start,
      flow: [
        { op: "fire", join: 0, scope: 0 },
        { op: "fire", join: 1, scope: 0, missing: ["search"] },
      ],
    },
  ]);
  expect(told(read(records, ["[plan, search]", "[search, report]"]))).toMatchInlineSnapshot(`
    "1.0 run.started
    1.1 join.fired [plan, search]
    1.2 join.released [search, report] without search"
  `);
});

test("an each over nothing begins and ends at once", () => {
  const records = numbered([
    {
      ...start,
      flow: [
        { op: "expand", expansion: 0, each: 0, scope: 0, frame: 0, seq: 0, items: [], parallel: 8 },
        { op: "expanded", expansion: 0 },
      ],
    },
  ]);
  expect(told(read(records))).toMatchInlineSnapshot(`
    "1.0 run.started
    1.1 each.started task of 0
    1.2 each.finished task of 0"
  `);
});

test("a pause and an abort end what is under way; what was over ends once", () => {
  const records = numbered([
    { ...start, flow: [activate(1, 0, 1), activate(2, 1, 1)] },
    begin(1, "plan", "0", 1),
    begin(2, "search", "1", 1),
    { kind: "control", verb: "pause", reason: "lunch" },
    { kind: "control", verb: "resume", owner: "kernel-2" },
    { ...begin(1, "plan", "0", 1), reason: "resume" },
    { kind: "control", verb: "abort" },
  ]);
  expect(told(read(records).slice(2))).toMatchInlineSnapshot(`
    "2.0 attempt.started plan#1/1 first because of the run
    3.0 attempt.started search#1/1 first because of the run
    4.0 attempt.finished plan#1/1 aborted 200ms next resume
    4.1 attempt.finished search#1/1 aborted 100ms next resume
    4.2 run.paused
    5.0 run.resumed
    6.0 attempt.started plan#1/1 resume because of the run
    7.0 attempt.finished plan#1/1 aborted 100ms next -
    7.1 run.finished aborted user 0 steps 600ms"
  `);
});

test("a failed run stops what ran beside the node that failed", () => {
  const records = numbered([
    { ...start, flow: [activate(1, 0, 1), activate(2, 1, 1)] },
    begin(1, "plan", "0", 1),
    begin(2, "search", "1", 1),
    {
      kind: "attempt",
      id: 1,
      node: "plan",
      attempt: 1,
      failure: timeout,
      usage: noUsage,
      next: "fail",
    },
    { kind: "end", status: "failed", reason: "error", failure: timeout, id: 1, patches: [] },
  ]);
  expect(told(read(records).slice(4))).toMatchInlineSnapshot(`
    "4.0 attempt.finished plan#1/1 error 200ms next fail
    4.1 error the line went dead at plan
    5.0 attempt.finished search#1/1 aborted 200ms next -
    5.1 run.finished failed error 0 steps 400ms"
  `);
});

test("a skipped item stops what ran in it, and nothing else", () => {
  const item = (scope: number, index: number) =>
    ({ op: "item", scope, expansion: 0, index, frame: scope }) as const;
  const records = numbered([
    {
      ...start,
      flow: [
        {
          op: "expand",
          expansion: 0,
          each: 0,
          scope: 0,
          frame: 0,
          seq: 0,
          items: [1, 2],
          parallel: 8,
        },
        item(1, 0),
        item(2, 1),
        { ...activate(1, 0, 1), scope: 1 },
        { ...activate(2, 1, 1), scope: 1 },
        { ...activate(3, 1, 2), scope: 2 },
      ],
    },
    begin(1, "plan", "0", 1),
    begin(2, "search", "1", 1),
    begin(3, "search", "2", 2),
    {
      kind: "attempt",
      id: 1,
      node: "plan",
      attempt: 1,
      failure: timeout,
      usage: noUsage,
      next: "skip",
      flow: [{ op: "item-skip", scope: 1 }],
    },
    { kind: "control", verb: "pause" },
  ]);
  expect(told(read(records).slice(5))).toMatchInlineSnapshot(`
    "4.0 attempt.started search#2/1 first because of the run
    5.0 attempt.finished plan#1/1 error 300ms next skip
    5.1 attempt.finished search#1/1 aborted 200ms next -
    6.0 attempt.finished search#2/1 aborted 200ms next resume
    6.1 run.paused"
  `);
});

test("a run's usage counts every call that came back", () => {
  const finished = read(searchRun("r1").records).at(-1);
  expect(finished).toMatchObject({ usage: { modelCalls: 4, toolCalls: 1, inputTokens: 300 } });
});

test("the calls of an attempt carry its node run, and both ends of a call one span", () => {
  const calls = read(searchRun("r1").records).filter((event) => "call" in event);
  const ofTool = calls.filter(({ kind }) => kind.startsWith("tool."));
  expect(ofTool).toMatchObject([
    { kind: "tool.call", tool: "docs.search", toolCallId: "call-1", span: 9, item: 1 },
    { kind: "tool.result", tool: "docs.search", toolCallId: "call-1", span: 9, durationMs: 12.5 },
  ]);
  expect(new Set(ofTool.map((event) => event.nodeRunId))).toEqual(new Set(["r1/1.1"]));
});

test("an attempt that goes on after a crash is a span of its own, and counts no time in between", () => {
  const again = { ...begin(1, "plan", "0", 1), reason: "resume" } as const;
  const ended = { id: 1, node: "plan", attempt: 1, usage: noUsage } as const;
  const records = numbered([
    start,
    begin(1, "plan", "0", 1),
    { kind: "control", verb: "resume" },
    again,
    { kind: "attempt", ...ended, failure: timeout, next: "retry" },
  ]);
  const spans = read(records).flatMap((event) =>
    event.kind === "attempt.started" || event.kind === "attempt.finished" ? [event.span] : [],
  );
  expect(spans).toEqual([2, 4, 4]);
  expect(read(records).at(-1)).toMatchObject({ durationMs: 100 });
});

test("a delta belongs to the attempt that is running, and to no record", () => {
  const reader = eventReader({ ...metaOf("r1"), names: flowNames(searchIr) });
  for (const record of searchRun("r1").records.slice(0, 3)) reader.read(record);
  expect(reader.transient({ nodeRun: 1, at: NOON }, { kind: "model.delta", text: "once" })).toEqual(
    {
      kind: "model.delta",
      runId: "r1",
      threadId: "thread-1",
      seq: 3,
      part: 0,
      at: NOON,
      node: "plan",
      nodeRun: 1,
      nodeRunId: "r1/0",
      label: "plan#1",
      attempt: 1,
      text: "once",
    },
  );
});

test("the same log always gives the same events", () => {
  expect(read(searchRun("r1").records)).toEqual(read(searchRun("r1").records));
});
