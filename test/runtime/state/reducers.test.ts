/** The algebra of reducers: what a field comes to does not depend on how its writes are cut into forks. */
import fc from "fast-check";
import { applyPatches, enablePatches, type Patch as ImmerPatch, produceWithPatches } from "immer";
import { expect, test } from "vitest";
import { BUILT_IN_REDUCERS, type ReducerName, reducerFacts } from "../../../dsl/index.ts";
import { type Reducer, reduce, type ShownValue, show } from "../../../runtime/state/fold-writes.ts";
import { plain } from "../../../runtime/state/persistent.ts";
import { RECIPES, runRecipe } from "../../../runtime/state/reducer-recipes.ts";

enablePatches();

const item = fc.record({ id: fc.nat({ max: 4 }), text: fc.string({ maxLength: 2 }) });
const identity = (value: unknown) => (value as { id: number }).id;
const list = fc.array(item, { maxLength: 4 });
const message = item.map(({ id, text }) => ({ id: `m${id}`, role: "user", content: text }));
const integer = fc.integer({ min: -9, max: 9 });

/** A reducer that is added to the language does not compile before it has a line here. */
const values: Readonly<Record<ReducerName, fc.Arbitrary<unknown>>> = {
  replace: fc.string(),
  append: list,
  union: list,
  merge: fc.dictionary(fc.constantFrom("a", "b", "c"), integer),
  sum: integer,
  max: integer,
  min: integer,
  messages: fc.array(message, { maxLength: 4 }),
};

const reducers: readonly (readonly [string, Reducer, fc.Arbitrary<unknown>])[] = [
  ...([...BUILT_IN_REDUCERS, "messages"] as const).map(
    (name) => [name, { name }, values[name]] as const,
  ),
  ["union(f)", { name: "union", by: identity }, list],
  ["max(f)", { name: "max", by: identity }, item],
  ["min(f)", { name: "min", by: identity }, item],
];

const fold = (reducer: Reducer, writes: readonly unknown[], from?: unknown) =>
  writes.reduce((current, value) => reduce(reducer, current, value), from);

test.each(reducers)(
  "A66 %s is associative: folding a branch first, then it as a whole, is the same",
  (_, reducer, value) => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 4 }),
        fc.array(value, { minLength: 1, maxLength: 4 }),
        (before, branch) => {
          const one = fold(reducer, [...before, ...branch]);
          const asWhole = fold(reducer, [fold(reducer, branch)], fold(reducer, before));
          expect(asWhole).toEqual(one);
        },
      ),
    );
  },
);

test.each(reducers)("A66 %s changes none of its arguments", (_, reducer, value) => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (writes) => {
      const before = structuredClone(writes);
      fold(reducer, writes);
      expect(writes).toEqual(before);
    }),
  );
});

test.each(reducers)(
  "A66 L2 %s: patches lead forward and back exactly, through any history",
  (_, reducer, value) => {
    const write = fc.record({ key: fc.array(fc.nat({ max: 2 }), { maxLength: 3 }), value });
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 8 }), (writes) => {
        const states: object[] = [{}];
        const back: ImmerPatch[][] = [];
        let shown: ShownValue | undefined;
        for (const one of writes) {
          const change = show("f", shown, reducer, one);
          const next = applyPatches(states.at(-1) ?? {}, change.patches as ImmerPatch[]);
          expect(next).toEqual({ f: plain(change.shown.value) });
          states.push(next);
          back.push(change.inverse() as ImmerPatch[]);
          shown = change.shown;
        }
        for (let at = back.length; at > 0; at -= 1) {
          expect(applyPatches(states[at] ?? {}, back[at - 1] ?? [])).toEqual(states[at - 1]);
        }
      }),
    );
  },
);

/** A reducer's recipe for a built-in one. */
function recipeOf(reducer: Reducer, value: unknown): (draft: unknown) => unknown {
  if (reducer.name === "custom") throw new Error("a built-in reducer is needed here");
  const recipe = RECIPES[reducer.name];
  return (draft) => recipe(draft, value, reducer);
}

