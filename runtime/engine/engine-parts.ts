/** Describes the dependencies of `Engine` and the listener that it notifies. */

import type { EmbedQuery } from "../agents/memory/embed-query.ts";
import type { RunServing } from "../attempt/attempt-host.ts";
import type { OfferedStreams } from "../attempt/streams.ts";
import type { Breakpoints } from "../breakpoints/breakpoints.ts";
import type { Cancellation } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { TransientBody } from "../events/kinds/call-events.ts";
import type { Journal } from "../history/journal.ts";
import type { SnapshotKeeper } from "../history/keep-snapshots.ts";
import type { Interceptor } from "../intercept/interceptor.ts";
import type { Performer } from "../performer.ts";
import type { LoggedCall, LogRecord } from "../records/records.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { FunctionCall } from "../scheduler/expressions/calls.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Cache, RunLog, RunMeta } from "../store/run-store.ts";
import type { Driver, DriverHost } from "./driver.ts";
import type { Hold } from "./hold.ts";

export interface EngineParts {
  readonly program: Program;
  readonly meta: RunMeta;
  readonly log: RunLog;
  readonly performer: Performer;
  readonly clock: Clock;
  /** The cached outputs of nodes with `cache`. */
  readonly cache?: Cache;
  readonly serving?: RunServing;
  /** The logs of the earlier runs of the thread, for nodes that remember them. */
  readonly earlier?: () => readonly (readonly LogRecord[])[];
  readonly driver: (host: DriverHost) => Driver;
  /** Takes what may not be stored out of a completion and out of its records, before anything else sees them. */
  readonly redact: <T extends LogRecord | Completion>(part: T) => T;
  /** Calls a function that an expression or a reducer names; rejects only when it is cancelled. */
  readonly call?: (call: FunctionCall, cancellation: Cancellation) => Promise<LoggedCall>;
  /** Embeds what a memory is asked. */
  readonly embed?: EmbedQuery;
  /** Streams that calls have returned and no node has opened yet. */
  readonly offered?: OfferedStreams;
  /** Those that its attempts ask; absent where the run never had any. */
  readonly interceptors?: readonly Interceptor[];
  readonly listener: EngineListener;
  readonly breakpoints: Breakpoints;
  /** The snapshot from which a run continues. */
  readonly past?: Snapshot;
  /** The last record of the log so far; -1 for a new run. */
  readonly lastSeq: number;
  /** The journal of the log so far. */
  readonly journal: () => Journal;
  /** Stores where it stands. */
  readonly snapshots?: SnapshotKeeper;
}

export interface EngineListener {
  recorded(record: LogRecord, snapshot: Snapshot): void;
  /** Tells listeners of a node run what no record has. */
  transient(id: number, body: TransientBody): void;
  /** The run is held, and its log is stored. */
  held(hold: Hold): void;
  /** Nothing can go on before somebody answers; its questions are stored. */
  waiting(snapshot: Snapshot): void;
  /** The run stands still: it ended or was paused, everything it started has ended, its log is stored. */
  settled(snapshot: Snapshot): void;
  /** The engine itself, or its store, can't go on. */
  broken(error: unknown): void;
  /** This attempt did not end when it was cancelled; its late results are ignored. */
  unended(label: string): void;
}
