/** Follows a run until it stops, and pauses it when a signal asks the process to end. */
import type { RunEvent } from "../../../runtime/index.ts";
import { tell } from "../output.ts";
import { eventsOf, type KnownRun } from "./run-facts.ts";

export type FollowStopSignal = "SIGINT" | "SIGTERM";

export interface Following {
  /** Called with each new event. */
  readonly onEvent: (event: RunEvent) => void;
  /** Starts the run going, when it does not go yet. */
  readonly start?: () => Promise<void>;
  /** The number of its first events that are not new: those that a fork has copied. */
  readonly known?: number;
}

/** Resolves with the signal that paused the run, if one did. */
export async function followRun(
  run: KnownRun,
  { onEvent, start, known: copied = 0 }: Following,
): Promise<FollowStopSignal | undefined> {
  // Events before a resume are replayed, and are not new.
  let known = start === undefined ? copied : eventsOf(run).length;
  const onNext = (event: RunEvent) => {
    if (known === 0) {
      onEvent(event);
      if (event.kind === "run.held") giveUp(run, event.reason);
    } else known -= 1;
  };
  const signals = pauseOnSignals(run);
  // A function may wait for something that Node does not count as under way.
  const staysAlive = setInterval(() => {}, 60_000);
  try {
    await start?.();
    // Only now: a run that was over has other events from its resume on.
    const subscription = run.events$.subscribe(onNext);
    await run.settled().finally(() => subscription.unsubscribe());
  } finally {
    clearInterval(staysAlive);
    signals.stop();
  }
  return run.status === "paused" ? signals.received() : undefined;
}

/**
 * Stops following a run that another process has asked to pause: nobody here could continue it, and
 * no other process may while this one owns it.
 */
function giveUp(run: KnownRun, reason: string): void {
  // A fork is held at its step as well, and goes on at once.
  setImmediate(() => {
    if (run.status !== "paused") return;
    tell(`paused by another process: ${reason}`);
    // A failure here is the run's own, which settled() reports.
    run.pause({ now: true, reason }).catch(() => {});
  });
}

/** A terminal and whoever started us may both pass on one Ctrl-C. */
const SAME_SIGNAL_MS = 200;

function pauseOnSignals(run: KnownRun) {
  let first: { readonly signal: FollowStopSignal; readonly at: number } | undefined;
  const onSignal = (signal: FollowStopSignal) => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      tell(`${signal}: pausing; once more to leave at once`);
      // A failure here is the run's own, which settled() reports.
      run.pause({ now: true, reason: signal }).catch(() => {});
    } else if (performance.now() - first.at > SAME_SIGNAL_MS) {
      stop();
      process.kill(process.pid, signal);
    }
  };
  const stop = () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return { received: () => first?.signal, stop };
}
