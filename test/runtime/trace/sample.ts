/** Runs made by hand: what a log looks like, without an engine. */
import type { Ir, NodeIr } from "../../../dsl/index.ts";
import type { Failure } from "../../../runtime/failure.ts";
import type { LogRecord, RecordBody } from "../../../runtime/records/records.ts";
import type { TracedRun, TraceSource } from "../../../runtime/trace/trace-store.ts";
import { noUsage, type Usage } from "../../../runtime/usage.ts";

/** 2026-03-01T12:00:00Z */
export const NOON = 1_772_366_400_000;

export interface SampleRun {
  readonly meta: TracedRun;
  readonly records: readonly LogRecord[];
}

/** Numbers records from 1 and dates them 100 ms apart. */
export function numbered(bodies: readonly RecordBody[], start = NOON): LogRecord[] {
  return bodies.map((body, index) => ({ seq: index + 1, at: start + index * 100, ...body }));
}

/** A source that shows of each run's log what has been `shown`. */
export function sourceOf(runs: readonly SampleRun[]): TraceSource & {
  show(runId: string, count: number): void;
} {
  const shown = new Map(runs.map(({ meta, records }) => [meta.runId, records.length]));
  const visible = (runId: string): readonly LogRecord[] => {
    const run = runs.find(({ meta }) => meta.runId === runId);
    return run?.records.slice(0, shown.get(runId)) ?? [];
  };
  return {
    show: (runId, count) => void shown.set(runId, count),
    positions: () =>
      runs.flatMap(({ meta: { runId } }) => {
        const last = visible(runId).at(-1);
        return last === undefined ? [] : [{ runId, lastSeq: last.seq }];
      }),
    readAfter: (runId, after, enough) =>
      visible(runId)
        .filter(({ seq }) => seq > after)
        .slice(0, enough),
    meta(runId) {
      const run = runs.find(({ meta }) => meta.runId === runId);
      if (run === undefined) throw new Error(`no run ${runId}`);
      return run.meta;
    },
  };
}

export function usage(over: Partial<Usage> = {}): Usage {
  return { ...noUsage, inputTokens: 100, outputTokens: 20, modelCalls: 1, ...over };
}

export const timeout: Failure = {
  class: "transport",
  code: "M9000",
  message: "the line went dead",
};

/** plan → each task (parallel 8) search → report; one search is retried. */
export function searchRun(runId: string, start = NOON): SampleRun {
  return { meta: metaOf(runId), records: numbered(searchBodies(), start) };
}

/** A run whose only node fails for good. */
export function failedRun(runId: string, start = NOON): SampleRun {
  const denied: Failure = { class: "limit", limit: "usd", code: "M9000", message: "$1 is spent" };
  const bodies: RecordBody[] = [
    {
      kind: "run",
      input: { question: "why?" },
      state: { tasks: [] },
      flow: [activate(1, 0, 1)],
      writes: [],
      patches: [],
    },
    begin(1, "plan", "0", 1),
    {
      kind: "attempt",
      id: 1,
      node: "plan",
      attempt: 1,
      failure: denied,
      usage: noUsage,
      next: "fail",
    },
    {
      kind: "end",
      status: "failed",
      reason: "limit:usd",
      failure: denied,
      id: 1,
      node: "plan",
      attempt: 1,
      patches: [],
    },
  ];
  return { meta: metaOf(runId), records: numbered(bodies, start) };
}

/** `plan` tells `search`, which answers; nobody has read the answer. */
export function tellingRun(runId: string, start = NOON): SampleRun {
  const commit = (step: number, id: number, node: string) =>
    ({
      kind: "commit",
      step,
      id,
      node,
      attempt: 1,
      usage: noUsage,
      writes: [],
      ownWrites: 0,
      patches: [],
    }) as const;
  const told = { payload: "go", artifacts: [], createdAt: start, to: [] };
  const asked = {
    id: "m1.1",
    sender: "plan",
    receiver: "search",
    kind: "question",
    ...told,
  } as const;
  const answer = {
    id: "m2.1",
    sender: "search",
    receiver: "plan",
    kind: "answer",
    topic: "costs",
    priority: 2,
    group: 7,
    ...told,
  } as const;
  const bodies: RecordBody[] = [
    { kind: "run", input: {}, state: {}, flow: [activate(1, 0, 1)], writes: [], patches: [] },
    begin(1, "plan", "0", 1),
    { ...commit(1, 1, "plan"), messages: [asked], flow: [activate(2, 1, 1)] },
    { ...begin(2, "search", "1", 1), inbox: ["m1.1"] },
    {
      ...commit(2, 2, "search"),
      read: ["m1.1"],
      messages: [{ ...answer, replyTo: "m1.1", causedBy: ["m1.1"] }],
      flow: [{ op: "end", frame: 0, scope: 0 }],
    },
    { kind: "end", status: "succeeded", reason: "done", output: {}, patches: [], dead: ["m2.1"] },
  ];
  return { meta: metaOf(runId), records: numbered(bodies, start) };
}

