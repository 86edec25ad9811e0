/** Record → the completion it came from: with it, the scheduler must decide as it did. */

import type { Directions, EndedBy } from "../records/directions.ts";
import type {
  AttemptRecord,
  CommitRecord,
  InterruptRecord,
  LogRecord,
  RunRecord,
  SubRecord,
} from "../records/records.ts";
import type { Completion } from "../scheduler/completion.ts";
import { givenSteerId } from "../scheduler/steers.ts";

/** Returns the completion that led to this record, the first of those that were written at once. */
export function completionOf(record: LogRecord): Completion {
  const { waits: _, ...rest } = record;
  const completion = toldBy(rest as LogRecord);
  // What functions came to stands with the first record of a decision.
  return record.calls === undefined ? completion : { ...completion, calls: record.calls };
}

function toldBy(record: LogRecord): Completion {
  const { at } = record;
  switch (record.kind) {
    case "run":
      return begun(record, at);
    case "start":
      return { kind: "started", id: record.id, attempt: record.attempt, at };
    case "intent":
    case "outcome": {
      const { seq: _, node: __, ...call } = record;
      return call;
    }
    case "item": {
      const { id, attempt, news } = record;
      return { kind: "item", id, attempt, at, ...news };
    }
    case "attempt":
      return endOf(record, at);
    case "commit":
      return record.ended?.by === "start"
        ? { kind: "started", id: record.id, attempt: record.attempt, at }
        : succeeded(record, record, at);
    case "use":
      return withoutSeq(record);
    case "steer": {
      const { payload, receiver } = record.message;
      const to = receiver === null ? {} : { to: receiver };
      const givenId = givenSteerId(record.message);
      const id = givenId === undefined ? {} : { givenId };
      const note = record.note === undefined ? {} : { note: record.note };
      return { kind: "steer", text: String(payload), ...to, ...id, ...note, at };
    }
    case "edit": {
      const { patches: _, ...edit } = withoutSeq(record);
      return edit;
    }
    case "interrupt":
      if (record.given !== undefined) {
        const { id, interrupt, given } = record;
        return { kind: "answer", id, interrupt, ...given, at };
      }
      if (record.passed !== undefined) {
        const { id, interrupt } = record;
        return { kind: "timer", timer: { ...(id < 0 ? {} : { id }), interrupt, due: at }, at };
      }
      return record.ended === undefined ? interruptOf(record) : toldWhen(record, record.ended, at);
    case "answer": {
      const { seq: _, node: __, attempt: ___, call: ____, ...answered } = record;
      return answered;
    }
    case "opinion": {
      const { node: _, attempt: __, ...opinion } = withoutSeq(record);
      return opinion;
    }
    case "control": {
      if (record.verb !== "rewind") return withoutSeq(record);
      const { renumbered: _, ...rewind } = withoutSeq(record);
      return rewind;
    }
    case "branch": {
      const { node: _, attempt: __, ...branch } = withoutSeq(record);
      return branch;
    }
    case "modify":
      return { kind: "modify", id: record.id, plan: record.plan, at };
    case "sub":
      return toldInside(record);
    case "end":
      // All other ends follow from what stands before them.
      return { kind: "timer", timer: { due: at }, at };
  }
}

/** Returns the completion of a called graph; its node runs have numbers of their own in the whole run. */
function toldInside({ id, record, seq, at }: LogRecord & SubRecord): Completion {
  if (record.kind === "end") return { kind: "timer", timer: { sub: id, due: at }, at };
  if (record.kind === "run" && record.tool !== undefined) {
    const { input, tool } = record;
    const { attempt, call } = tool;
    return { kind: "graph-call", id, attempt, call, tool: tool.name, input, at };
  }
  const completion = toldBy({ ...record, seq, at });
  // What is said to a called graph as a whole names the node run that called it.
  const isSaid =
    completion.kind === "answer" || completion.kind === "opinion" || completion.kind === "edit";
  if (isSaid && completion.sub === undefined) return { ...completion, sub: id };
  const isOfAll = completion.kind === "timer" && completion.timer.id === undefined;
  return isOfAll ? { ...completion, timer: { sub: id, ...completion.timer } } : completion;
}

function begun({ input, kept, config, interception, isTyped }: RunRecord, at: number): Completion {
  return {
    kind: "begin",
    input,
    at,
    ...(kept === undefined ? {} : { kept }),
    ...(config === undefined ? {} : { config }),
    ...(interception === undefined ? {} : { interception }),
    ...(isTyped === true ? {} : { isUntyped: true }),
  };
}

function endOf(record: AttemptRecord, at: number): Completion {
  const { id, attempt, failure, ended } = record;
  return ended === undefined
    ? { kind: "failed", id, attempt, failure, at }
    : toldWhen(record, ended, at);
}

/** Returns the completion on which the scheduler decided about an attempt. */
function toldWhen(
  record: Pick<CommitRecord, "id" | "attempt">,
  ended: EndedBy,
  at: number,
): Completion {
  const { id, attempt } = record;
  switch (ended.by) {
    case "start":
      return { kind: "started", id, attempt, at };
    case "call":
      return { kind: "intent", id, attempt, call: -1, effect: ended.effect, name: "", at };
    case "output":
      return succeeded(record, ended, at);
    case "failure":
      return { kind: "failed", id, attempt, failure: ended.failure, at };
    case "time":
      // A limit of the whole run is no node run's.
      return { kind: "timer", timer: { ...(id < 0 ? {} : { id }), due: at }, at };
  }
}

/** Returns the question of an attempt. */
function interruptOf(record: LogRecord & InterruptRecord): Completion {
  const {
    seq: _,
    interrupt: __,
    node: ___,
    key: ____,
    ordinal: _____,
    item,
    hash,
    ...asking
  } = record;
  const { expiresAt, call = 0, came, limit, whole, ended, ...question } = asking;
  const { at } = record;
  const within = expiresAt === undefined ? {} : { withinMs: expiresAt - at };
  return { ...question, call, ...within };
}

type SucceededCompletion = Completion & { readonly kind: "succeeded" };

/** Each member of the completion by name, so that the compiler finds here what a new one has to be taken from. */
type SucceededMembers = {
  readonly [M in keyof Required<Omit<SucceededCompletion, "kind" | "at" | "calls">>]: unknown;
};

function succeeded(
  { id, attempt }: Pick<CommitRecord, "id" | "attempt">,
  {
    output,
    goto,
    handoff,
    orders,
    judged,
    edits,
    conversation,
    sends,
    cache,
    served,
  }: Pick<CommitRecord, "output" | keyof Directions>,
  at: number,
): Completion {
  const named = {
    id,
    attempt,
    output,
    goto,
    handoff,
    orders,
    judged,
    edits,
    conversation,
    sends,
    cache,
    served,
  } satisfies SucceededMembers;
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return { kind: "succeeded", output, at, ...Object.fromEntries(given) } as SucceededCompletion;
}

function withoutSeq<T extends { readonly seq: number }>({ seq: _, ...rest }: T): Omit<T, "seq"> {
  return rest;
}
