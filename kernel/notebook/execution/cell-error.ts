/** Turns the errors that a cell shows into what a command reports. */
import { stripVTControlCharacters } from "node:util";
import type { Output } from "../notebook.ts";

export interface CellError {
  /** A code such as M3301 or TS2552, or the name of what was thrown. */
  readonly name: string;
  readonly message: string;
  /** In the cell, from 1; of the first place of its traceback that lies in this cell. */
  readonly line?: number;
  readonly traceback: readonly string[];
}

/** The errors among the outputs of the cell with this execution count. That of a cell that failed is the last one. */
export function cellErrors(
  outputs: readonly Output[],
  executionCount: number,
): readonly CellError[] {
  return outputs
    .filter((output) => output.output_type === "error")
    .map(({ ename, evalue, traceback }) => {
      const line = lineIn(traceback, executionCount);
      return { name: ename, message: evalue, traceback, ...(line === undefined ? {} : { line }) };
    });
}

/** Frames and stacks name their place `Cell[3]:7:11`. */
function lineIn(traceback: readonly string[], executionCount: number): number | undefined {
  const text = stripVTControlCharacters(traceback.join("\n"));
  const place = new RegExp(`\\bCell\\[${executionCount}\\]:(\\d+)`).exec(text);
  return place === null ? undefined : Number(place[1]);
}

/** Says an error of a cell in one line: `cell 4 (line 7): M3301 …`. */
export function cellErrorText(index: number, { name, message, line }: CellError): string {
  const place = line === undefined ? "" : ` (line ${line})`;
  return `cell ${index}${place}: ${name} ${message}`.trimEnd();
}
