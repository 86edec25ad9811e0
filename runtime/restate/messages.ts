/** Describes the services of a worker by their names, and the messages between them. */
import type { Ir } from "../../dsl/index.ts";
import type { Acknowledgement } from "../attempt/post-completion.ts";
import type { Answer } from "../interrupt.ts";
import type { LogRecord } from "../records/records.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { FunctionCall } from "../scheduler/expressions/calls.ts";
import type { RunMeta, SummaryUpdate } from "../store/run-store.ts";

/** The virtual object that decides a run; its key is the id of the run. */
export const RUN_OBJECT = "Run";

/** The service that performs the attempts of one version of programs: only its workers have their TypeScript. */
export function attemptService(version: string): string {
  return `Attempt-${version}`;
}

/** The service that starts runs of a graph. */
export function graphService(graph: string): string {
  return `Graph-${graph}`;
}

/** The facts of a run, without its graph, and the version of the programs that performs it. */
export interface StoredFacts {
  readonly meta: Omit<RunMeta, "ir">;
  readonly ir: Ir;
  readonly version: string;
}

/** Begins a run, with the log that it has elsewhere if it moves here. */
export interface BeginMessage {
  readonly facts: StoredFacts;
  readonly input: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** An awakeable that is resolved with the end of the run. */
  readonly watcher?: string;
  readonly records?: readonly LogRecord[];
}

/** One attempt of one node run. */
export interface AttemptName {
  readonly id: number;
  readonly attempt: number;
}

/** Has a worker perform an attempt. */
export interface PerformMessage extends AttemptName {
  readonly runId: string;
  readonly graph: string;
}

/** Has a worker make the calls of TypeScript that a decision needs. */
export interface CallMessage {
  readonly meta: StoredFacts["meta"];
  readonly calls: readonly FunctionCall[];
}

/** An attempt, and the invocation that has it performed: of one that was cancelled or given up, nothing counts any more. */
export interface InvokedAttempt extends AttemptName {
  readonly invocation: string;
}

/** One performance of an attempt: another one of the same attempt takes its right to post away. */
export interface Performance extends InvokedAttempt {
  readonly token: string;
}

export interface ClaimMessage extends Performance {
  /** The last record that the worker has; -1 for none. */
  readonly have: number;
  /** The start of the run that it has them of: one may have been forgotten, and another one begun under its id. */
  readonly createdAt?: number | undefined;
}

export interface ClaimReply {
  /** False where the attempt is over, or was cancelled. */
  readonly isWanted: boolean;
  /** An earlier performance of it was given up while it waited. */
  readonly wasParked: boolean;
  /** For a worker that has no record yet. */
  readonly facts?: StoredFacts;
  readonly news: readonly LogRecord[];
  /** The last record of the run: there may be more of them than the news have. */
  readonly lastSeq: number;
}

export interface PostMessage extends ClaimMessage {
  readonly completion: Completion;
}

export interface PostReply {
  readonly acknowledgement: Acknowledgement;
  /** `gone`: nobody wants the attempt. `later`: it is begun again when the run may go on. */
  readonly state: "taken" | "gone" | "later";
  readonly news: readonly LogRecord[];
  readonly lastSeq: number;
}

/** An attempt is over. */
export interface FinishMessage extends InvokedAttempt {
  readonly completion: Completion;
}

/** An attempt waits for what only the run can bring. */
export interface ParkMessage extends InvokedAttempt {
  /** The last record that it has seen. */
  readonly have: number;
  /** It waits for nothing but that the run may go on. */
  readonly isHeld: boolean;
}

/** Something that a person says to a run. */
export type SayMessage =
  | {
      readonly verb: "answer";
      readonly interrupt: string;
      readonly answer: Answer;
      readonly by?: string;
    }
  | { readonly verb: "pause" | "resume" | "abort"; readonly reason?: string }
  | { readonly verb: "steer"; readonly text: string; readonly to?: string };

/** The standing of a run, as lists show it. */
export interface RunStanding {
  readonly runId: string;
  readonly graph: string;
  readonly version: string;
  readonly summary: SummaryUpdate;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly lastSeq: number;
  readonly interrupts: readonly unknown[];
  /** A fault of Madrigal that has stopped it. */
  readonly broken?: string;
}

export interface LogMessage {
  /** The last record that the caller has. */
  readonly after: number;
}

export interface LogReply extends Omit<RunStanding, "interrupts"> {
  readonly facts?: StoredFacts;
  /** Some of those behind `after`; fewer than there are where they are many. */
  readonly records: readonly LogRecord[];
}
