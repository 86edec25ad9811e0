/** Reducers that several nodes name for their writes to one field. */
import { expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
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

test.each([["a"], ["b"]])(
  "what people see of several reducers keeps the order of the graph: `%s` is slow",
  (slow) => {
    const ran = runText(
      `graph G() returns total {
  state { total: int = 1 via sum }
  run a = made("a") writes total
  run b = made("b") { set total = 5 via max }
  run c = made("c")
  start -> [a, b]
  b -> c
}`,
      { says: { a: 3, b: null, c: null }, durationMs: (node) => (node === slow ? 1000 : 1) },
    );
    const commits = ran.records.filter((record) => record.kind === "commit");
    const shown = commits.map(({ node, seq }) => [
      node,
      shownState(ran.program, foldLog(ran.program, ran.records.slice(0, seq + 1))).total,
    ]);
    // In the order of the graph: 1, and 3 more, at least 5.
    const steps =
      slow === "a"
        ? [
            ["b", 5],
            ["c", 5],
            ["a", 5],
          ]
        : [
            ["a", 4],
            ["b", 5],
            ["c", 5],
          ];
    expect(shown).toEqual(steps);
    expect(ran.state).toEqual({ total: 5 });
  },
);
