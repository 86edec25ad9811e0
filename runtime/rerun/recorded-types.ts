/** Types of a run that is over, as another one is served of it. */
import type { Ir } from "../../dsl/index.ts";
import type { Judged } from "../records/directions.ts";
import type {
  AnswerRecord,
  InterruptRecord,
  LoggedCall,
  LogRecord,
  RunRecord,
} from "../records/records.ts";
import type { RunMeta } from "../store/run-store.ts";
import type { RecordedAttemptFacts } from "./attempt-facts.ts";
import type { FunctionCode } from "./code.ts";
import type { AttemptContent } from "./content.ts";

/** A run as it is stored. */
export interface StoredLog {
  readonly meta: RunMeta;
  readonly records: readonly LogRecord[];
  /** The logs of the earlier runs of its thread. */
  readonly earlier: () => readonly (readonly LogRecord[])[];
}

export interface RecordedAttempt extends RecordedAttemptFacts {
  readonly id: number;
  readonly attempt: number;
  /** Its node run's lasting name in the run, and its name for people. */
  readonly place: string;
  readonly label: string;
  readonly content: AttemptContent;
}

/** A question that was answered. */
export interface RecordedAnswer {
  readonly place: string;
  readonly interrupt: InterruptRecord;
  readonly answer: AnswerRecord;
}

/** A judge's verdict on an output. */
export interface RecordedVerdict {
  readonly graph: string;
  readonly node: string;
  readonly judging: string;
  readonly output: unknown;
  readonly judged: Judged;
}

export interface RecordedRun {
  readonly meta: RunMeta;
  /** The hashes of its code when it was last resumed, or began. */
  readonly code: FunctionCode;
  /** Its program, as its log was last folded. */
  readonly ir: Ir;
  readonly begun: RunRecord | undefined;
  /** Those on its path. */
  readonly records: readonly LogRecord[];
  readonly attempts: readonly RecordedAttempt[];
  readonly answers: readonly RecordedAnswer[];
  readonly verdicts: readonly RecordedVerdict[];
  /** The results of functions in expressions, by call. */
  readonly functions: ReadonlyMap<string, LoggedCall>;
}
