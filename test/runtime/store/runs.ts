import type { Ir } from "../../../dsl/index.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import type { Owner, RunMeta, SummaryUpdate } from "../../../runtime/store/run-store.ts";
import { noUsage } from "../../../runtime/usage.ts";

export function ir(name = "Tiny"): Ir {
  return {
    irVersion: 1,
    hash: `hash-of-${name}`,
    name,
    imports: [],
    models: [],
    mcps: [],
    types: [],
    config: [],
    memories: [],
    params: [],
    returns: [],
    fields: [],
    nodes: [],
    edges: [],
    approvals: [],
    breaks: [],
    endWhen: [],
  };
}

export function meta(runId: string, more: Partial<RunMeta> = {}): RunMeta {
  const graph = more.graph ?? "Tiny";
  return {
    runId,
    threadId: "thread-1",
    graph,
    graphHash: `hash-of-${graph}`,
    ir: ir(graph),
    models: { fast: "rules" },
    durability: "async",
    createdAt: 1_000,
    ...more,
  };
}

/** Some record with this number; `value` is what came back from outside. */
export function record(seq: number, value: unknown = `value ${seq}`): LogRecord {
  return {
    seq,
    at: 1_000 + seq,
    kind: "outcome",
    id: 1,
    node: "search",
    attempt: 1,
    call: seq,
    effect: "tool",
    name: "web",
    value,
    durationMs: 5,
  };
}

export function records(first: number, last: number): LogRecord[] {
  return Array.from({ length: last - first + 1 }, (_, index) => record(first + index));
}

export const running: SummaryUpdate = { status: "running", steps: 0, usage: noUsage };

export function owner(id: string, more: Partial<Owner> = {}): Owner {
  return { id, pid: 100, host: "here", ...more };
}

/** Like `record`, but now and then large enough to become a file. */
export function mixedRecord(seq: number): LogRecord {
  return seq % 16 === 10 ? record(seq, `${seq} `.repeat(100_000)) : record(seq);
}
