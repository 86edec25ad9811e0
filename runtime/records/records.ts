/**
 * The log: every fact of a run, in order, as plain JSON. State is the fold of its commits, the run's position the fold
 * of all of it; events and traces are derived from it. Times are milliseconds since the epoch and come in with
 * completions: nothing here is read from a clock twice.
 */

import type { Artifact } from "../artifact.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { Interception } from "../intercept/interception.ts";
import type { Answer, AnswerFrom, Question } from "../interrupt.ts";
import type { FlowOp } from "../scheduler/flow/flow-op.ts";
import type { Patch } from "../state/patch.ts";
import type { Usage } from "../usage.ts";
import type { IntentRecord, OutcomeRecord } from "./call-records.ts";
import type {
  BranchRecord,
  Carried,
  ControlRecord,
  EditRecord,
  HoldRecord,
  ModifyRecord,
  RewindRecord,
  SteerRecord,
  UseRecord,
} from "./control-records.ts";
import type { Directions, EndedBy, JudgedCondition } from "./directions.ts";
import type { LoggedStore } from "./memory-records.ts";

export type LogRecord = {
  readonly seq: number;
  readonly at: number;
  /** The results of TypeScript functions that expressions and reducers called, so that they need not be called again. */
  readonly calls?: readonly LoggedCall[];
  /** Behind it the run waits: nothing in it can go on before somebody answers. */
  readonly waits?: true;
} & (
  | RunRecord
  | StartRecord
  | IntentRecord
  | OutcomeRecord
  | AttemptRecord
  | CommitRecord
  | InterruptRecord
  | AnswerRecord
  | OpinionRecord
  | ItemRecord
  | ControlRecord
  | HoldRecord
  | BranchRecord
  | RewindRecord
  | EditRecord
  | SteerRecord
  | UseRecord
  | SubRecord
  | ModifyRecord
  | EndRecord
);

/** A call that an expression or a reducer made: exactly one of `value` and `failure`. */
export interface LoggedCall {
  readonly name: string;
  /** The key of the call within its record: its name and arguments, or a hash of them. */
  readonly key: string;
  readonly value?: unknown;
  readonly failure?: Failure;
  /** The value is a constant of TypeScript, on which a method of the language is called. */
  readonly isReceiver?: true;
  /** It gave a stream of values (an AsyncIterable, an Observable), and `value` is nothing. */
  readonly isStream?: true;
}

/** A record before the log numbers and dates it. */
export type RecordBody = LogRecord extends infer R
  ? R extends LogRecord
    ? Omit<R, "seq" | "at">
    : never
  : never;

/** The first record: what runs, on what input, with which models. */
export interface RunRecord {
  readonly kind: "run";
  /** Values are checked against their types as they are written; logs of before that are decided as they were. */
  readonly isTyped?: true;
  readonly input: Readonly<Record<string, unknown>>;
  /** The initial state, by field. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The values that its thread and its user had kept before. */
  readonly kept?: Readonly<Record<string, unknown>>;
  /** The initial values of agents' own fields, of which each instance has its own copy. */
  readonly agents?: Readonly<Record<string, unknown>>;
  /** Settings of the file that this run has otherwise. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly interception?: RunInterception;
  /** Set for a graph that an agent called as a tool. */
  readonly tool?: ToolUse;
  readonly flow: readonly FlowOp[];
  /** Of a plan that takes another one's place: the node runs of that one which go on, instead of those that were to begin. */
  readonly carried?: readonly Carried[];
  /** The writes of routes from `start`, and the changes of the initial state by them. */
  readonly writes: readonly LoggedWrite[];
  readonly patches: readonly Patch[];
}

/** The call of a tool by which an agent called a graph. */
export interface ToolUse {
  /** The name of the graph, as the tools of the agent say it. */
  readonly name: string;
  /** The attempt of the agent, and which of its calls it was, from 0. */
  readonly attempt: number;
  readonly call: number;
  /** It was the n-th graph that the attempt called, from 1. */
  readonly number: number;
}

/** The part of interceptors in a run as a whole. */
export interface RunInterception {
  /** The changes of its input, which stands here as they left it. */
  readonly made?: readonly Interception[];
  /** Those that are asked about its output, by name, in that order. */
  readonly afterRun?: readonly string[];
}

