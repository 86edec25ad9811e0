/** Declares the functions that the debugger of worker 1 finds in this thread by the inspector. */

/** The name of the hooks in `globalThis`. */
const PLACE = Symbol.for("madrigal.cells.debugged");

/**
 * Called when a cell's script is loaded and nothing of the cell has run: the debugger has a breakpoint here, and sets those of
 * the cell meanwhile.
 */
export function beforeCell(_cell: string): void {}

/** Called before a run makes a step into these functions, and with none behind it: the debugger has a breakpoint here, too. */
export function beforeFunctions(_functions: readonly unknown[]): void {}

/** Lets the debugger find these, beside what it finds already. */
export function showToDebugger(shown: object): void {
  const place = globalThis as { [PLACE]?: object };
  place[PLACE] = { ...place[PLACE], ...shown };
}
