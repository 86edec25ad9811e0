/** Makes the path of a cell in a debugger from its text, as front ends do. */
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { classify } from "../../cells/kinds/classify.ts";
import { murmur2 } from "./murmur2.ts";
import type { DumpedCell } from "./target.ts";

/** JupyterLab shows a cell's number only where the path holds `ipykernel_`. Nothing is written there. */
export const CELL_PREFIX = `${join(tmpdir(), `ipykernel_madrigal_${process.pid}`)}${sep}`;
export const CELL_SUFFIX = ".ts";
export const HASH_SEED = 0xc70f6907;

/** Returns the path and kind of a cell, by its whole text with its magic line and all spaces. */
export function dumpedCell(code: string): DumpedCell {
  const path = `${CELL_PREFIX}${murmur2(code, HASH_SEED)}${CELL_SUFFIX}`;
  return { path, code, kind: classify(code).kind };
}
