/** Finds the cells whose output was made by functions and graphs that have been declared anew since. */
import { hashIr } from "../../../dsl/index.ts";
import { Graph } from "../../../runtime/index.ts";
import type { CellPart } from "../../types/service.ts";
import type { Cell } from "../cell.ts";

type CellNames = Readonly<Record<string, unknown>>;

interface KnownCell {
  readonly cell: Cell;
  readonly parts: readonly CellPart[];
  /** The names that it was marked for, with what happened to each. */
  readonly marks: Map<string, string>;
}

/** A cell that depends on what another one has declared anew. */
export interface Dependent {
  readonly cell: Cell;
  readonly parts: readonly CellPart[];
  /** The names that were declared anew and that it depends on, if through others. */
  readonly because: readonly string[];
  /** All that it was marked for, the last ones too. */
  readonly marks: ReadonlyMap<string, string>;
}

/** Keeps what each cell used and declared when it last ran. */
export class Dependents {
  readonly #cells = new Map<string, KnownCell>();
  /** The cell that declared each name last. */
  readonly #owners = new Map<string, string>();

  /** Called before a cell runs; what the returned function gives, once it has run, are those that it made stale. */
  enter(cell: Cell, parts: readonly CellPart[], names: CellNames): () => readonly Dependent[] {
    const declared = new Set(parts.flatMap(({ declares }) => declares));
    const before = new Map([...declared].map((name) => [name, fingerprint(names[name])]));
    return () => {
      const anew = [...before].flatMap(([name, old]) =>
        old === undefined || old === fingerprint(names[name]) ? [] : [name],
      );
      const key = keyOf(cell);
      this.#cells.delete(key);
      this.#cells.set(key, { cell, parts, marks: new Map() });
      for (const name of declared) this.#owners.set(name, key);
      const why = `was declared anew in ${cell.name}`;
      return this.changed(new Map(anew.map((name) => [name, why])), cell);
    };
  }

  /**
   * Returns the cells that depend on changed names, with the reason for each name; `by`, the cell
   * that changed them, is not among them.
   */
  changed(anew: ReadonlyMap<string, string>, by: Cell): readonly Dependent[] {
    return anew.size === 0 ? [] : this.#dependentsOn(anew, by);
  }

  #dependentsOn(anew: ReadonlyMap<string, string>, by: Cell): readonly Dependent[] {
    const reasons = new Map([...anew.keys()].map((name) => [name, new Set([name])]));
    // Indirect dependents are found by repeating until nothing is added.
    for (let before = -1; before !== sizeOf(reasons); ) {
      before = sizeOf(reasons);
      for (const [key, { parts }] of this.#cells) {
        if (key !== keyOf(by)) for (const part of parts) this.#spread(part, key, reasons);
      }
    }
    const found = [...this.#cells].flatMap(([key, known]) => {
      const because = new Set(known.parts.flatMap(({ uses }) => reasonsOf(uses, reasons)));
      return key === keyOf(by) || because.size === 0 ? [] : [{ known, because: [...because] }];
    });
    return found.map(({ known: { cell, parts, marks }, because }) => {
      for (const name of because) marks.set(name, anew.get(name) ?? "");
      return { cell, parts, because, marks };
    });
  }

  #spread({ declares, uses }: CellPart, key: string, reasons: Map<string, Set<string>>): void {
    const because = reasonsOf(uses, reasons);
    for (const name of because.length === 0 ? [] : declares) {
      // Another cell has given the name another meaning since.
      if (this.#owners.get(name) !== key) continue;
      reasons.set(name, new Set([...(reasons.get(name) ?? []), ...because]));
    }
  }
}

function reasonsOf(uses: readonly string[], reasons: ReadonlyMap<string, ReadonlySet<string>>) {
  return uses.flatMap((name) => [...(reasons.get(name) ?? [])]);
}

function sizeOf(reasons: ReadonlyMap<string, ReadonlySet<string>>): number {
  return [...reasons.values()].reduce((sum, { size }) => sum + size, 0);
}

/** A cell of the notebook that runs again is the same one; a console has no such cells. */
function keyOf({ request }: Cell): string {
  return request.cellId ?? request.id;
}

/**
 * Returns a text that differs when a function or graph was declared with another content; undefined
 * for other values, which no cell depends on.
 */
function fingerprint(value: unknown): string | undefined {
  if (value instanceof Graph) return hashIr(value.ir);
  if (typeof value !== "function") return undefined;
  try {
    return Function.prototype.toString.call(value);
  } catch {
    return undefined;
  }
}
