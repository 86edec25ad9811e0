/** Holds that arrows for failures may go in circles: nodes that stand in for each other are checked like any others. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { placesOf } from "../../../dsl/check/flow/places.ts";
import { sureSources } from "../../../dsl/check/state/sure-sources.ts";
import type { EdgeIr } from "../../../dsl/index.ts";
import { report } from "../report.ts";

test("two nodes that stand in for each other, in front of a join", () => {
  expect(
    report(`graph G(n: number) returns total {
  state {
    left:  number
    right: number
    total: number
  }
  run a = f(n) writes left
  run b = f(n) writes left
  run c = f(n) writes right
  run d = f(left) writes left
  run e = f(left, right) writes total
  start -> [a, c]
  a -> b on error max 2
  b -> a on error max 2
  a -> d
  b -> d
  [d, c] -> e -> end
}
`),
  ).toMatchInlineSnapshot(`""`);
});

const NODES = ["a", "b", "c", "d", "e", "f"];
const node = fc.constantFrom(...NODES);
const targets = fc.uniqueArray(node, { minLength: 1, maxLength: 3 });

const edge = fc.record({
  from: fc.oneof(
    node.map((name) => ({ kind: "any" as const, nodes: [name] })),
    targets.map((nodes) => ({ kind: "join" as const, nodes })),
  ),
  on: fc.constantFrom("done" as const, "error" as const),
  route: targets.map((nodes) => ({
    kind: "to" as const,
    targets: nodes.map((name) => ({ node: name, args: [] })),
  })),
});

test("any arrows, also in circles: each source is sure with itself, and only sources are", () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 16 }), targets, (all, sources) => {
      const start = { kind: "to" as const, targets: [{ node: "a", args: [] }] };
      const first = { from: { kind: "start" as const }, on: "done" as const, route: start };
      const join = { from: { kind: "join" as const, nodes: sources }, on: "done" as const };
      const end = { kind: "to" as const, targets: [{ node: "f", args: [] }] };
      const edges = [first, ...all, { ...join, route: end }] as readonly EdgeIr[];
      const sureWith = sureSources({ edges }, placesOf({ edges }));
      for (const source of sources) {
        const sure = sureWith(sources, source);
        expect(sure).toContain(source);
        expect(sources).toEqual(expect.arrayContaining([...sure]));
      }
    }),
    { numRuns: 500 },
  );
});
