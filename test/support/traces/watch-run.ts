/** One run that nobody has made, of a node with `every`: its checks, a failed one, a pause, waits that grow. */
import { noUsage } from "../../../runtime/usage.ts";
import type { GeneratedRun } from "./generated-run.ts";
import { cellsOf, type NodeRun, RunRows } from "./run-rows.ts";

interface ToWatch {
  readonly runId: string;
  readonly startedAt: number;
  /** At least 1. */
  readonly checks: number;
  /** Not met by its last check: the next one is still waited for. */
  readonly isOpen?: boolean;
}

const MINUTE = 60_000;
const WAIT_MAX_MS = 12 * 60 * MINUTE;
/** The length of a round, without its wait. */
const ROUND_MS = 2_500;

/** Each wait is longer than the one before; a third of the way in a round fails, at two thirds the run is paused. */
export function watchRun({ runId, startedAt, checks, isOpen = false }: ToWatch): GeneratedRun {
  const models = JSON.stringify({ small: "generated/small" });
  const is = { runId, threadId: runId, graph: "GeneratedWatch", graphHash: "watch", models };
  const rows = new RunRows(is);
  let now = startedAt;
  const span_id = rows.record(now);
  rows.add("run.started", { span_id, step: 0, name: is.graph, status: "running", payload: "{}" });
  const [failing, pausing] = [Math.ceil(checks / 3), Math.ceil((checks * 2) / 3)];
  for (let number = 1; number <= checks; number += 1) {
    const nodeRun = rows.nodeRun("watch", `0.${number}`, {});
    const attempt = begin(rows, nodeRun, { number, at: now });
    now += ROUND_MS;
    const isFailed = number === failing && number < checks;
    const isMet = number === checks && !isOpen;
    const sleepMs = isMet ? undefined : waitAfter(number, checks);
    end(rows, nodeRun, {
      attempt,
      check: number > failing ? number - 1 : number,
      at: now,
      isFailed,
      isMet,
      since: startedAt,
      sleepMs,
    });
    now += sleepMs ?? 0;
    if (number === pausing) now += (sleepMs ?? 0) * 3;
  }
  const input = "{}";
  if (isOpen) return { events: rows.events, run: rows.row({ input }, startedAt) };
  rows.record(now);
  const ended = { status: "succeeded", reason: "done" };
  rows.add("run.finished", { span_id: 1, step: rows.step, name: is.graph, ...ended });
  const row = rows.row({ input, ...ended, ended_at: now, output: "{}" }, startedAt);
  return { events: rows.events, run: row };
}

/** From a minute to twelve hours, in equal factors. */
function waitAfter(number: number, checks: number): number {
  return Math.round(MINUTE * (WAIT_MAX_MS / MINUTE) ** (number / checks));
}

function begin(
  rows: RunRows,
  nodeRun: NodeRun,
  { number, at }: { readonly number: number; readonly at: number },
): number {
  const span = rows.record(at);
  const shared = { ...cellsOf(nodeRun), attempt: 1 };
  const started = { span_id: span, parent_id: 1, status: "running", reason: "first" };
  rows.add("attempt.started", { ...shared, ...started });
  if (number === 1) rows.add("sentinel.started", shared);
  const model = { name: "generated/small", model: "generated/small", model_source: "scripted" };
  const call = { ...shared, ...model, parent_id: span, span_id: rows.record(at + 100) };
  rows.add("model.request", { ...call, status: "running", payload: '{"messages":[]}' });
  rows.record(at + 2_000);
  const used = { input_tokens: 300, output_tokens: 12, cost_usd: 1e-4, dur_us: 1_900_000 };
  rows.add("model.response", { ...call, ...used, status: "ok", payload: '{"text":"no change"}' });
  return span;
}

function end(
  rows: RunRows,
  nodeRun: NodeRun,
  of: {
    readonly attempt: number;
    /** A round that failed is counted again. */
    readonly check: number;
    readonly at: number;
    readonly isFailed: boolean;
    readonly isMet: boolean;
    readonly since: number;
    readonly sleepMs: number | undefined;
  },
): void {
  const { check, at, isFailed, isMet, sleepMs } = of;
  rows.record(at);
  const shared = { ...cellsOf(nodeRun), attempt: 1 };
  const spans = { span_id: of.attempt, parent_id: 1, dur_us: ROUND_MS * 1_000 };
  const sinceStartMs = at - of.since;
  if (isFailed) {
    const failure = { class: "tool", code: "M8410", message: "the page did not answer" };
    const error = { status: "error", error_class: failure.class, error_code: failure.code };
    const payload = JSON.stringify({ check, errors: 1, failure });
    rows.add("attempt.finished", { ...shared, ...spans, ...error, reason: "again" });
    rows.add("sentinel.failed", { ...shared, ...error, payload });
  } else {
    const usage = { ...noUsage, inputTokens: 300, outputTokens: 12, modelCalls: 1 };
    const payload = JSON.stringify({ usage });
    rows.add("attempt.finished", { ...shared, ...spans, status: "ok", payload });
    const step = rows.nextStep();
    rows.add("commit", { ...shared, step, payload: '{"output":"","writes":[]}', patches: "[]" });
    const checked = { check, condition: "the price fell", met: isMet, errors: 0 };
    rows.add("sentinel.checked", {
      ...shared,
      step,
      status: isMet ? "met" : "not met",
      reason: isMet ? "it costs 24 now" : "the price is the same",
      payload: JSON.stringify({ ...checked, sinceStartMs }),
    });
  }
  if (sleepMs === undefined) {
    const payload = JSON.stringify({ checks: check, sinceStartMs });
    rows.add("sentinel.finished", { ...shared, reason: "met", payload });
    return;
  }
  const payload = JSON.stringify({ check, until: at + sleepMs, sleepMs });
  rows.add("sentinel.sleeping", { ...shared, payload });
}
