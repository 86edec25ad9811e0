/** Defines where the ingester reads logs from: a store of runs, or one that another thread has. */
import type { Ir } from "../../../dsl/index.ts";
import type { LogRecord } from "../../records/records.ts";

/** A value that may be on its way from another thread. */
export type Eventual<T> = T | Promise<T>;

/** The files of a store of runs. */
export interface StoreFiles {
  readonly runsFile: string;
  readonly artifactsDir: string;
}

/** A source of logs; the run store is one. */
export interface TraceSource {
  /** Files in which another thread can read the same logs; a source in memory has none. */
  readonly files?: StoreFiles | undefined;
  /** Lists each run's log with its last flushed record. */
  positions(): Eventual<readonly SourcePosition[]>;
  /** The flushed records after `seq`, in order; all of them after -1. With `enough`, the first ones, about so many. */
  readAfter(runId: string, seq: number, enough?: number): Eventual<readonly LogRecord[]>;
  meta(runId: string): Eventual<TracedRun>;
  /** Runs whose log is gone, and their traces with it. */
  deleted?(): Eventual<readonly string[]>;
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
