/** Handles the signals that end a command: the first is passed on in order, the second ends it at once. */

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A terminal and whoever started us may both pass on one Ctrl-C. */
const SAME_SIGNAL_MS = 200;

export interface StopSignals {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  readonly received: () => StopSignal | undefined;
  /** Signals do again what they did before. */
  readonly release: () => void;
}

/** `onFirst` says what happens now; `onSecond` kills what must not outlive us. */
export function listenForStop(handlers: {
  readonly onFirst: (signal: StopSignal) => void;
  readonly onSecond?: () => void;
}): StopSignals {
  const controller = new AbortController();
  let first: { readonly signal: StopSignal; readonly at: number } | undefined;
  const onSignal = (signal: StopSignal) => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      handlers.onFirst(signal);
      controller.abort();
    } else if (performance.now() - first.at > SAME_SIGNAL_MS) {
      release();
      handlers.onSecond?.();
      process.kill(process.pid, signal);
    }
  };
  const release = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: controller.signal, received: () => first?.signal, release };
}
