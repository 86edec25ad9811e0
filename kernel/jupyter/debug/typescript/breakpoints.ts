/** Sets breakpoints in every script that was made of the same cell text. */
import type { Debugger } from "node:inspector";
import { firstFrom, type Stoppable } from "./line-map.ts";
import type { MainInspector } from "./main-inspector.ts";
import type { Scripts, UserScript } from "./scripts.ts";

interface BreakpointParts {
  readonly inspector: Pick<MainInspector, "ask">;
  readonly scripts: Scripts;
}

export class ScriptBreakpoints {
  readonly #parts: BreakpointParts;
  /** The lines of each text that are to stop. */
  readonly #wanted: ReadonlyMap<string, readonly number[]>;
  /** The inspector's ids of the breakpoints in each script. */
  readonly #set = new Map<string, readonly string[]>();
  #work: Promise<void> = Promise.resolve();

  constructor(parts: BreakpointParts, wanted: ReadonlyMap<string, readonly number[]>) {
    this.#parts = parts;
    this.#wanted = wanted;
  }

  /** Resolves when the scripts of this text stop at the lines that are wanted there now, and nowhere else. */
  async place(path: string): Promise<void> {
    await this.#inTurn(async () => {
      for (const script of await this.#parts.scripts.at(path)) await this.#placeIn(script);
    });
  }

  /** The same of a cell that has been loaded. */
  async placeInCell(name: string): Promise<void> {
    const { scripts } = this.#parts;
    await this.#inTurn(async () => {
      for (const id of scripts.called(name)) {
        const script = await scripts.get(id);
        if (script !== undefined) await this.#placeIn(script);
      }
    });
  }

  /** The line of a text, or the next one, that can stop; `likely` where the text has not run. Undefined where none is left. */
  async snap(
    line: number,
    path: string,
    likely: () => number | undefined,
  ): Promise<number | undefined> {
    const { scripts } = this.#parts;
    const [script] = await scripts.at(path);
    if (script === undefined) return likely();
    return firstFrom(line, await scripts.stoppable(script))?.text.line;
  }

  async #placeIn(script: UserScript): Promise<void> {
    const { inspector, scripts } = this.#parts;
    for (const breakpointId of this.#set.get(script.id) ?? []) {
      await inspector.ask("Debugger.removeBreakpoint", { breakpointId });
    }
    this.#set.delete(script.id);
    const lines = this.#wanted.get(script.path) ?? [];
    if (lines.length === 0) return;
    const places = await scripts.stoppable(script);
    const set: string[] = [];
    const taken = new Set<Stoppable>();
    for (const line of lines) {
      const found = firstFrom(line, places);
      if (found === undefined || taken.has(found)) continue;
      taken.add(found);
      set.push(await this.#setAt({ scriptId: script.id, ...found.place }));
      this.#set.set(script.id, set);
    }
  }

  async #setAt(location: Debugger.Location): Promise<string> {
    const { breakpointId } = await this.#parts.inspector.ask<Debugger.SetBreakpointReturnType>(
      "Debugger.setBreakpoint",
      { location },
    );
    return breakpointId;
  }

  /** One after the other: two at once would set the same breakpoint twice. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.#work.then(work);
    this.#work = mine.catch(() => {}); // Told to who asked for it.
    await mine;
  }
}
