/** Describes how far a run has come: its snapshot, its records and its path. */
import type { LogRecord } from "../records/records.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunStep } from "./step.ts";

/** The snapshot of a run, and the path that led to it. */
export interface RunPosition {
  readonly program: Program;
  readonly snapshot: Snapshot;
  /** The last of `walked`: of a stored run, without reading all of it. */
  readonly last: RunStep | undefined;
  /** The commits on the way, those of called graphs too. */
  readonly walked: readonly RunStep[];
  readonly records: readonly LogRecord[];
}