test.each(reducers)("A66 %s comes to what its recipe comes to", (_, reducer, value) => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), value, (before, written) => {
      const current = fold(reducer, before);
      const wanted = runRecipe(recipeOf(reducer, written), current);
      expect(reduce(reducer, current, written)).toEqual(wanted);
    }),
  );
});

test.each(reducers)(
  "A66 %s: its patches and those of its recipe lead to the same state, and back",
  (_, reducer, value) => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), value, (before, written) => {
        let shown: ShownValue | undefined;
        for (const [at, one] of before.entries())
          shown = show("f", shown, reducer, { key: [at], value: one }).shown;
        const state = shown === undefined ? {} : { f: plain(shown.value) };
        const change = show("f", shown, reducer, { key: [before.length], value: written });
        const [after, patches, inverse] = produceWithPatches(
          state,
          (draft: Record<string, unknown>) => {
            const next = recipeOf(reducer, written)(draft.f);
            if (next !== undefined) draft.f = next;
          },
        );
        const shownAfter = applyPatches(state, change.patches as ImmerPatch[]);
        expect(shownAfter).toEqual(after);
        expect(applyPatches(state, patches)).toEqual(after);
        expect(applyPatches(shownAfter, inverse)).toEqual(state);
        expect(applyPatches(after, change.inverse() as ImmerPatch[])).toEqual(state);
      }),
    );
  },
);

test("a recipe leaves the value as it is, and what it does not touch is shared", () => {
  const current = { kept: { deep: [1] }, changed: [1] };
  const next = runRecipe((draft) => {
    (draft as typeof current).changed.push(2);
  }, current) as typeof current;
  expect([current.changed, next.changed]).toEqual([[1], [1, 2]]);
  expect(next.kept).toBe(current.kept);
});

test("A66 commutative ones may take writes in any order", () => {
  const commutative = reducers.filter(([name]) => reducerFacts(name)?.on === "number");
  expect(commutative).not.toEqual([]);
  for (const [, reducer, value] of commutative) {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (writes) => {
        expect(fold(reducer, writes.toReversed())).toEqual(fold(reducer, writes));
      }),
    );
  }
});

const byUrl: Reducer = { name: "union", by: (item) => (item as { url: string }).url };
const byScore = (name: "max" | "min"): Reducer => ({
  name,
  by: (item) => (item as { score: number }).score,
});
const a1 = { url: "a", score: 1 };
const a2 = { url: "a", score: 2 };
const b1 = { url: "b", score: 1 };

test.each<[string, Reducer, readonly unknown[], unknown]>([
  ["`replace` keeps the last write", { name: "replace" }, [[1], [2]], [2]],
  ["`append` adds at the end, one item or a list", { name: "append" }, [[1], 2, [3]], [1, 2, 3]],
  [
    "`union` goes by the value, whatever the order of its members",
    { name: "union" },
    [[{ x: 1, y: 2 }], { y: 2, x: 1 }, 3],
    [{ y: 2, x: 1 }, 3],
  ],
  ["`union(f)` keeps the later one, at the place of the first", byUrl, [[a1, b1], [a2]], [a2, b1]],
  [
    "`merge` adds and replaces members, and goes no deeper",
    { name: "merge" },
    [{ a: { x: 1 }, b: 1 }, { a: { y: 2 } }],
    { a: { y: 2 }, b: 1 },
  ],
  ["`sum` adds", { name: "sum" }, [5, 1, 2], 8],
  ["`max` keeps the greatest", { name: "max" }, [-9, -12], -9],
  ["`min` keeps the least", { name: "min" }, [9, 12], 9],
  ["`max(f)` keeps the first of two that are as great", byScore("max"), [a1, b1, a2], a2],
  ["`min(f)` keeps the first of two that are as small", byScore("min"), [a2, a1, b1], a1],
])("%s", (_, reducer, writes, wanted) => {
  expect(fold(reducer, writes)).toEqual(wanted);
});
