/** Finds the cells whose output was made by functions, graphs and values that have been declared anew since. */
import { hashIr } from "../../../dsl/index.ts";
import { Graph } from "../../../runtime/index.ts";
import type { CellPart } from "../../types/service.ts";
import type { Cell } from "../cell.ts";

type CellNames = Readonly<Record<string, unknown>>;

/** `due` cells run again by themselves, in reactive mode. */
export type Staleness = "fresh" | "stale" | "due";

interface KnownCell {
  readonly cell: Cell;
  readonly parts: readonly CellPart[];
  /** The names that it was marked for, with what happened to each. */
  readonly marks: Map<string, string>;
  staleness: Staleness;
  /** It was to run again, and threw. */
  hasFailed: boolean;
  /** A person has changed a value that it uses since it began to run. */
  isOvertaken: boolean;
}

/** A cell while it runs. */
interface EnteredCell {
  readonly parts: readonly CellPart[];
  /** The values that a person has changed meanwhile, by name. */
  readonly overtakenBy: Map<string, string>;
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

/** A cell that has run, with what it took from others. */
export interface LinkedCell {
  readonly cell: Cell;
  readonly declares: readonly string[];
  /** The names that other cells declared, with the cells. */
  readonly uses: ReadonlyMap<string, Cell>;
  readonly staleness: Staleness;
  readonly isOvertaken: boolean;
  /** The reasons for which it is stale, by name. */
  readonly marks: ReadonlyMap<string, string>;
  /** It was to run again, and threw. */
  readonly hasFailed: boolean;
}

/** Keeps what each cell used and declared when it last ran. */
export class Dependents {
  readonly #cells = new Map<string, KnownCell>();
  /** The cell that declared each name last. */
  readonly #owners = new Map<string, string>();
  readonly #underWay = new Map<string, EnteredCell>();

  /**
   * Called before a cell runs; what the returned function gives, once it has run, are those that it made stale: by another
   * function or graph, or, with `byValue`, by another value of any kind, also of a name that it only assigns to.
   */
  enter(
    cell: Cell,
    parts: readonly CellPart[],
    names: CellNames,
  ): (options: { readonly byValue: boolean }) => readonly Dependent[] {
    const declared = new Set(parts.flatMap(({ declares }) => declares));
    const before = new Map([...declared].map((name) => [name, snapshot(names, name)]));
    const used = new Map(parts.flatMap(({ uses }) => uses.map((name) => [name, names[name]])));
    const key = keyOf(cell);
    const overtakenBy = new Map<string, string>();
    this.#underWay.set(key, { parts, overtakenBy });
    return ({ byValue }) => {
      this.#underWay.delete(key);
      const anew = [...before].flatMap(([name, old]) =>
        isAnother(old, snapshot(names, name), byValue) ? [name] : [],
      );
      const isOvertaken = overtakenBy.size > 0;
      const staleness = isOvertaken ? "due" : "fresh";
      const known = { cell, parts, marks: overtakenBy, hasFailed: false } as const;
      this.#cells.delete(key);
      this.#cells.set(key, { ...known, staleness, isOvertaken });
      for (const name of declared) this.#owners.set(name, key);
      const why = `was declared anew in ${cell.name}`;
      const assigned = [...used].flatMap(([name, old]) =>
        !byValue || declared.has(name) || Object.is(old, names[name]) ? [] : [name],
      );
      const assignedWhy = `was assigned to in ${cell.name}`;
      return [
        ...this.changed(new Map(anew.map((name) => [name, why])), cell),
        // Running the cell that declares the name again would undo the assignment.
        ...this.changed(
          new Map(assigned.map((name) => [name, assignedWhy])),
          cell,
          ...assigned.map((name) => this.ownerOf(name)),
        ),
      ];
    };
  }

  /**
   * Returns the cells that depend on changed names, with the reason for each name; `by`, the cells
   * that changed or declared them, are not among them.
   */
  changed(
    anew: ReadonlyMap<string, string>,
    ...by: readonly (Cell | undefined)[]
  ): readonly Dependent[] {
    const keys = new Set(by.flatMap((cell) => (cell === undefined ? [] : [keyOf(cell)])));
    return anew.size === 0 ? [] : this.#dependentsOn(anew, keys);
  }

