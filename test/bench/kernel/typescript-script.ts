/** The script of the kernels that run TypeScript: cells that a notebook might have. */
import { BEGUN, CELLS, CELLS_IN_ALL, inTurn, LINES, type Script } from "./script.ts";

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

const say = `console.log("${BEGUN}");`;

export const typescriptScript: Script = {
  first: "const answer: number = 6 * 7;\nanswer",
  distinct: inTurn(kinds, CELLS_IN_ALL),
  completions: inTurn(
    [
      (_, set) => ({ code: `point${set}.`, expected: `label${set}` }),
      (_, set) => ({ code: `byName${set}.g`, expected: "get" }),
    ],
    (2 * CELLS) / kinds.length,
  ),
  lines: `for (let line = 0; line < ${LINES}; line += 1) console.log(line);`,
  blocking: {
    "sync loop": `${say} while (true) {}`,
    "loop after await": `await null; ${say} while (true) {}`,
    awaiting: `${say} await new Promise(() => setTimeout(() => {}, 1e8))`,
  },
};

/** More ways to block, which only our own kernel is asked to end. */
export const otherBlocking: readonly string[] = [
  `${say} for (;;) { try { for (;;) {} } catch {} }`,
  `${say} /^(a+)+$/.test("a".repeat(40) + "b")`,
  `${say} Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
  `await new Promise(() => setTimeout(() => { ${say} while (true) {} }))`,
];
