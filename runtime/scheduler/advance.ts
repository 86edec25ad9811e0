/**
 * The scheduler: given where a run is and what just happened, says what becomes true, what starts and what is
 * cancelled. Pure: it never waits, reads a clock or runs user code.
 */
import type { RecordBody } from "../records.ts";
import { keyText } from "../state/order-key.ts";
import { begin } from "./begin.ts";
import { commitRun } from "./commit-run.ts";
import type { Completion, Timer } from "./completion.ts";
import { failAttempt, failNow } from "./fail.ts";
import { failRun, finish } from "./finish.ts";
import { applyRecord } from "./fold.ts";
import { limitFailure, limitReached, stepsSpent, timersOf, timeSpent } from "./limits.ts";
import type { Program } from "./program.ts";
import { isFinished } from "./settle.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

export interface Advance {
  readonly snapshot: Snapshot;
  readonly records: readonly RecordBody[];
  /** Attempts to start, in the order of the graph. */
  readonly starts: readonly Start[];
  /** Node runs whose attempt in flight is to be cancelled. */
  readonly cancels: readonly number[];
  /** Deadlines to keep from here on; one that is due comes back as a completion. */
  readonly timers: readonly Timer[];
}

/** One attempt to start. */
export interface Start {
  readonly id: number;
  readonly attempt: number;
  readonly notBefore?: number;
}

export function advance(program: Program, snapshot: Snapshot, completion: Completion): Advance {
  const records = decide(program, snapshot, completion);
  const next = records.reduce(
    (folded, record) => applyRecord(program, folded, record, completion.at),
    snapshot,
  );
  return { snapshot: next, records, ...consequences(program, snapshot, next, completion) };
}

function decide(
  program: Program,
  snapshot: Snapshot,
  completion: Completion,
): readonly RecordBody[] {
  switch (completion.kind) {
    case "begin":
      return begin(program, snapshot, completion.input);
    case "control":
      return control(program, snapshot, completion);
    case "timer":
      return timer(program, snapshot, completion.timer, completion.at);
    default: {
      const run = current(snapshot, completion);
      return run === undefined ? [] : attemptNews(program, snapshot, run, completion);
    }
  }
}

type AttemptNews = Extract<
  Completion,
  { readonly kind: "started" | "intent" | "outcome" | "succeeded" | "failed" }
>;

function attemptNews(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  news: AttemptNews,
): readonly RecordBody[] {
  const node = program.nodes[run.node]?.ir.name ?? "";
  switch (news.kind) {
    case "started":
      return [startRecord(snapshot, run, node)];
    case "intent": {
      const limit = limitReached(program, snapshot, run, news.effect);
      if (limit !== undefined) {
        const failure = limitFailure(limit, node);
        return limit.of === "run"
          ? failNow(program, run, failure)
          : failAttempt(program, snapshot, run, failure, news.at);
      }
      const { at: _, ...intent } = news;
      return [{ ...intent, node }];
    }
    case "outcome": {
      const { at: _, ...outcome } = news;
      return [{ ...outcome, node }];
    }
    case "succeeded": {
      const late = timeSpent(program, snapshot, run, news.at);
      if (late === undefined) return commitRun(program, snapshot, run, news.output, news.at);
      const failure = limitFailure(late, node);
      return late.of === "run"
        ? failNow(program, run, failure)
        : failAttempt(program, snapshot, run, failure, news.at);
    }
    case "failed":
      return failAttempt(program, snapshot, run, news.failure, news.at);
  }
}

/** The attempt the news are of, unless it is over: late news change nothing. */
function current(snapshot: Snapshot, { id, attempt, kind }: AttemptNews): NodeRun | undefined {
  const run = snapshot.open.get(id);
  if (snapshot.status !== "running" || run === undefined || run.attempt !== attempt)
    return undefined;
  if (kind === "started") return run.status === "ready" ? run : undefined;
  return run.status === "running" ? run : undefined;
}

function startRecord(snapshot: Snapshot, run: NodeRun, node: string): RecordBody {
  const scope = snapshot.scopes.get(run.scope);
  return {
    kind: "start",
    id: run.id,
    node,
    key: keyText(run.key),
    ordinal: run.ordinal,
    attempt: run.attempt,
    reason: run.reason,
    ...(run.args === undefined ? {} : { args: run.args }),
    ...(scope === undefined || scope.expansion === -1 ? {} : { item: scope.index }),
  };
}

function control(
  program: Program,
  snapshot: Snapshot,
  { verb, reason, owner, at }: Completion & { readonly kind: "control" },
): readonly RecordBody[] {
  const { status } = snapshot;
  const possible = {
    pause: status === "running",
    abort: status === "running" || status === "paused" || status === "waiting",
    // A log that ends while it runs is of a process that died.
    resume: status !== "succeeded",
  };
  if (!possible[verb]) return [];
  const record: RecordBody = {
    kind: "control",
    verb,
    ...(reason === undefined ? {} : { reason }),
    ...(owner === undefined ? {} : { owner }),
  };
  if (verb !== "resume") return [record];
  // The process may have died between the last commit and the end that follows from it.
  const resumed = applyRecord(program, snapshot, record, at);
  if (isFinished(program, resumed)) return [record, finish(program, resumed)];
  // Its steps are checked behind each commit, and nothing is committed here.
  return stepsSpent(program, resumed)
    ? [record, failRun(limitFailure("steps", "the run"), {})]
    : [record];
}

/** A deadline has passed: the node run, or the whole run, ends by its limit. */
function timer(
  program: Program,
  snapshot: Snapshot,
  { id }: Timer,
  at: number,
): readonly RecordBody[] {
  if (snapshot.status !== "running") return [];
  if (id === undefined) return [failRun(limitFailure("time", "the run"), {})];
  const run = snapshot.open.get(id);
  if (run?.status !== "running") return [];
  const node = program.nodes[run.node]?.ir.name ?? "";
  return failAttempt(program, snapshot, run, limitFailure("time", node), at);
}

/** What the driver is to do about the difference between two snapshots. */
function consequences(
  program: Program,
  before: Snapshot,
  after: Snapshot,
  completion: Completion,
): Pick<Advance, "starts" | "cancels" | "timers"> {
  const changed = [...after.open.changedFrom(before.open)];
  const told = "id" in completion ? completion.id : -1;
  const cancels = changed.filter((id) => {
    const [was, now] = [before.open.get(id), after.open.get(id)];
    return id !== told && was?.status === "running" && now?.status !== "running";
  });
  if (after.status !== "running") return { starts: [], cancels, timers: [] };
  const resumed = before.status !== "running" || completion.kind === "control";
  const due = (resumed ? [...after.open.values()] : changed.map((id) => after.open.get(id))).filter(
    (run) => run?.status === "ready",
  );
  const starts = due.flatMap((run) =>
    run === undefined
      ? []
      : [
          {
            id: run.id,
            attempt: run.attempt,
            ...(run.notBefore === undefined ? {} : { notBefore: run.notBefore }),
          },
        ],
  );
  const running = changed.flatMap((id) => after.open.get(id) ?? []);
  return {
    starts,
    cancels,
    timers: timersOf(program, after, { resumed, running, at: completion.at }),
  };
}