/** `search` asks its tool, which answers `found`; then its model is told that, and says `said`. */
export function readingRun(
  runId: string,
  { found, said = "I see" }: { readonly found: unknown; readonly said?: unknown },
  start = NOON,
): SampleRun {
  const call = { id: 1, node: "search", attempt: 1 };
  const tool = { ...call, call: 0, effect: "tool", name: "docs.read" } as const;
  const model = { ...call, call: 1, effect: "model", name: "rules", modelSource: "rules" } as const;
  const messages = [
    { role: "tool", content: [{ type: "tool-result", toolName: "docs.read", output: found }] },
  ];
  const bodies: RecordBody[] = [
    { kind: "run", input: {}, state: {}, flow: [activate(1, 1, 1)], writes: [], patches: [] },
    begin(1, "search", "0", 1),
    { kind: "intent", ...tool, toolCallId: "call-1", request: { query: "page" } },
    { kind: "outcome", ...tool, value: found, durationMs: 10 },
    { kind: "intent", ...model, request: { messages } },
    { kind: "outcome", ...model, value: { text: said }, usage: noUsage, durationMs: 10 },
    { kind: "end", status: "succeeded", reason: "done", output: {}, patches: [] },
  ];
  return { meta: metaOf(runId), records: numbered(bodies, start) };
}

export function metaOf(runId: string): TracedRun {
  return {
    runId,
    threadId: "thread-1",
    graph: "DeepSearch",
    graphHash: "hash-1",
    ir: searchIr,
    models: { fast: "rules" },
  };
}

function searchBodies(): RecordBody[] {
  const unknownPrice = usage({ costUsd: null });
  return [
    {
      kind: "run",
      input: { question: "why?" },
      state: { question: "why?", tasks: [], findings: [], report: null },
      flow: [activate(1, 0, 1)],
      writes: [],
      patches: [],
    },
    begin(1, "plan", "0", 1),
    asked(1, "plan", 1, 0),
    {
      ...answered(1, "plan", 1, 0, { tasks: ["a", "b"] }, usage({ costUsd: 0.25 })),
      price: { input: 1500, output: 5000, source: "program" },
    },
    {
      kind: "commit",
      step: 1,
      id: 1,
      node: "plan",
      attempt: 1,
      output: { tasks: ["a", "b"] },
      usage: usage({ costUsd: 0.25 }),
      writes: [{ field: "tasks", value: ["a", "b"] }],
      ownWrites: 1,
      patches: [{ op: "replace", path: ["tasks"], value: ["a", "b"] }],
      flow: [
        expand(0, ["a", "b"]),
        item(1, 0, 0),
        activate(2, 1, 1),
        item(2, 0, 1),
        activate(3, 1, 2),
      ],
    },
    { ...begin(2, "search", "1.0", 1), args: { task: "a" }, item: 0 },
    { ...begin(3, "search", "1.1", 2), args: { task: "b" }, item: 1 },
    asked(2, "search", 1, 0),
    {
      kind: "intent",
      id: 3,
      node: "search",
      attempt: 1,
      call: 0,
      effect: "tool",
      name: "docs.search",
      toolCallId: "call-1",
      request: { query: "b" },
      guard: {
        tool: "docs.search",
        decision: "allow",
        by: "baseline",
        why: "its baseline is `never`",
        hash: "8c7dd922ad47494fc02c388e12c00eac",
      },
    },
    {
      kind: "outcome",
      id: 3,
      node: "search",
      attempt: 1,
      call: 0,
      effect: "tool",
      name: "docs.search",
      value: ["hit 1", "hit 2"],
      durationMs: 12.5,
    },
    {
      kind: "outcome",
      id: 2,
      node: "search",
      attempt: 1,
      call: 0,
      effect: "model",
      name: "rules",
      failure: timeout,
      durationMs: 250,
      transportRetries: 2,
    },
    {
      kind: "attempt",
      id: 2,
      node: "search",
      attempt: 1,
      failure: timeout,
      usage: noUsage,
      next: "retry",
      notBefore: NOON + 1_200,
    },
    { ...begin(2, "search", "1.0", 1), attempt: 2, reason: "retry", item: 0 },
    asked(2, "search", 2, 0),
    answered(2, "search", 2, 0, "found a", unknownPrice),
    {
      ...found(2, 3, 1, "b", noUsage),
      flow: [{ op: "item-end", scope: 2 }],
    },
    {
      ...found(3, 2, 2, "a", unknownPrice),
      flow: [{ op: "item-end", scope: 1 }, { op: "expanded", expansion: 0 }, activate(4, 2, 1)],
    },
    begin(4, "report", "2", 1),
    {
      ...asked(4, "report", 1, 0),
      instead: { model: "openai/gpt-5", code: "M8104", message: "the key is refused" },
    },
    answered(4, "report", 1, 0, "because", usage({ costUsd: 0.5 })),
    {
      kind: "commit",
      step: 4,
      id: 4,
      node: "report",
      attempt: 1,
      output: "because",
      usage: usage({ costUsd: 0.5 }),
      writes: [{ field: "report", value: "because" }],
      ownWrites: 1,
      patches: [{ op: "replace", path: ["report"], value: "because" }],
      flow: [{ op: "end", frame: 0, scope: 0 }],
    },
    {
      kind: "end",
      status: "succeeded",
      reason: "done",
      output: { report: "because" },
      patches: [{ op: "remove", path: ["findings", 1] }],
    },
  ];
}

