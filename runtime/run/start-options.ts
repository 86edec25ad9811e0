/** Applies the options with which a run starts: answers, breakpoints, an abort signal. */
import { type Answerer, scriptedAnswers } from "../questions/auto-answers.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { RunOptions } from "./run-options.ts";

/** The automatic answers that the options give. */
export function answersIn({ answers }: RunOptions): readonly Answerer[] {
  return answers === undefined ? [] : [scriptedAnswers(answers)];
}

/** Sets the breakpoints that the options give. */
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
  // A run that waits continues when it is answered, and can still be aborted then.
  run.events$.subscribe({ complete: forget });
}
