/** Describes the part of a run that analyses read: its facts, its steps and its position. */
import type { Ir } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { RunStatus } from "../run-status.ts";
import type { Usage } from "../usage.ts";
import type { RunPosition } from "./run-position.ts";
import type { RunStep } from "./step.ts";

export interface RunView {
  readonly id: string;
  readonly graph: string;
  readonly graphHash: string;
  /** The program that it runs. */
  readonly ir: Ir;
  readonly status: RunStatus;
  readonly reason: string | undefined;
  /** The failure that ended it. */
  readonly failure: Failure | undefined;
  /** The state after everything committed so far; frozen. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The commits on the way to where it stands; without what a rewind undid. */
  readonly steps: readonly RunStep[];
  /** The number of `steps`; of a stored run without reading them. */
  readonly stepCount: number;
  readonly usage: Usage;
  /** Milliseconds under way, without waits, holds and pauses. */
  readonly activeMs: number;
  readonly position: RunPosition;
}
