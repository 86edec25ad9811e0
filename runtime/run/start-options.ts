/** What a start of a run says beside its input. */
import { type Answerer, scriptedAnswers } from "../questions/auto-answers.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { RunOptions } from "./run-options.ts";

/** What the run was given to say. */
export function answersIn({ answers }: RunOptions): readonly Answerer[] {
  return answers === undefined ? [] : [scriptedAnswers(answers)];
}

/** Sets what it is to be held at. */
export function setBreakpoints(
  run: DrivenRun,
  { breakpoints = [], breaks = true }: RunOptions,
): void {
  if (!breaks) run.goPastBreaks();
  for (const breakpoint of breakpoints) run.setBreakpoint(breakpoint);
}

/** Aborts a run when a signal is aborted, for as long as it is under way. */
export function abortWith(run: DrivenRun, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const abort = () => void run.abort("signal").catch(() => {});
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  const forget = () => signal.removeEventListener("abort", abort);
  // One that waits goes on when it is answered, and can still be aborted then.
  run.events$.subscribe({ complete: forget });
}
