/** What executes the scheduler's starts. */

import type { Start } from "../scheduler/advance.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";

export interface Driver {
  start(start: Start): void;
  cancel(id: number): void;
  /** Keeps a deadline; it replaces an earlier one of the same node run, or of the run. */
  keep(timer: Timer): void;
  /** Cancels everything that is under way and waits until it has ended; says what did not end in time. */
  stop(): Promise<readonly string[]>;
}

/** What a driver needs of the run it drives. */
export interface DriverHost {
  post(completion: Completion): void;
  /** Performs one attempt to its end; `undefined` when the scheduler no longer wants it. Never rejects. */
  perform(start: Start, signal: AbortSignal): Promise<Completion | undefined>;
  label(id: number): string;
}
