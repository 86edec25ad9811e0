/** Describes a run as debuggers, sessions and commands need it, beyond the public handle. */

import type { Stop } from "../breakpoints/breakpoint-types.ts";
import type { StopWatcher } from "../breakpoints/stop-watchers.ts";
import type { BreakpointWarning, WarningWatcher } from "../breakpoints/unanswered.ts";
import type { Timeline } from "../debug/timeline.ts";
import type { Goal } from "../engine/hold.ts";
import type { RunError } from "../failure.ts";
import type { RunView } from "../history/run-view.ts";
import type { StoredLog } from "../rerun/recorded-types.ts";
import type { Edit } from "./edit.ts";
import type { Run } from "./handle.ts";

export interface DrivenRun extends Run, RunView {
  readonly state: Record<string, unknown>;
  readonly reason: string | undefined;
  /** The stored log, for analyses that read all of it. */
  readonly stored: StoredLog;
  /** The next time at which a run that no process drives has something due: a sleeping node, a question that expires. */
  readonly dueAt: number | undefined;
  /** Until when nothing can go on, while it is driven. */
  readonly sleepsUntil: number | undefined;
  /** True while this process drives the run. */
  readonly isUnderWay: boolean;
  /** The conditions of breakpoints that could not be evaluated, once for each breakpoint. */
  readonly breakpointWarnings: readonly BreakpointWarning[];
  /** Calls `watcher` with each warning as it comes. The result ends that. */
  watchWarnings(watcher: WarningWatcher): () => void;
  /** Calls `watcher` with the reason at each stop, and with nothing when the run goes on. The result ends that. */
  watchStops(watcher: StopWatcher): () => void;
  /** Removes the breakpoints that come from `break` statements. */
  goPastBreaks(): void;
  /** Follows the process that drives a stored run, if there is one. */
  follow(): void;
  continue(goal?: Goal): Promise<Stop>;
  /** The error of an answer to a question that is not open. */
  notAsked(id: string): RunError;
  /** Gives up a run that waits for an answer, as it stands; any other is paused. */
  leave(reason: string): Promise<void>;
  timeline(): Timeline<DrivenRun>;
  /** `isHeld`: it is held at that step, for a debugger. */
  fork(
    step: number,
    edits?: Edit<Record<string, unknown>>,
    options?: { readonly isHeld?: boolean },
  ): DrivenRun;
  /** Has a fork go on from its step, with other values of some fields. */
  goOnFrom(start: BranchStart): void;
}

/** The start of a fork. */
export interface BranchStart {
  readonly step: number;
  /** Checked already: they fit their fields. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** Held there, for a debugger. */
  readonly isHeld?: boolean;
}
