/** Finds the value behind a name that the debugger's panel shows. */
import { debugging } from "../../runtime/index.ts";
import type { DebuggedRun } from "./debugged-run.ts";

export interface FrameAt {
  readonly run: DebuggedRun;
  /** From the innermost, 0. */
  readonly index: number;
}

/** A row of one of the scopes, else an expression: M5450, M5011. */
export function lookedUp(name: string, { run, index }: FrameAt): unknown {
  for (const scope of debugging.SCOPES) {
    const values = run.debug.values(scope, index);
    if (Object.hasOwn(values, name)) return values[name];
  }
  return run.debug.evaluate(name, index);
}
