/** Keeps the user's scripts of the main thread: their names, and how they map to their texts. */
import { readFile } from "node:fs/promises";
import type { Debugger } from "node:inspector";
import { basename } from "node:path";
import type { TargetEvents } from "../target.ts";
import {
  asItStands,
  bySourceMap,
  type ScriptPlace,
  type Stoppable,
  type ToText,
} from "./line-map.ts";
import type { MainInspector } from "./main-inspector.ts";
import { isCell, isUserFile, pathOfFile } from "./user-code.ts";

/** A cell as it ran once, or a module. The same cell run again is another one. */
export interface UserScript {
  readonly id: string;
  /** `Cell[3]`, or the name of a file. */
  readonly name: string;
  /** The path by which front ends know its text. */
  readonly path: string;
  readonly toText: ToText;
}

/** The callbacks that report the texts. */
export type ScriptEvents = Pick<TargetEvents, "knowCell" | "knowSource">;

/**
 * The expression, in the main thread, of the hooks that report cells:
 * kernel/cells/debugger-hooks.ts.
 */
export const CELLS = `globalThis[Symbol.for("madrigal.cells.debugged")]`;

export class Scripts {
  readonly #inspector: Pick<MainInspector, "ask" | "evaluate">;
  readonly #events: ScriptEvents;
  readonly #names = new Map<string, string>();
  readonly #firstLines = new Map<string, number>();
  readonly #known = new Map<string, Promise<UserScript | undefined>>();
  readonly #stoppable = new Map<string, Promise<readonly Stoppable[]>>();

  constructor(inspector: Pick<MainInspector, "ask" | "evaluate">, events: ScriptEvents) {
    this.#inspector = inspector;
    this.#events = events;
  }

  /** The inspector's word of a script, which comes anew each time it is run. */
  note({ scriptId, url, startLine }: Debugger.ScriptParsedEventDataType): void {
    if (!isCell(url) && !isUserFile(url)) return;
    this.#names.set(scriptId, url);
    this.#firstLines.set(scriptId, startLine);
  }

  /**
   * Returns the inspector's number of the first line of a script that counts: the first line of a
   * cell's JavaScript does not.
   */
  firstLine(id: string): number {
    return this.#firstLines.get(id) ?? 0;
  }

  /** Undefined for what is not the user's. */
  async get(id: string): Promise<UserScript | undefined> {
    const name = this.#names.get(id);
    if (name === undefined) return undefined;
    const known = this.#known.get(id) ?? this.#load(id, name);
    this.#known.set(id, known);
    try {
      return await known;
    } catch (thrown) {
      this.#known.delete(id);
      throw thrown;
    }
  }

  isUsers(id: string): boolean {
    return this.#names.has(id);
  }

  /** Returns the ids of a cell's scripts, one for each time that it was loaded. */
  called(cell: string): readonly string[] {
    return [...this.#names].filter(([, name]) => name === cell).map(([id]) => id);
  }

  /** All of one text. */
  async at(path: string): Promise<readonly UserScript[]> {
    const scripts = await Promise.all([...this.#names.keys()].map((id) => this.get(id)));
    return scripts.filter((script) => script !== undefined).filter((one) => one.path === path);
  }

  /** Returns the places at which a script can stop. */
  async stoppable(script: UserScript): Promise<readonly Stoppable[]> {
    const known = this.#stoppable.get(script.id) ?? this.#askStoppable(script);
    this.#stoppable.set(script.id, known);
    return await known;
  }

  async #load(id: string, name: string): Promise<UserScript | undefined> {
    if (!isCell(name)) return await this.#file(id, name);
    const { value } = await this.#inspector.evaluate(
      `${CELLS}?.cells?.script(${JSON.stringify(name)})`,
    );
    if (typeof value !== "string") return undefined;
    const { text, map }: { readonly text: string; readonly map: string } = JSON.parse(value);
    return { id, name, path: this.#events.knowCell(text), toText: bySourceMap(map) };
  }

  async #file(id: string, name: string): Promise<UserScript> {
    const path = pathOfFile(name);
    // A file deleted since it was loaded is shown without its text.
    this.#events.knowSource(path, await readFile(path, "utf8").catch(() => ""));
    return { id, name: basename(path), path, toText: asItStands };
  }

  async #askStoppable({ id, toText }: UserScript): Promise<readonly Stoppable[]> {
    const { locations } = await this.#inspector.ask<Debugger.GetPossibleBreakpointsReturnType>(
      "Debugger.getPossibleBreakpoints",
      { start: { scriptId: id, lineNumber: 0, columnNumber: 0 } },
    );
    return locations.flatMap(({ lineNumber, columnNumber = 0 }) => {
      const place: ScriptPlace = { lineNumber, columnNumber };
      const text = toText(place);
      return text === undefined ? [] : [{ place, text }];
    });
  }
}
