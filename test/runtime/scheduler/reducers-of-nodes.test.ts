/** Reducers that several nodes name for their writes to one field. */
import { expect, test } from "vitest";
import { runText } from "../../support/run-graph.ts";

const text = `graph G() returns x {
  state { x: { a: int, b: int }[] = [] }
  run first = made("first") writes x via union(i => i.a)
  run second = made("second") writes x via union(i => i.b)
  start -> [first, second]
}`;

test("each node's writes merge by its own measure", () => {
  const says = { first: [{ a: 1, b: 1 }], second: [{ a: 1, b: 2 }] };
  expect(runText(text, { says }).state).toEqual({
    x: [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
  });
});