  /**
   * The value of a name was changed, by a person or in the cell `by`: what uses it is due, also where it is under way and may have
   * read the old one. A cell that changes a value itself is not: it would run for ever.
   */
  overtake(name: string, why: string, by: Cell | undefined): void {
    const own = by && keyOf(by);
    for (const [key, { parts, overtakenBy }] of this.#underWay)
      if (key !== own && parts.some(({ uses }) => uses.includes(name))) overtakenBy.set(name, why);
    const owner = this.ownerOf(name);
    for (const { cell } of this.changed(new Map([[name, why]]), owner)) this.set(cell, "due");
  }

  /** The cell has run with the values that are there now, unless a person has changed one since. */
  settle(cell: Cell): void {
    const known = this.#cells.get(keyOf(cell));
    if (known?.isOvertaken === false) known.staleness = "fresh";
  }

  /** Holds until the cell has run again. */
  set(cell: Cell, staleness: Staleness): void {
    const known = this.#cells.get(keyOf(cell));
    if (known !== undefined) known.staleness = staleness;
  }

  /** It stays stale until it has run again, which it does before the others. */
  fail(cell: Cell): void {
    const known = this.#cells.get(keyOf(cell));
    if (known === undefined) return;
    known.staleness = "stale";
    known.hasFailed = true;
    known.isOvertaken = false;
  }

  /** The cell that declared a name last. */
  ownerOf(name: string): Cell | undefined {
    return this.#cells.get(this.#owners.get(name) ?? "")?.cell;
  }

  /** The cells that a front end has deleted will not run again. */
  forget(cellIds: readonly string[]): void {
    for (const id of cellIds) this.#cells.delete(id);
  }

  /** The cells that have run and are still there, each after those whose names it uses; with `isFailedFirst`, otherwise those first that failed. */
  cells({ isFailedFirst = false } = {}): readonly LinkedCell[] {
    const ordered = new Set<string>();
    const visiting = new Set<string>();
    const visit = (key: string) => {
      const known = this.#cells.get(key);
      // Two cells that use each other's names have no order: the one that is met first comes last.
      if (known === undefined || visiting.has(key)) return;
      visiting.add(key);
      for (const owner of this.#usedBy(key, known).values()) visit(owner);
      ordered.add(key);
    };
    const keys = [...this.#cells.keys()];
    if (isFailedFirst)
      keys.sort((one, other) => Number(this.#hasFailed(other)) - Number(this.#hasFailed(one)));
    for (const key of keys) visit(key);
    return [...ordered].flatMap((key) => {
      const known = this.#cells.get(key);
      return known === undefined ? [] : [this.#linked(key, known)];
    });
  }

  #hasFailed(key: string): boolean {
    return this.#cells.get(key)?.hasFailed === true;
  }

  #linked(key: string, known: KnownCell): LinkedCell {
    const { cell, parts, staleness, isOvertaken, marks, hasFailed } = known;
    const uses = [...this.#usedBy(key, known)].flatMap(([name, owner]) => {
      const other = this.#cells.get(owner);
      return other === undefined ? [] : [[name, other.cell] as const];
    });
    const declares = [...new Set(parts.flatMap((part) => part.declares))];
    return { cell, declares, uses: new Map(uses), staleness, isOvertaken, marks, hasFailed };
  }

  /** The names of others that a cell uses, with the cells that declared them. */
  #usedBy(key: string, known: KnownCell): ReadonlyMap<string, string> {
    const used = new Set(this.#partsOf(key, known).flatMap(({ uses }) => uses));
    return new Map(
      [...used].flatMap((name) => {
        const owner = this.#owners.get(name);
        return owner === undefined || owner === key ? [] : [[name, owner] as const];
      }),
    );
  }

  #dependentsOn(anew: ReadonlyMap<string, string>, by: ReadonlySet<string>): readonly Dependent[] {
    const reasons = new Map([...anew.keys()].map((name) => [name, new Set([name])]));
    // Indirect dependents are found by repeating until nothing is added.
    for (let before = -1; before !== sizeOf(reasons); ) {
      before = sizeOf(reasons);
      for (const [key, known] of this.#cells) {
        if (!by.has(key))
          for (const part of this.#partsOf(key, known)) this.#spread(part, key, reasons);
      }
    }
    const found = [...this.#cells].flatMap(([key, known]) => {
      const parts = this.#partsOf(key, known);
      const because = new Set(parts.flatMap(({ uses }) => reasonsOf(uses, reasons)));
      return by.has(key) || because.size === 0 ? [] : [{ known, because: [...because] }];
    });
    return found.map(({ known: { cell, parts, marks }, because }) => {
      for (const name of because) marks.set(name, anew.get(name) ?? "");
      return { cell, parts, because, marks };
    });
  }

  /** A name that the cell declares itself is not that of another cell which has declared it since. */
  #partsOf(key: string, { parts }: KnownCell): readonly CellPart[] {
    const declared = new Set(parts.flatMap(({ declares }) => declares));
    const isMeant = (name: string) => !declared.has(name) || this.#owners.get(name) === key;
    return parts.map(({ declares, uses }) => ({ declares, uses: uses.filter(isMeant) }));
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

interface NameSnapshot {
  readonly value: unknown;
  readonly fingerprint: string | undefined;
}

/** Undefined for a name that no cell has declared. */
function snapshot(names: CellNames, name: string): NameSnapshot | undefined {
  if (!Object.hasOwn(names, name)) return undefined;
  return { value: names[name], fingerprint: fingerprint(names[name]) };
}

function isAnother(
  old: NameSnapshot | undefined,
  now: NameSnapshot | undefined,
  byValue: boolean,
): boolean {
  if (old === undefined) return false;
  // A function of the same text is another object each time.
  if (old.fingerprint !== undefined) return old.fingerprint !== now?.fingerprint;
  return byValue && !Object.is(old.value, now?.value);
}

/**
 * Returns a text that differs when a function or graph was declared with another content; undefined
 * for other values.
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
