/** Describes the interface that executes the scheduler's starts and timers. */

import type { Ended } from "../attempt/attempt-host.ts";
import type { Cancellation } from "../cancellation.ts";
import type { Start } from "../scheduler/advance.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";

export interface Driver {
  start(start: Start): void;
  cancel(id: number): void;
  /** Keeps a deadline; it replaces an earlier one of the same node run, or of the run. */
  keep(timer: Timer): void;
  /** Lets the process end before the deadlines that are kept: nobody here waits for the run any more. */
  release(): void;
  /** Cancels everything that is under way and waits until it has ended; says what did not end in time. */
  stop(): Promise<readonly string[]>;
}

/** The methods of a run that its driver calls. */
export interface DriverHost {
  post(completion: Completion): void;
  /** Performs one attempt and says once how it ended; never throws. */
  perform(start: Start, of: { readonly cancellation: Cancellation; readonly ended: Ended }): void;
  /** The label of a node run for people: `search#2`. */
  label(id: number): string;
  /** Ends the run: performing an attempt, or posting what came of it, threw. */
  broken(error: unknown): void;
}
