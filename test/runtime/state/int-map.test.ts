import fc from "fast-check";
import { expect, test } from "vitest";
import { IntMap } from "../../../runtime/state/persistent.ts";

const key = fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 40_000 }));
const change = fc.oneof(fc.record({ set: key, value: fc.integer() }), fc.record({ delete: key }));

test("it is a map: any changes give what a Map gives, by rising key", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const model = new Map<number, number>();
      let map = IntMap.empty<number>();
      for (const one of changes) {
        if ("set" in one) {
          model.set(one.set, one.value);
          map = map.set(one.set, one.value);
        } else {
          model.delete(one.delete);
          map = map.delete(one.delete);
        }
      }
      expect(map.size).toBe(model.size);
      expect([...map.entries()]).toEqual([...model].sort(([a], [b]) => a - b));
    }),
  );
});

test("it is persistent: a change leaves the map before as it was, and the difference can be told", () => {
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 40 }),
      fc.array(key, { maxLength: 8 }),
      (first, then) => {
        const before = first.reduce(
          (map, at) => map.set(at, `first ${at}`),
          IntMap.empty<string>(),
        );
        const entries = [...before.entries()];
        const after = then.reduce((map, at) => map.set(at, `then ${at}`), before);
        expect([...before.entries()]).toEqual(entries);
        expect(new Set(after.changedFrom(before))).toEqual(new Set(then));
        expect([...after.changedFrom(after)]).toEqual([]);
      },
    ),
  );
});
