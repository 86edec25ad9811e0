/** Finds the cell of the code that is running, across awaits, timers and events. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Cell } from "./cell.ts";

const cells = new AsyncLocalStorage<Cell>();
let newest: Cell | undefined;

/** Runs `work`; all that it starts belongs to the cell, however late it runs. */
export function inCell<T>(cell: Cell, work: () => T): T {
  newest = cell;
  return cells.run(cell, work);
}

/** The cell that this code belongs to; undefined for what a front end has set going. */
export function runningCell(): Cell | undefined {
  return cells.getStore();
}

/** The cell that this code belongs to; the newest one where nobody knows. Undefined before the first. */
export function cellHere(): Cell | undefined {
  return cells.getStore() ?? newest;
}
