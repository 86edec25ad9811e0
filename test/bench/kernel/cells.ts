/** What is run and completed: cells that a notebook might have, no two with the same text or the same types. */

/** How many cells are measured; the kernel must not get by with what it kept of the one before. */
export const CELLS = 50;

export const firstCell = "const answer: number = 6 * 7;\nanswer";

export interface Completion {
  readonly code: string;
  /** Must be among the matches, or what was measured is not completion. */
  readonly expected: string;
}

/** The cells, in the order in which they can run: some use what the ones before declare. */
export function distinctCells(): readonly string[] {
  return Array.from({ length: CELLS }, (_, index) => {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) throw new Error("there are kinds of cells");
    return kind(index, Math.floor(index / kinds.length));
  });
}

/** Can be asked for once the cells have run. */
export function completions(): readonly Completion[] {
  const sets = Array.from({ length: CELLS / kinds.length }, (_, set) => set);
  return sets.flatMap((set) => [
    { code: `point${set}.`, expected: `label${set}` },
    { code: `byName${set}.g`, expected: "get" },
  ]);
}

const kinds: readonly ((index: number, set: number) => string)[] = [
  (index, set) => `interface Point${set} { x: number; y: number; label${set}: string }
const point${set}: Point${set} = { x: ${index}, y: ${index + 1}, label${set}: "p${index}" };
point${set}.x + point${set}.y`,

  (index, set) => `function scale${set}(values: readonly number[], by = ${index}): number[] {
  return values.map((value) => value * by);
}
scale${set}([point${set}.x, point${set}.y]).join(" ")`,

  (
    index,
    set,
  ) => `type Shape${set} = { kind: "circle${set}"; radius: number } | { kind: "box"; side: number };
const area${set} = (shape: Shape${set}) =>
  shape.kind === "box" ? shape.side ** 2 : Math.PI * shape.radius ** 2;
area${set}({ kind: "circle${set}", radius: ${index} }).toFixed(2)`,

  (
    index,
    set,
  ) => `const byName${set} = new Map<string, Point${set}>([["first${index}", point${set}]]);
byName${set}.get("first${index}")?.label${set}`,

  (index, set) => `class Counter${set} {
  #count = ${index};
  add(by: number): this { this.#count += by; return this; }
  get count${set}() { return this.#count; }
}
const { count${set} } = new Counter${set}().add(scale${set}([1, 2]).length);
count${set}`,
];
