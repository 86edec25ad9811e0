/** Describes the dependencies of a run: its program, its storage, what drives it and performs its nodes. */

import type { Observable } from "rxjs";
import type { LivePage } from "../agents/browser/live-page.ts";
import type { Scope } from "../agents/scope/scope.ts";
import type { KeepArtifact } from "../agents/values/make-artifact.ts";
import type { RunModels } from "../attempt/models.ts";
import type { PerformedRun } from "../attempt/performers.ts";
import type { Clock } from "../clock.ts";
import type { EngineParts } from "../engine/engine-parts.ts";
import type { StoredPast } from "../history/stored-steps.ts";
import type { Interceptor } from "../intercept/interceptor.ts";
import type { Answerer } from "../questions/auto-answers.ts";
import type { NodeUse } from "../records/control-records.ts";
import type { LogRecord, RunInterception } from "../records/records.ts";
import type { FollowedLog } from "../remote/remote-owner.ts";
import type { RecordedRun } from "../rerun/recorded-types.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Artifacts, ForkedFrom, RunLog, RunMeta, Snapshots } from "../store/run-store.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { ResumeOptions, UseOptions } from "./handle.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunPlace } from "./run-storage.ts";

/** Makes the dependencies of a run; called again for each resume. */
export interface RunParts {
  /** Called with the run that is made of these parts, before it does anything. */
  readonly bound?: (run: PerformedRun) => void;
  readonly program: Program;
  readonly meta: RunMeta;
  readonly clock: Clock;
  /** The process that drives the run, for the log. */
  readonly owner: string;
  openLog(): RunLog;
  /** Stores the bytes of its artifacts; absent where nothing of the run is stored. */
  readonly artifacts?: Pick<Artifacts, "get">;
  /** Stores the bytes of files that people give. */
  readonly keep?: KeepArtifact;
  /** Stores its snapshots. */
  readonly snapshots?: Snapshots;
  /** Reads what is stored of it; absent where nothing is. */
  readonly past?: StoredPast;
  /** The logs of the earlier runs of its thread. */
  earlier?(): readonly (readonly LogRecord[])[];
  /** The log of the run as other processes write it. */
  readonly stored?: FollowedLog;
  /**
   * Throws what would keep a stored run from going on: a model that is not configured, a tool that is gone, a thread that has
   * gone on without it, which is nothing to a fork.
   */
  assertReady?(how?: { readonly isFork: boolean }): void;
  engine(
    log: RunLog,
  ): Pick<
    EngineParts,
    "performer" | "driver" | "redact" | "call" | "earlier" | "cache" | "serving" | "interceptors"
  >;
  /** The override of a node as the log keeps it. Throws where its model or a tool does not exist. */
  use?(change: UseOptions): NodeUse;
  /** The automatic answers to its questions, in their order. */
  readonly answerers?: readonly Answerer[];
  /** The pages of the browsers that its agents use. */
  readonly livePages$?: Observable<LivePage>;
  /** Lets go of what its performers have open in this process, also for good where the run is over; what that failed with. */
  dispose?(isOver: boolean): Promise<readonly unknown[]>;
  /** The parts with which it goes on with another graph; throws M5302 where that has no place for it. */
  refit?(
    records: readonly LogRecord[],
    options: ResumeOptions & { readonly graph: NonNullable<ResumeOptions["graph"]> },
  ): RunParts;
  /** A new run, stored with these records, that branches off here. */
  fork?(from: ForkedFrom, records: readonly LogRecord[]): DrivenRun;
  /** The hash of each function that its nodes call, as it is now. */
  code?(): Readonly<Record<string, string>>;
  /** Called before this process drives the run. */
  started?(run: DrivenRun): void;
  /** Called after each record, for the trace. */
  recorded?(record: LogRecord): void;
}

/** The dependencies of the parts themselves. */
export interface PartsOf {
  readonly models: () => RunModels;
  readonly scope: Scope;
  readonly place: RunPlace;
  readonly openLog: RunParts["openLog"];
  readonly options: RunOptions;
  readonly interceptors: readonly Interceptor[];
  /** The run that is run again, where it is at hand. */
  readonly recorded?: RecordedRun;
}

/** The facts and the input of a new run, and what its parts are made of. */
export interface BegunGraphRun {
  readonly meta: RunMeta;
  readonly input: Readonly<Record<string, unknown>>;
  readonly beside: {
    readonly kept?: Readonly<Record<string, unknown>>;
    readonly interception?: RunInterception;
  };
  readonly made: Omit<PartsOf, "openLog" | "recorded">;
}