/** An attempt begins. `id` numbers the node run within the run, `key` is its place in the order of the graph. */
export interface StartRecord {
  readonly kind: "start";
  readonly id: number;
  readonly node: string;
  readonly key: string;
  readonly ordinal: number;
  readonly attempt: number;
  readonly reason: AttemptReason;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The instance of its node, where there can be several: `search@2.0`. */
  readonly agent?: string;
  /** The item's index in its `each`. */
  readonly item?: number;
  /** The messages that it finds, in the order in which it reads them. */
  readonly inbox?: readonly string[];
  /** The round of a node with `every`, from 1. */
  readonly round?: number;
  /** The graph that it called is over, and all that is left is to judge what that came to. */
  readonly judges?: true;
}

export type AttemptReason = "first" | "retry" | "repair" | "resume";

/** The next item of a stream, or its end. */
export type StreamNews =
  | { readonly value: unknown }
  | { readonly isDone: true }
  | { readonly failure: Failure };

/** The stream of an `each` gave an item, ended, or failed. `id` is the node run that reads it. */
export interface ItemRecord {
  readonly kind: "item";
  readonly id: number;
  /** The `each`. */
  readonly node: string;
  /** The n-th item, from 1; a failed one is asked for again when the run is resumed. */
  readonly attempt: number;
  readonly news: StreamNews;
  /** The flow operations of an item; none for one that `when` leaves out, absent for a failure that nothing takes. */
  readonly flow?: readonly FlowOp[];
  readonly writes: readonly LoggedWrite[];
  readonly patches: readonly Patch[];
}

/** An attempt that ended without a commit, and what follows. */
export interface AttemptRecord {
  readonly kind: "attempt";
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  readonly failure: Failure;
  readonly usage: Usage;
  readonly next: "retry" | "repair" | "again" | "fail" | "skip" | "go-on";
  /** A person wants it again: that uses up no repair. */
  readonly revised?: true;
  /** For `again` (the next round of a sentinel): the rounds that went wrong in a row. */
  readonly errors?: number;
  /** For retry: which rule of the node allowed it. */
  readonly rule?: number;
  /** For retry, repair and again: not before this time. */
  readonly notBefore?: number;
  /** The flow operations of the end of the node run (a skipped item, a join that continues). */
  readonly flow?: readonly FlowOp[];
  readonly writes?: readonly LoggedWrite[];
  readonly patches?: readonly Patch[];
  /** Absent where its performer failed. */
  readonly ended?: EndedBy;
}

/** The one point where a node run's writes and routing become true. */
export interface CommitRecord extends Directions {
  readonly kind: "commit";
  /** n-th commit of the run, from 1. */
  readonly step: number;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  readonly output?: unknown;
  /** Of what somebody had seen and decided on: it came with the start that followed. */
  readonly ended?: EndedBy;
  readonly usage: Usage;
  /** The writes before their reducers. */
  readonly writes: readonly LoggedWrite[];
  /** The number of `writes` by the node itself; the rest are by routes, in the order of `flow`. */
  readonly ownWrites: number;
  /** The changes in the state that people see. */
  readonly patches: readonly Patch[];
  /** The changes in the agent's own state, with its instance. */
  readonly own?: { readonly agent: string; readonly patches: readonly Patch[] };
  readonly flow: readonly FlowOp[];
  /** The messages that are read with it: what it found when it started. */
  readonly read?: readonly string[];
  /** The messages that it sends. */
  readonly messages?: readonly Sent[];
  /** The artifacts that its attempt made. */
  readonly artifacts?: readonly Artifact[];
  /** The entries that it stores in memories. */
  readonly stores?: readonly LoggedStore[];
  /** The result of the check behind this round of a node with `every`. */
  readonly check?: JudgedCondition;
}

export interface LoggedWrite {
  readonly field: string;
  readonly value: unknown;
  /** The reducer's name where the write overrides the field's own. */
  readonly via?: string;
  /** `set` of the node or of an edge, rather than the node's output. */
  readonly set?: boolean;
}

/** A record of the graph that a node run of kind `graph` runs. */
export interface SubRecord {
  readonly kind: "sub";
  /** The node run that called the graph. */
  readonly id: number;
  readonly record: RecordBody;
}

export interface EndRecord {
  readonly kind: "end";
  readonly status: "succeeded" | "failed" | "aborted";
  readonly reason: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly failure?: Failure;
  /** The node run at which it failed. */
  readonly id?: number;
  readonly node?: string;
  readonly attempt?: number;
  /** Late folds in the order of the graph. */
  readonly patches: readonly Patch[];
  /** Messages that nobody has read. */
  readonly dead?: readonly string[];
}

