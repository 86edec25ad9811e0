/** Handles Ctrl-C on a terminal: it drops the line that is being typed, as a shell does. */
import type { Interface } from "node:readline";

export interface Interruptible {
  /** Returns whether the last line is still being executed; else a line is being typed. */
  readonly isBusy: () => boolean;
  /** Stops what is under way. */
  readonly stop: () => void;
}

/**
 * On Ctrl-C, discards the typed text and prompts again; with nothing typed, or while a line is
 * executed, calls `stop`.
 */
export function interruptLine(lines: Interface, { isBusy, stop }: Interruptible): void {
  lines.on("SIGINT", () => {
    if (isBusy() || lines.line === "") stop();
    if (isBusy()) return;
    // To the end, so that all of the line stands before the cursor; then that goes.
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    lines.prompt();
  });
}
