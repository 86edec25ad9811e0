/** Converts the new records of one run into rows of events, blobs, graphs and the run itself. */
import { eventReader } from "../../events/event-reader.ts";
import { flowNames } from "../../events/flow-names.ts";
import type { RunEvent } from "../../events/kinds/run-event.ts";
import { innermost, type LogRecord } from "../../records/records.ts";
import { PrivateValues } from "../../redaction/private-values.ts";
import type { BlobRow, EventRow, GraphRow, RunRow } from "../schema/tables.ts";
import { toEventRow } from "./event-rows.ts";
import { RunBlobs } from "./run-blobs.ts";
import type { TracedRun } from "./source.ts";
import { type Redact, type TraceInto, toTraceJson } from "./trace-json.ts";

/** The end of a run's log that still grows: what the rows of its next records depend on. */
export interface RunTail {
  /** The rows of the next record. */
  read(record: LogRecord): EventRow[];
  /** Goes past a record that no row could be made of. */
  skip(record: LogRecord): void;
  /** Returns the blobs that the rows since the last call refer to, and no row before them. */
  takeBlobs(): readonly BlobRow[];
  /** The status of the run after it. */
  readonly run: RunRow;
}

/** Follows one run from its first record. */
export function runTail(traced: TracedRun, redact: Redact): RunTail {
  const { graph, forkedFrom } = traced;
  const reader = eventReader({ ...traced, names: flowNames(traced.ir) });
  const hidden = PrivateValues.of(traced.ir);
  const blobs = new RunBlobs(traced.runId);
  const into = { redact, blobs };
  const attempts = new Map<number, number>();
  let runSpan = 0;
  let run = newRun(traced);
  let last: Pick<RunEvent, "seq" | "at"> | undefined;
  return {
    get run() {
      return last === undefined ? run : { ...run, last_seq: last.seq, last_at: last.at };
    },
    takeBlobs: () => blobs.take(),
    skip(record) {
      reader.skip(record);
      last = record;
    },
    read(record) {
      const rows: EventRow[] = [];
      for (const event of hidePrivate(reader.read(record), hidden)) {
        if (event.kind === "run.started") runSpan = event.span;
        if (event.kind === "attempt.started") attempts.set(event.nodeRun, event.span);
        run = withEvent(run, event, into);
        last = event;
        const attemptSpan = (nodeRun: number) => attempts.get(nodeRun);
        const row = toEventRow(event, { ...into, graph, runSpan, attemptSpan });
        const isCopied = record.seq <= (forkedFrom?.seq ?? -1) || isServedCall(record);
        if (row !== undefined) rows.push(isCopied ? { ...row, ...COPIED } : row);
      }
      return rows;
    },
  };
}

/** Without what is private. */
function hidePrivate(
  events: readonly RunEvent[],
  hidden: PrivateValues | undefined,
): readonly RunEvent[] {
  if (hidden === undefined) return events;
  for (const event of events) hidden.learnEvent(event);
  return events.map((event) => hidden.hideEvent(event));
}

/** The cells of copied calls: a fork pays nothing for calls that the run before it made. */
const COPIED = {
  copied: true,
  input_tokens: null,
  output_tokens: null,
  cached_tokens: null,
  reasoning_tokens: null,
  cost_usd: null,
} as const satisfies EventRow;

/** A call of another run, which this one is again. */
function isServedCall(record: LogRecord): boolean {
  const made = innermost(record);
  return (made.kind === "intent" || made.kind === "outcome") && made.served !== undefined;
}

function redactedText(text: string | undefined, redact: Redact): string | null {
  return text === undefined ? null : String(redact(text));
}

/** The row of a run's graph; a key that somebody wrote into the program is hidden too. */
export function toGraphRow(
  { graph, graphHash, ir }: Pick<TracedRun, "graph" | "graphHash" | "ir">,
  redact: Redact = (value) => value,
): GraphRow {
  const { source, ...rest } = ir;
  return {
    graph_hash: graphHash,
    name: graph,
    file: source?.file ?? null,
    text: redactedText(source?.text, redact),
    ir: JSON.stringify(redact(rest)),
  };
}

function newRun({
  runId,
  threadId,
  graph,
  graphHash,
  forkedFrom,
  rerunOf,
  models,
}: TracedRun): RunRow {
  return {
    run_id: runId,
    thread_id: threadId,
    graph,
    graph_hash: graphHash,
    forked_from: forkedFrom?.runId ?? null,
    forked_from_seq: forkedFrom?.seq ?? null,
    rerun_of: rerunOf?.runId ?? null,
    status: "created",
    reason: null,
    started_at: null,
    ended_at: null,
    steps: 0,
    models: JSON.stringify(models),
    input: null,
    output: null,
    error_code: null,
    error_message: null,
    error_node: null,
    last_seq: -1,
    last_at: null,
    log_id: null,
    origin: null,
  };
}

function withEvent(run: RunRow, event: RunEvent, into: TraceInto): RunRow {
  switch (event.kind) {
    case "run.started":
      return {
        ...run,
        status: "running",
        started_at: event.at,
        input: toTraceJson(event.input, into),
      };
    case "run.paused":
      return { ...run, status: "paused", reason: event.reason ?? null };
    case "run.resumed":
      return { ...run, ...resumed };
    case "run.waiting":
      return { ...run, status: "waiting" };
    case "interrupt.answered":
      return run.status === "waiting" ? { ...run, status: "running" } : run;
    case "run.held":
      return { ...run, status: "paused", reason: event.reason };
    case "run.released":
      return { ...run, ...resumed };
    case "run.rewound":
      return { ...run, ...resumed, steps: event.step };
    case "commit":
      return event.path === undefined ? { ...run, steps: event.step } : run;
    case "run.finished":
      return {
        ...run,
        status: event.status,
        reason: event.reason,
        ended_at: event.at,
        output: toTraceJson(event.output, into),
        error_code: event.failure?.code ?? null,
        error_message: redactedText(event.failure?.message, into.redact),
        error_node: event.node ?? null,
      };
    default:
      return run;
  }
}

/** A run that has ended can go on, or back: then it has not ended, and nothing is wrong with it yet. */
const resumed = {
  status: "running",
  reason: null,
  ended_at: null,
  output: null,
  error_code: null,
  error_message: null,
  error_node: null,
} as const satisfies Partial<RunRow>;
