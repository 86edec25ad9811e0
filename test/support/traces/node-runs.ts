/** The node runs of a generated run: attempts, until one commits. */
import type { Failure } from "../../../runtime/failure.ts";
import type { EventRow, RunRow } from "../../../runtime/trace/schema/tables.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { type Alias, type Attempt, failed, turns } from "./calls.ts";
import { cellsOf, type NodeRun, type RunRows } from "./run-rows.ts";
import type { Process, Simulation } from "./simulation.ts";
import type { Words } from "./words.ts";

/** A run under way. */
export interface Run {
  readonly rows: RunRows;
  readonly clock: Simulation;
  readonly random: () => number;
  readonly words: Words;
  /** How many there are in its state. */
  findings: number;
  /** How it stands once it is over. */
  ended: Partial<RunRow> | undefined;
}

interface Doing {
  readonly alias: Alias;
  readonly turns: number;
  /** How likely it asks a person first. */
  readonly asks?: number;
  /** What it commits: both are JSON. */
  readonly outcome: () => { readonly output: string; readonly patches: string };
}

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 3;

/** Tries until an attempt commits; false once the run is over, because none did. */
export function* done(run: Run, nodeRun: NodeRun, doing: Doing): Generator<number, boolean> {
  yield PAUSE_MS;
  // Most trouble passes; some stays.
  const trouble = run.random() < 0.01 ? 0.7 : 0.012;
  for (let number = 1; ; number += 1) {
    const attempt = { ...begin(run, nodeRun, number), trouble };
    if (run.random() < (doing.asks ?? 0)) yield* ask(run, attempt);
    const failure = yield* turns(attempt, { alias: doing.alias, count: doing.turns });
    yield PAUSE_MS;
    if (failure === undefined) {
      commit(run, attempt, doing.outcome());
      return true;
    }
    const isLast = number === ATTEMPTS_MAX;
    giveUp(run, attempt, { failure, isLast });
    if (isLast) {
      finish(run, { status: "failed", reason: "error", failure, node: nodeRun.node });
      return false;
    }
    yield 250 * 2 ** number;
  }
}

function begin({ rows, clock, random, words }: Run, nodeRun: NodeRun, number: number) {
  const span = rows.record(clock.now);
  rows.add("attempt.started", {
    ...cellsOf(nodeRun),
    attempt: number,
    span_id: span,
    parent_id: 1,
    status: "running",
    reason: number === 1 ? "first" : "retry",
    payload: nodeRun.item === null ? null : `{"args":{"task":${nodeRun.item}}}`,
  });
  const startedAt = clock.now;
  return { rows, clock, random, words, nodeRun, number, span, startedAt, used: noUsage };
}

/** Begins the record that ends an attempt. */
function ended({ rows, clock }: Run, attempt: Attempt): EventRow {
  rows.record(clock.now);
  return {
    ...cellsOf(attempt.nodeRun),
    attempt: attempt.number,
    dur_us: Math.round((clock.now - attempt.startedAt) * 1_000),
  };
}

function giveUp(
  run: Run,
  attempt: Attempt,
  { failure, isLast }: { readonly failure: Failure; readonly isLast: boolean },
): void {
  const { rows } = run;
  const spans = { span_id: attempt.span, parent_id: 1 };
  const reason = isLast ? "fail" : "retry";
  rows.add("attempt.finished", { ...ended(run, attempt), ...spans, ...failed(failure), reason });
  if (!isLast) return;
  const { nodeRun, number } = attempt;
  const { status: _, ...error } = failed(failure);
  rows.add("error", { node: nodeRun.node, node_run: nodeRun.number, attempt: number, ...error });
}

function commit(
  run: Run,
  attempt: Attempt,
  { output, patches }: { readonly output: string; readonly patches: string },
): void {
  const { rows } = run;
  const cells = ended(run, attempt);
  const usage = JSON.stringify(attempt.used);
  const spans = { span_id: attempt.span, parent_id: 1 };
  rows.add("attempt.finished", {
    ...cells,
    ...spans,
    status: "ok",
    payload: `{"usage":${usage}}`,
  });
  const payload = `{"output":${output},"writes":[]}`;
  rows.add("commit", { ...cells, step: rows.nextStep(), payload, patches });
}

function* ask({ rows, clock, random, words }: Run, attempt: Attempt): Process {
  const question = words.text(50);
  const shared = {
    ...cellsOf(attempt.nodeRun),
    attempt: attempt.number,
    parent_id: attempt.span,
    name: `${attempt.nodeRun.label}-1`,
    reason: "approve",
  };
  rows.record(clock.now);
  const opened = `{"question":"${question}"}`;
  rows.add("interrupt.opened", { ...shared, status: "waiting", payload: opened });
  const waitedMs = 5_000 + random() * 120_000;
  yield waitedMs;
  rows.record(clock.now);
  rows.add("interrupt.answered", {
    ...shared,
    status: "approve",
    dur_us: Math.round(waitedMs * 1_000),
    payload: `{"question":"${question}","answer":{"kind":"approve"},"from":"person"}`,
  });
}

interface End {
  readonly status: "succeeded" | "failed";
  readonly reason: string;
  readonly output?: string;
  readonly failure?: Failure;
  readonly node?: string;
}

/** Ends the run. */
export function finish(run: Run, { status, reason, output, failure, node }: End): void {
  const { rows, clock } = run;
  rows.record(clock.now);
  const started = rows.events[0]?.ts ?? clock.now;
  const rest =
    failure === undefined ? `"output":${output}` : `"failure":${JSON.stringify(failure)}`;
  rows.add("run.finished", {
    span_id: 1,
    step: rows.step,
    name: rows.is.graph,
    status,
    reason,
    dur_us: Math.round((clock.now - started) * 1_000),
    error_class: failure?.class ?? null,
    error_code: failure?.code ?? null,
    payload: `{${rest},"steps":${rows.step}}`,
  });
  run.ended = {
    status,
    reason,
    ended_at: clock.now,
    output: output ?? null,
    error_code: failure?.code ?? null,
    error_message: failure?.message ?? null,
    error_node: node ?? null,
  };
}
