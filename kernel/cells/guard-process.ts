/** Keeps the kernel alive whatever a cell does: a cell can't end the process, and its stray errors are shown. */
import { syncBuiltinESMExports } from "node:module";
import { RunError } from "../../runtime/index.ts";
import { takeStrays } from "../stray-errors.ts";
import { cellHere } from "./current-cell.ts";
import { errorOutput } from "./output/error-output.ts";

const EXITS = ["exit", "abort", "reallyExit"] as const;

/** Makes `process.exit` and its like throw M7502; the returned function restores them. */
export function forbidExit(): () => void {
  const restores = EXITS.map((name) => {
    const own = Object.getOwnPropertyDescriptor(process, name);
    const value = () => {
      throw refused(name);
    };
    Object.defineProperty(process, name, { configurable: true, writable: true, value });
    return () => {
      if (own !== undefined) Object.defineProperty(process, name, own);
    };
  });
  // Else `import { exit } from "node:process"` has the old one.
  syncBuiltinESMExports();
  return () => {
    for (const restore of restores) restore();
    syncBuiltinESMExports();
  };
}

function refused(name: string): RunError {
  return new RunError("M7502", `\`process.${name}\` would end the kernel`, {
    hint: "throw an error to end the cell; end the kernel from the notebook's menu",
  });
}

/** Shows errors that nobody waited for in the cell that started the work, until the returned function is called. */
export function showStrays(): () => void {
  return takeStrays((thrown) => {
    const cell = cellHere();
    const output = errorOutput(thrown);
    if (cell === undefined) process.stderr.write(`${output.traceback.join("\n")}\n`);
    else if (!isCancellation(thrown, cell.signal)) cell.show(output);
  });
}

/** A promise that was let go and fails because its cell was cancelled is no news. */
function isCancellation(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && thrown === signal.reason;
}
