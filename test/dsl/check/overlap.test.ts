/** Law: which nodes overlap is what a look at every two sides of every fork finds, one after the other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { allForks, type ForkSide } from "../../../dsl/check/concurrency/forks.ts";
import { overlapOf } from "../../../dsl/check/concurrency/overlap.ts";
import { type FlowPlaces, isJoin, placesOf, reach } from "../../../dsl/check/flow/places.ts";
import type { EdgeIr } from "../../../dsl/index.ts";

const NODES = ["a", "b", "c", "d", "e", "f", "g"];

const someNodes = (most: number) =>
  fc.uniqueArray(fc.constantFrom(...NODES), { minLength: 1, maxLength: most });

const from = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...NODES).map((node) => ({ kind: "any" as const, nodes: [node] })),
  },
  { weight: 2, arbitrary: someNodes(4).map((nodes) => ({ kind: "join" as const, nodes })) },
);

const edge = fc.record({
  from,
  on: fc.constant("done" as const),
  route: someNodes(3).map((nodes) => ({
    kind: "to" as const,
    targets: nodes.map((node) => ({ node, args: [] })),
  })),
});

/** Without arrows back, or with them. */
const edges = fc.tuple(fc.array(edge, { maxLength: 12 }), fc.boolean()).map(([all, mayReturn]) => {
  const isForward = ({ from: { nodes }, route }: (typeof all)[number]) =>
    route.targets.every(({ node }) => nodes.every((one) => one < node));
  const start = { kind: "to" as const, targets: [{ node: "a", args: [] }] };
  return [
    { from: { kind: "start" }, on: "done", route: start },
    ...all.filter((one) => mayReturn || isForward(one)),
  ] as readonly EdgeIr[];
});

/** The definition, word by word. */
function areForked(places: FlowPlaces, a: string, b: string): boolean {
  const { next } = places;
  return allForks(places).some(({ place, sides }) =>
    sides.some((first) =>
      sides.some((second) => {
        if (first === second) return false;
        const before = [first, second].map((side) => reach(side, next));
        const isShared = (at: string) => isJoin(at) && before.every((known) => known.has(at));
        const alone = (side: ForkSide) => reach(side, next, isShared);
        const isApart = alone(first).has(a) && alone(second).has(b);
        return (
          isApart || (alone(second).has(place) && [a, b].every((one) => alone(first).has(one)))
        );
      }),
    ),
  );
}

test("two nodes are forked where the definition says so, and then they are of one group", () => {
  fc.assert(
    fc.property(edges, (written) => {
      const places = placesOf({ edges: [...written] });
      const overlap = overlapOf(places);
      for (const a of NODES)
        for (const b of NODES) {
          const isForked = a !== b && areForked(places, a, b);
          expect([a, b, overlap.isForked(a, b)]).toEqual([a, b, isForked]);
          expect(isForked && overlap.groupOf(a) !== overlap.groupOf(b)).toBe(false);
          expect(isForked && overlap.groupOf(a) === undefined).toBe(false);
        }
    }),
    { numRuns: 300 },
  );
});