export function begin(id: number, node: string, key: string, ordinal: number) {
  return { kind: "start", id, node, key, ordinal, attempt: 1, reason: "first" } as const;
}

function asked(id: number, node: string, attempt: number, call: number) {
  const request = { messages: [{ role: "user", content: "go" }] };
  const effect = { effect: "model", name: "rules", modelSource: "rules" } as const;
  return { kind: "intent", id, node, attempt, call, ...effect, request } as const;
}

function answered(
  id: number,
  node: string,
  attempt: number,
  call: number,
  value: unknown,
  spent: Usage,
) {
  const effect = { effect: "model", name: "rules", modelSource: "rules" } as const;
  const times = { durationMs: 90, firstTokenMs: 30 };
  return {
    kind: "outcome",
    id,
    node,
    attempt,
    call,
    ...effect,
    value,
    usage: spent,
    ...times,
  } as const;
}

/** The commit of a search, which appends its finding. */
function found(step: number, id: number, attempt: number, text: string, spent: Usage) {
  return {
    kind: "commit",
    step,
    id,
    node: "search",
    attempt,
    output: text,
    usage: spent,
    writes: [{ field: "findings", value: text }],
    ownWrites: 1,
    patches: [{ op: "add", path: ["findings", step - 2], value: text }],
  } as const;
}

export function activate(id: number, node: number, ordinal: number) {
  return { op: "activate", id, node, ordinal, frame: 0, seq: id, scope: 0 } as const;
}

function expand(expansion: number, items: readonly unknown[]) {
  return {
    op: "expand",
    expansion,
    each: 0,
    scope: 0,
    frame: 0,
    seq: 0,
    items,
    parallel: 8,
  } as const;
}

function item(scope: number, expansion: number, index: number) {
  return { op: "item", scope, expansion, index, frame: scope } as const;
}

function agent(name: string): NodeIr {
  return {
    name,
    kind: "agent",
    params: [],
    tools: [],
    skills: [],
    edits: [],
    writes: [],
    sets: [],
    ensures: [],
    recalls: [],
    stores: [],
    approvals: [],
  };
}

export const searchIr: Ir = {
  irVersion: 1,
  hash: "hash-1",
  source: { file: "search.madrigal", text: "graph DeepSearch() { … }" },
  name: "DeepSearch",
  imports: [],
  models: [],
  mcps: [],
  types: [],
  config: [],
  memories: [],
  params: [],
  returns: ["report"],
  fields: [],
  nodes: [agent("plan"), agent("search"), agent("report")],
  edges: [
    {
      from: { kind: "any", nodes: ["plan"] },
      on: "done",
      route: {
        kind: "each",
        each: {
          id: "task",
          variable: "task",
          items: { kind: "name", name: "tasks", of: "field" },
          onErrorSkip: false,
          entry: { kind: "to", targets: [{ node: "search", args: [] }] },
          edges: [],
          then: { kind: "to", targets: [{ node: "report", args: [] }] },
        },
      },
    },
  ],
  approvals: [],
  breaks: [],
  endWhen: [],
};
