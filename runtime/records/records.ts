/**
 * The log: every fact of a run, in order, as plain JSON. State is the fold of its commits, the run's position the fold
 * of all of it; events and traces are derived from it. Times are milliseconds since the epoch and come in with
 * completions: nothing here is read from a clock twice.
 */
import type { Artifact } from "../artifact.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
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
import type { AnswerRecord, InterruptRecord, OpinionRecord } from "./question-records.ts";

export type LogRecord = {
  readonly seq: number;
  readonly at: number;
  /** What functions of TypeScript came to that expressions and reducers called: nobody calls them again for this. */
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
  /** What tells it from the record's other calls: its name and arguments, or a hash of them. */
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
  /** What its thread and its user had of that before. */
  readonly kept?: Readonly<Record<string, unknown>>;
  /** What fields of agents' own begin with, each instance by itself. */
  readonly agents?: Readonly<Record<string, unknown>>;
  /** Settings of the file that this run has otherwise. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly flow: readonly FlowOp[];
  /** Of a plan that takes another one's place: the node runs of that one which go on, instead of those that were to begin. */
  readonly carried?: readonly Carried[];
  /** What routes from `start` set, and what that changed in the initial state. */
  readonly writes: readonly LoggedWrite[];
  readonly patches: readonly Patch[];
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
  /** Which instance of its node it is, where there can be several: `search@2.0`. */
  readonly agent?: string;
  /** The item's index in its `each`. */
  readonly item?: number;
  /** The messages that it finds, in the order in which it reads them. */
  readonly inbox?: readonly string[];
  /** Of a node with `every`: which round, from 1. */
  readonly round?: number;
  /** The graph that it called is over, and all that is left is to judge what that came to. */
  readonly judges?: true;
}

export type AttemptReason = "first" | "retry" | "repair" | "resume";

/** What a stream comes to next. */
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
  /** What an item leads to; one that `when` leaves out leads to nothing, a failure that nothing takes has none. */
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
  /** When the node run ends here: what it does to the flow (an item skipped, a join gone on). */
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
  /** What each write wanted, before its reducer. */
  readonly writes: readonly LoggedWrite[];
  /** How many of `writes` are the node's own; the rest is what routes set, in the order of `flow`. */
  readonly ownWrites: number;
  /** What it changed in the state that people see. */
  readonly patches: readonly Patch[];
  /** What it changed in state of the agent's own, and of which instance. */
  readonly own?: { readonly agent: string; readonly patches: readonly Patch[] };
  readonly flow: readonly FlowOp[];
  /** The messages that are read with it: what it found when it started. */
  readonly read?: readonly string[];
  /** What it sends. */
  readonly messages?: readonly Sent[];
  /** What its attempt made to be kept. */
  readonly artifacts?: readonly Artifact[];
  /** Of a node with `every`: what came of the check behind this round. */
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
