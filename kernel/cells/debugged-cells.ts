/**
 * Answers the debugger's questions by the inspector: texts of cells, their line maps, the names of the notebook. Nothing
 * of it is made before it is asked for.
 */
import { textOfCell } from "./output/cell-texts.ts";
import { mapOfCell } from "./output/stacks.ts";

/** The cells of a notebook, whose names are `names`. */
export class DebuggedCells {
  readonly names: Record<string, unknown>;
  #lent = new Map<string, PropertyDescriptor | undefined>();

  constructor(names: Record<string, unknown>) {
    this.names = names;
  }

  /** JSON of a cell's text and of its source map; undefined for what is no cell of the notebook. */
  script(cell: string): string | undefined {
    const [text, map] = [textOfCell(cell), mapOfCell(cell)];
    return text === undefined || map === undefined ? undefined : JSON.stringify({ text, map });
  }

  /** Lets what a person evaluates use the notebook's names as they are written in cells, until `takeBack`. */
  lend(): void {
    this.takeBack();
    for (const name of Object.keys(this.names)) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      if (before?.configurable === false) continue;
      this.#lent.set(name, before);
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => this.names[name],
        set: (value: unknown) => {
          this.names[name] = value;
        },
      });
    }
  }

  takeBack(): void {
    for (const [name, before] of this.#lent) {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    }
    this.#lent.clear();
  }
}
