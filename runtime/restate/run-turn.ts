/** Takes one completion of a run in a handler of its object: decides, and has Restate do what follows. */
import type * as restate from "@restatedev/restate-sdk";
import { messageOf } from "../failure.ts";
import { isOver, standsStill } from "../history/standstill.ts";
import { innermost, type LoggedCall, type LogRecord } from "../records/records.ts";
import { isDeferred } from "../scheduler/advance.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import { type CallNeeded, type FunctionCall, keyOf } from "../scheduler/expressions/calls.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { type DecidedTurn, type DecideTools, DecisionFault, decideTurn } from "./decide.ts";
import { type AttemptName, attemptService, type CallMessage, RUN_OBJECT } from "./messages.ts";
import { standingOfRun } from "./run-standing.ts";
import type { AttemptUnderWay, LoadedRun, RunNow, RunStates } from "./run-state.ts";
import type { WireValues } from "./wire-values.ts";

export interface TurnTools {
  readonly states: RunStates;
  readonly values: WireValues;
  readonly redact: DecideTools["redact"];
}

/** Decides on a completion and stores what it led to; undefined where that was a fault of Madrigal, which ends the run. */
export async function takeTurn(
  context: restate.ObjectContext,
  run: LoadedRun,
  completion: Completion,
  tools: TurnTools,
): Promise<{ readonly turn: DecidedTurn | undefined; readonly run: LoadedRun }> {
  const { program, snapshot, now } = run;
  const position = { program, snapshot, next: now.next, waiting: now.waiting };
  const call = (needed: CallNeeded) => madeCalls(context, run, needed, tools);
  try {
    const turn = await decideTurn(position, completion, { call, redact: tools.redact });
    return { turn, run: await stored(context, run, turn, { completion, tools }) };
  } catch (error) {
    if (!(error instanceof DecisionFault)) throw error;
    return { turn: undefined, run: broken(context, run, error, tools) };
  }
}

async function stored(
  context: restate.ObjectContext,
  run: LoadedRun,
  turn: DecidedTurn,
  { completion, tools }: { readonly completion: Completion; readonly tools: TurnTools },
): Promise<LoadedRun> {
  const { snapshot, records, waiting } = turn;
  const attempts: Record<string, AttemptUnderWay> = { ...run.now.attempts };
  const timers: Record<string, number> = { ...run.now.timers };
  const cancel = (id: number | string) => {
    const invocation = attempts[id]?.invocation;
    delete attempts[id];
    if (invocation !== undefined) context.cancel(invocation as restate.InvocationId);
  };
  for (const id of turn.cancels) {
    cancel(id);
    dropTimers(timers, id);
  }
  if (standsStill(snapshot)) {
    for (const id of Object.keys(attempts)) cancel(id);
    for (const key of Object.keys(timers)) delete timers[key];
  } else {
    const again = Object.entries(attempts)
      .filter(([id, under]) => isWokenUp({ ...under, id: Number(id) }, { records, snapshot }))
      .map(([id, { attempt }]) => ({ id: Number(id), attempt, wasParked: true as const }));
    for (const one of [...again, ...turn.attempts]) {
      const invocation = await performed(context, run, one, tools);
      const { attempt } = one;
      attempts[one.id] = {
        attempt,
        invocation,
        ...("wasParked" in one ? { wasParked: true as const } : {}),
      };
    }
    for (const { notBefore, ...start } of turn.later)
      sendLater(context, "later", start, notBefore - completion.at, tools);
    for (const timer of turn.timers) {
      timers[timerKey(timer)] = timer.due;
      sendLater(context, "timer", timer, timer.due - completion.at, tools);
    }
  }
  const isEnd = isOver(snapshot);
  const watchers = isEnd ? [] : run.now.watchers;
  const now: RunNow = { ...run.now, waiting, attempts, timers, watchers };
  tools.states.save(context, { now, snapshot, records });
  const after: LoadedRun = {
    ...run,
    snapshot,
    now: { ...now, next: now.next + records.length, tail: [...now.tail, ...records] },
  };
  if (isEnd) tools.states.end(context);
  if (isEnd) for (const one of run.now.watchers) tellWatcher(context, one, after, tools);
  return after;
}