// Decisions that a run waits for.

/** A node run waits for a decision. */
export interface InterruptRecord extends Omit<Question, "withinMs"> {
  readonly kind: "interrupt";
  /** Unique in the run. */
  readonly interrupt: string;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  /** The order key of the node run, equal to that of its start record, which may follow later. */
  readonly key: string;
  readonly ordinal: number;
  readonly item?: number;
  /** Numbers the questions of one attempt from 0; absent where the scheduler asks. */
  readonly call?: number;
  /** The sha256 of what is shown. */
  readonly hash?: string;
  readonly expiresAt?: number;
  /** The limit that was reached; with `whole` it is the run's own, and the whole run waits. */
  readonly limit?: string;
  readonly whole?: true;
  /** The yes of one of several persons, behind which the question is asked once more of the others. */
  readonly given?: Pick<AnswerRecord, "answer" | "from" | "by">;
  /** The cause that ended the attempt when the scheduler asked; absent where the attempt asks by itself. */
  readonly ended?: EndedBy;
  /** The directions of the attempt in `review` and `ensure`; its output is what is shown. */
  readonly came?: Directions;
}

/** The decision; what follows from it is the next records' to say. */
export interface AnswerRecord {
  readonly kind: "answer";
  readonly interrupt: string;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  readonly call?: number;
  readonly answer: Answer;
  readonly from: AnswerFrom;
  /** The judge's name. */
  readonly by?: string;
  /** The usage of the judge's model. */
  readonly usage?: Usage;
}

/** A judge looked at a question, and left it to people. */
export interface OpinionRecord {
  readonly kind: "opinion";
  readonly interrupt: string;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  /** The judge's name. */
  readonly by: string;
  /** The reason given. */
  readonly reason?: string;
  readonly usage?: Usage;
}

// Records of called graphs stand in those of the graphs that call them.

/** The record itself, without the node runs that it is wrapped in. */
export function innermost<R extends RecordBody>(record: R): Exclude<RecordBody, SubRecord> {
  let inner: RecordBody = record;
  while (inner.kind === "sub") inner = inner.record;
  return inner;
}

/** The node runs that a record is wrapped in, outermost first. */
export function callersOf(record: RecordBody): readonly number[] {
  const ids: number[] = [];
  for (let inner = record; inner.kind === "sub"; inner = inner.record) ids.push(inner.id);
  return ids;
}

// Turns a decided record into a record of the log.

/** Numbers and dates `body` in place: a copy would cost a twentieth of a step. The trail of snapshots holds the same object. */
export function numberRecord(body: RecordBody, seq: number, at: number): LogRecord {
  const record: RecordBody & { seq?: number; at?: number } = body;
  record.seq = seq;
  record.at = at;
  return record as LogRecord;
}

// Says how a node run stands after an attempt of it ended without a commit, in the words of the view `node_runs`.

/** The consequence of a failed attempt; `resume` where the attempt was given up with its run. */
type NextOfAttempt = AttemptRecord["next"] | "resume";

/** The one table that the timeline, the drawing of a run and the SQL views read. */
export const STATUS_AFTER_ATTEMPT = {
  retry: "ready",
  repair: "ready",
  again: "ready",
  resume: "ready",
  fail: "failed",
  "go-on": "failed",
  skip: "skipped",
} as const satisfies Readonly<Record<NextOfAttempt, string>>;

// Names of the places that call graphs, as people and traces read them.

/** The name of what calls a graph: `go`, or `ask.Look` where the agent `ask` calls `Look` as a tool. */
export function callerName(node: string, tool: Pick<ToolUse, "name"> | undefined): string {
  return tool === undefined ? node : `${node}.${tool.name}`;
}

/** Its name with its number: `go#1`, `ask.Look#1.2`. */
export function callerLabel(
  { node, ordinal }: { readonly node: string; readonly ordinal: number },
  tool: Pick<ToolUse, "name" | "number"> | undefined,
): string {
  return `${callerName(node, tool)}#${ordinal}${tool === undefined ? "" : `.${tool.number}`}`;
}

/** The name in a label. */
export function nameInLabel(label: string): string {
  return label.replace(/#[\d.]+$/, "");
}
