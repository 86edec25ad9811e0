/** Keeps the breakpoints that front ends have set, by cell: as asked, and as verified. */
import type { DebugTarget, DumpedCell } from "./target.ts";

interface SetIn {
  readonly cell: DumpedCell;
  readonly lines: readonly number[];
}

export class CellBreakpoints {
  readonly #targets: readonly DebugTarget[];
  readonly #set = new Map<string, SetIn>();
  /** The pending changes of breakpoints, by cell. */
  readonly #work = new Map<string, Promise<void>>();
  /** The number of times that all were cleared; a change requested before the last one is void. */
  #clears = 0;

  constructor(targets: readonly DebugTarget[]) {
    this.#targets = targets;
  }

  /**
   * Replaces the breakpoints of a cell; returns the lines at which they hold. None in a text that
   * was not dumped.
   */
  async set(cell: DumpedCell | undefined, lines: readonly number[]): Promise<readonly number[]> {
    if (cell === undefined) return [];
    const clears = this.#clears;
    return await this.#inTurn(cell.path, async () =>
      clears === this.#clears ? await this.#tell(cell, lines) : [],
    );
  }

  /** To targets that were not attached when they were set. */
  async tellAgain(): Promise<void> {
    for (const path of [...this.#set.keys()]) {
      await this.#inTurn(path, async () => {
        const set = this.#set.get(path);
        if (set !== undefined) await this.#tell(set.cell, set.lines);
      });
    }
  }

  clear(): void {
    this.#clears += 1;
    this.#set.clear();
  }

  /** Returns the breakpoints in the form of `debugInfo`. */
  list(): readonly unknown[] {
    return [...this.#set].map(([source, { lines }]) => ({
      source,
      breakpoints: lines.map((line) => ({ line })),
    }));
  }

  async #tell(cell: DumpedCell, lines: readonly number[]): Promise<readonly number[]> {
    const target = this.#targets.find((one) => one.takes(cell));
    if (target === undefined) return [];
    const clears = this.#clears;
    const held = [...new Set(await target.setBreakpoints(cell, lines))];
    if (clears !== this.#clears) return [];
    if (held.length === 0) this.#set.delete(cell.path);
    else this.#set.set(cell.path, { cell, lines: held });
    return held;
  }

  /** One after the other: a target may be longer at the first of two, and then those asked for last are to hold. */
  async #inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#work.get(path) ?? Promise.resolve()).then(work);
    const over = mine.then(
      () => {},
      () => {}, // Told to who asked for it.
    );
    this.#work.set(path, over);
    return await mine;
  }
}