/** Resolves the awakeable of whoever waits for the end. */
export function tellWatcher(
  context: restate.Context,
  watcher: string,
  run: LoadedRun,
  { values }: TurnTools,
): void {
  context.resolveAwakeable(watcher, standingOfRun(run), values);
}

function broken(
  context: restate.ObjectContext,
  run: LoadedRun,
  fault: DecisionFault,
  tools: TurnTools,
): LoadedRun {
  const now = { ...run.now, broken: messageOf(fault), watchers: [] };
  tools.states.save(context, { now, snapshot: run.snapshot, records: [] });
  const after = { ...run, now };
  for (const one of run.now.watchers) tellWatcher(context, one, after, tools);
  return after;
}

/** Returns the invocation by which a worker performs an attempt. */
export async function performed(
  context: restate.ObjectContext,
  { facts }: LoadedRun,
  { id, attempt }: AttemptName,
  { values }: TurnTools,
): Promise<string> {
  const { invocationId } = context.genericSend({
    service: attemptService(facts.version),
    method: "perform",
    parameter: { runId: context.key, graph: facts.meta.graph, id, attempt },
    inputSerde: values,
  });
  return await invocationId;
}

function sendLater<T>(
  context: restate.ObjectContext,
  method: "later" | "timer",
  parameter: T,
  delayMs: number,
  { values }: TurnTools,
): void {
  context.genericSend({
    service: RUN_OBJECT,
    key: context.key,
    method,
    parameter,
    inputSerde: values,
    delay: Math.max(0, delayMs),
  });
}

/** The workers of the version have the TypeScript; the types that a result must have are known here. */
async function madeCalls(
  context: restate.ObjectContext,
  { facts }: LoadedRun,
  { calls }: CallNeeded,
  { values }: TurnTools,
): Promise<readonly LoggedCall[]> {
  const unique = [...new Map(calls.map((call) => [keyOf(call), call])).values()];
  const message: CallMessage = { meta: facts.meta, calls: unique };
  const made = await context.genericCall<CallMessage, readonly LoggedCall[]>({
    service: attemptService(facts.version),
    method: "call",
    parameter: message,
    inputSerde: values,
    outputSerde: values,
  });
  return made.map((one, at) => fitting(one, unique[at]));
}

function fitting(made: LoggedCall, call: FunctionCall | undefined): LoggedCall {
  const { name, key, value, failure, isStream } = made;
  if (failure !== undefined || isStream === true) return made;
  const misfit = call?.misfit?.(value);
  return misfit === undefined ? made : { name, key, failure: misfit };
}

/** Returns whether what a given-up attempt waits for has come. */
export function isWokenUp(
  { id, attempt, parkedAt, isHeld }: AttemptUnderWay & { readonly id: number },
  { records, snapshot }: { readonly records: readonly LogRecord[]; readonly snapshot: Snapshot },
): boolean {
  if (parkedAt === undefined) return false;
  if (isDeferred(snapshot, { kind: "started", id, attempt, at: 0 })) return false;
  return isHeld === true || records.some((record) => record.seq > parkedAt && concerns(record, id));
}

/** An answer to it, or the end of a graph that it called. */
function concerns(record: LogRecord, id: number): boolean {
  const inner = innermost(record);
  if (inner.kind === "answer") return inner.id === id;
  return record.kind === "sub" && record.id === id && record.record.kind === "end";
}

/** A deadline of a run, of a node run, of what it calls, or of a question. */
export function timerKey({ id, sub, interrupt }: Timer): string {
  const owner = sub === undefined ? `${id ?? "run"}` : `called ${sub}`;
  return interrupt === undefined ? owner : `${owner} ${interrupt}`;
}

/** The deadlines of an attempt that is over. */
export function dropTimers(timers: Record<string, number>, id: number): void {
  delete timers[`${id}`];
  delete timers[`called ${id}`];
}
