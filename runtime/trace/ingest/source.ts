/** Defines where the ingester reads logs from; the store of runs is one such source. */
import type { Ir } from "../../../dsl/index.ts";
import type { LogRecord } from "../../records/records.ts";

/** A source of logs; the run store is one. */
export interface TraceSource {
  /** Lists each run's log with its last flushed record. */
  positions(): readonly SourcePosition[];
  /** The flushed records after `seq`, in order; all of them after -1. With `enough`, the first so many at least, if there are. */
  readAfter(runId: string, seq: number, enough?: number): readonly LogRecord[];
  /** The same, where whoever wrote them has them at hand: spares reading them back. */
  takeAtHand?(runId: string, seq: number): readonly LogRecord[] | undefined;
  meta(runId: string): TracedRun;
  /** Runs whose log is gone, and their traces with it. */
  deleted?(): readonly string[];
}

export interface SourcePosition {
  readonly runId: string;
  readonly lastSeq: number;
  /** Another one where the log was replaced. */
  readonly logId?: number;
}

/** The facts of a run that the trace needs beside its log. */
export interface TracedRun {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly ir: Ir;
  readonly models: Readonly<Record<string, string>>;
  readonly file?: string;
  /** The last of the records that it has from another run. */
  readonly forkedFrom?: { readonly seq: number; readonly runId?: string };
  /** The run that this one is again. */
  readonly rerunOf?: { readonly runId: string };
}
