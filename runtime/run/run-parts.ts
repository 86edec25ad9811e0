/** Describes the dependencies of a run: its program, its storage, what drives it and performs its nodes. */
import type { RunVerbs } from "../agents/tools/run-tools.ts";
import type { Clock } from "../clock.ts";
import type { EngineParts } from "../engine/engine-parts.ts";
import type { Answerer } from "../questions/auto-answers.ts";
import type { NodeUse } from "../records/control-records.ts";
import type { LogRecord } from "../records/records.ts";
import type { FollowedLog } from "../remote/remote-owner.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { ForkedFrom, RunLog, RunMeta } from "../store/index.ts";
import type { Artifacts, Snapshots } from "../store/run-store.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { ResumeOptions, UseOptions } from "./handle.ts";

/** How a run gets what it runs on; called again for each resume. */
export interface RunParts {
  /** Told of the run that is made of these parts, before it does anything. */
  readonly bound?: (run: RunVerbs) => void;
  readonly program: Program;
  readonly meta: RunMeta;
  readonly clock: Clock;
  /** Who drives it, for the log. */
  readonly owner: string;
  openLog(): RunLog;
  /** Where the bytes of its artifacts are; absent where nothing of it is kept. */
  readonly artifacts?: Pick<Artifacts, "get">;
  /** Where its store keeps how runs stood. */
  readonly snapshots?: Snapshots;
  /** The logs of the earlier runs of its thread. */
  earlier?(): readonly (readonly LogRecord[])[];
  /** What others write to its log while this process does not drive it. */
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
    "performer" | "driver" | "redact" | "call" | "earlier" | "cache" | "serving"
  >;
  /** What a person has a node use, as the log can keep it; throws where it is not there. */
  use?(change: UseOptions): NodeUse;
  /** Who answers its questions by themselves, in their order. */
  readonly answerers?: readonly Answerer[];
  /** Lets go of what its performers have open in this process; what that failed with. */
  dispose?(): Promise<readonly unknown[]>;
  /** The parts with which it goes on with another graph; throws M5302 where that has no place for it. */
  refit?(
    records: readonly LogRecord[],
    options: ResumeOptions & { readonly graph: NonNullable<ResumeOptions["graph"]> },
  ): RunParts;
  /** A new run, stored with these records, that branches off here. */
  fork?(from: ForkedFrom, records: readonly LogRecord[]): DrivenRun;
  /** The hash of each function that its nodes call, as it is now. */
  code?(): Readonly<Record<string, string>>;
  /** Told before this process drives it. */
  started?(run: DrivenRun): void;
  /** Told after each record, for the trace. */
  recorded?(record: LogRecord): void;
}
