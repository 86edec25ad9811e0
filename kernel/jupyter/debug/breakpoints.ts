/** The breakpoints that front ends have set, by cell: as they were set, and as they hold. */
import type { DebugTarget, DumpedCell } from "./target.ts";

interface SetIn {
  readonly cell: DumpedCell;
  readonly lines: readonly number[];
}

export class Breakpoints {
  readonly #targets: readonly DebugTarget[];
  readonly #set = new Map<string, SetIn>();

  constructor(targets: readonly DebugTarget[]) {
    this.#targets = targets;
  }

  /** Instead of those of the cell so far; the lines at which they hold. None in a text that nobody has dumped. */
  async set(cell: DumpedCell | undefined, lines: readonly number[]): Promise<readonly number[]> {
    const target = this.#targets.find((one) => cell !== undefined && one.takes(cell));
    if (cell === undefined || target === undefined) return [];
    const held = [...new Set(await target.setBreakpoints(cell, lines))];
    if (held.length === 0) this.#set.delete(cell.path);
    else this.#set.set(cell.path, { cell, lines: held });
    return held;
  }

  /** To targets that were not attached when they were set. */
  async tellAgain(): Promise<void> {
    for (const { cell, lines } of [...this.#set.values()]) await this.set(cell, lines);
  }

  clear(): void {
    this.#set.clear();
  }

  /** As `debugInfo` has them. */
  list(): readonly unknown[] {
    return [...this.#set].map(([source, { lines }]) => ({
      source,
      breakpoints: lines.map((line) => ({ line })),
    }));
  }
}
