import fc from "fast-check";
import { applyPatches, enablePatches, type Patch as ImmerPatch } from "immer";
import { expect, test } from "vitest";
import type { ReducerName } from "../../../dsl/index.ts";
import { type Reducer, reduce, type ShownValue, show } from "../../../runtime/state/fold-writes.ts";
import type { Patch } from "../../../runtime/state/patch.ts";
import { plain } from "../../../runtime/state/persistent.ts";

enablePatches();

const item = fc.record({ id: fc.nat({ max: 4 }), text: fc.string({ maxLength: 2 }) });
const identity = (value: unknown) => (value as { id: number }).id;

const items = fc.oneof(item, fc.array(item, { maxLength: 3 }));
const number = fc.integer({ min: -9, max: 9 });

/** A reducer that is added to the language does not compile before it has a line here. */
const writesOf = {
  // Immer drops members called `__proto__` when it applies a patch; ours are tested below.
  replace: {
    value: fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => !JSON.stringify(value).includes("__proto__")),
  },
  append: { value: items },
  union: { by: identity, value: items },
  merge: { value: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat({ max: 3 })) },
  sum: { value: number },
  max: { value: number },
  min: { value: number },
  messages: {
    value: fc.array(
      fc.oneof(
        fc
          .record({ id: fc.nat({ max: 4 }), text: fc.string({ maxLength: 2 }) })
          .map(({ id, text }) => ({ id: `m${id}`, role: "user", content: text })),
        fc.constantFrom("m0", "m1", "m2", "all").map((remove) => ({ remove })),
      ),
      { maxLength: 3 },
    ),
  },
} satisfies Record<ReducerName, { value: fc.Arbitrary<unknown>; by?: typeof identity }>;

const reducersWithWrites = Object.entries(writesOf).map(([name, { value, ...by }]) => {
  const reducer: Reducer = { name: name as ReducerName, ...by };
  return [reducer, value as fc.Arbitrary<unknown>] as const;
});

const history = fc.constantFrom(...reducersWithWrites).chain(([reducer, value]) =>
  fc.record({
    reducer: fc.constant(reducer),
    writes: fc.array(fc.record({ key: fc.array(fc.nat({ max: 2 }), { maxLength: 3 }), value }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
);

test("L2 patches replay and reverse exactly, by Immer's own hand", () => {
  fc.assert(
    fc.property(history, ({ reducer, writes }) => {
      let shown: ShownValue | undefined;
      let state: object = {};
      for (const write of writes) {
        const change = show("f", shown, reducer, write);
        const next = apply(state, change.patches);
        expect(next).toEqual({ f: plain(change.shown.value) });
        expect(apply(next, change.inverse())).toEqual(state);
        [shown, state] = [change.shown, next];
      }
    }),
  );
});

test("writes that come in the order of the graph show what the reducer folds them to", () => {
  fc.assert(
    fc.property(history, ({ reducer, writes }) => {
      let shown: ShownValue | undefined;
      let folded: unknown;
      for (const [place, { value }] of writes.entries()) {
        shown = show("f", shown, reducer, { key: [place], value }).shown;
        folded = reduce(reducer, folded, value);
      }
      expect(plain(shown?.value)).toEqual(folded);
    }),
  );
});

test("a list is shown in the order of the graph, whatever comes first", () => {
  const append: Reducer = { name: "append" };
  const late = show("f", undefined, append, { key: [1, 1, 0], value: ["late"] }).shown;
  expect(show("f", late, append, { key: [1, 0, 0], value: "early" }).shown.value).toEqual([
    "early",
    "late",
  ]);
});

test("a member called `__proto__` is a member like any other", () => {
  const merge: Reducer = { name: "merge" };
  const first = show("f", undefined, merge, { key: [0], value: { a: 1 } }).shown;
  const { value } = show("f", first, merge, {
    key: [1],
    value: JSON.parse('{"__proto__": {"b": 2}}'),
  }).shown;
  expect(Object.keys(value as object)).toEqual(["a", "__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

function apply(state: object, patches: readonly Patch[]): object {
  return applyPatches(state, patches as ImmerPatch[]);
}
