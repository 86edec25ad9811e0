/** Reports what `madrigal exec` did: while cells run, when one fails, and as one document. */
import { stripVTControlCharacters } from "node:util";
import { shortRunId } from "../../../runtime/index.ts";
import type { RunUnderWay } from "../../agent-access/asks.ts";
import { CommandError } from "../../command-error.ts";
import { EXIT, exitCodeOf } from "../../exit-codes.ts";
import { type CellError, cellErrorText } from "../../notebook/execution/cell-error.ts";
import type { Executed, ExecutedCell, RanCell } from "../../notebook/execution/execute-notebook.ts";
import type { EndedNode } from "../../notebook/execution/run-progress.ts";
import type { Saved } from "../../notebook/save-executed.ts";
import type { Painter } from "../../paint.ts";
import { type CommandFault, faultJson, faultText, toFault } from "../fault.ts";
import { secondsText } from "../numbers.ts";
import { isColoured, paintFor, tell, withColours } from "../output.ts";
import type { StopSignal } from "./stop-signals.ts";

export interface EndedExecution extends Executed {
  readonly signal: StopSignal | undefined;
  readonly timeoutMs: number | undefined;
}

/** `cell 3/12 ok 0.41s`. */
export function cellLine({ index, count, ms, isOk }: RanCell, paint: Painter): string {
  const word = isOk ? paint("good", "ok") : paint("error", "failed");
  return `cell ${index}/${count} ${word} ${secondsText(ms)}`;
}

/** `  node search#2 succeeded 0.12s`. */
export function nodeLine({ label, status, durationMs }: EndedNode, paint: Painter): string {
  const word = paint(STYLES[status] ?? "quiet", status);
  const time = durationMs === undefined ? "" : ` ${secondsText(durationMs)}`;
  return `  node ${label} ${word}${time}`;
}

const STYLES: Readonly<Record<string, Parameters<Painter>[0]>> = {
  succeeded: "good",
  failed: "error",
  aborted: "warning",
};

/** Says what went wrong beside the cells, which runs were paused at the end, and what stopped the notebook, if anything did. */
export function tellStop(ended: EndedExecution): void {
  const { stopped } = ended;
  const last = ended.cells.at(-1);
  const paint = paintFor(process.stderr);
  for (const run of ended.paused) tell(`${paint("warning", "warning")}: ${pausedText(run)}`);
  for (const { index, strays } of ended.cells)
    for (const stray of strays) tell(strayLine(cellErrorText(index, stray), paint));
  if (last?.error !== undefined && stopped !== undefined) {
    tell(paint("error", cellErrorText(last.index, last.error)));
    const traceback = last.error.traceback.join("\n");
    tell(isColoured(process.stderr) ? withColours(traceback) : stripVTControlCharacters(traceback));
  }
  const fault = faultOf(ended);
  if (fault !== undefined && (stopped !== "error" || last?.error === undefined))
    tell(faultText(fault, paint));
}

function pausedText({ run, graph, status }: RunUnderWay): string {
  const short = shortRunId(run);
  const how = status === "waiting" ? "waited for an answer" : "was under way";
  return `run ${short} of ${graph} ${how} when the notebook ended, and is paused: \`madrigal resume ${short}\` goes on with it, and a cell waits for a run by \`await run.output\``;
}

function strayLine(text: string, paint: Painter): string {
  return `${paint("warning", "warning")}: ${text} (not awaited, so the cell continued)`;
}

export function exitCodeOfExecution({ stopped, signal }: EndedExecution): number {
  if (stopped === "signal") return exitCodeOf(signal ?? "SIGINT");
  return stopped === undefined ? EXIT.done : EXIT.wrong;
}

/** The document of `--json`. */
export function executionJson(ended: EndedExecution, saved: Saved): Record<string, unknown> {
  const fault = faultOf(ended);
  return {
    notebook: saved.notebook,
    ...(saved.page === undefined ? {} : { page: saved.page }),
    ok: fault === undefined,
    cells: ended.cells.map(cellJson),
    ...(ended.paused.length === 0 ? {} : { paused: ended.paused }),
    ...(fault === undefined ? {} : { error: faultJson(fault) }),
  };
}

function cellJson({ index, id, ms, isOk, error, strays }: ExecutedCell): Record<string, unknown> {
  return {
    index,
    id,
    ok: isOk,
    duration_ms: Math.round(ms),
    ...(error === undefined ? {} : { error: errorJson(error) }),
    ...(strays.length === 0 ? {} : { strays: strays.map(errorJson) }),
  };
}

function errorJson({ name, message, line }: CellError): Record<string, unknown> {
  return { name, message, ...(line === undefined ? {} : { line }) };
}

function faultOf(ended: EndedExecution): CommandFault | undefined {
  const { stopped, cells, timeoutMs = 0, signal } = ended;
  if (stopped === undefined) return undefined;
  if (stopped instanceof CommandError) {
    // The cell that the kernel died in was not told as ended.
    const fault = toFault(stopped);
    return { ...fault, message: `cell ${cells.length + 1}: ${fault.message}` };
  }
  const last = cells.at(-1);
  const cell = `cell ${last?.index ?? 1}`;
  if (stopped === "error") {
    return wrong("M7703", last?.error ? cellErrorText(last.index, last.error) : `${cell} failed`);
  }
  return stopped === "timeout"
    ? wrong("M7704", `${cell} took longer than ${timeoutMs / 1000} s and was interrupted`)
    : wrong("M7705", `${signal ?? "a signal"} interrupted the notebook in ${cell}`);
}

function wrong(code: CommandFault["code"], message: string): CommandFault {
  return { code, message, exitCode: EXIT.wrong };
}
