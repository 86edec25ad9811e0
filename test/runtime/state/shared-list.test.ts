import fc from "fast-check";
import { expect, test } from "vitest";
import { plain, SharedList } from "../../../runtime/state/persistent.ts";

test("every version of a list keeps its own items, whichever of them is appended to", () => {
  const growth = fc.record({ of: fc.nat(), items: fc.array(fc.nat(), { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.array(growth), (first, growths) => {
      const versions = [{ list: SharedList.of(first), model: [...first] }];
      for (const { of, items } of growths) {
        const from = versions[of % versions.length];
        if (from === undefined) continue;
        versions.push({ list: from.list.append(items), model: [...from.model, ...items] });
      }
      for (const { list, model } of versions) {
        expect(list.toArray()).toEqual(model);
        expect([...list]).toEqual(model);
        expect([...SharedList.empty<number>().append(list).append(list)]).toEqual([
          ...model,
          ...model,
        ]);
        expect(list.length).toBe(model.length);
        expect(list.at(model.length - 1)).toBe(model.at(-1));
        expect(list.at(model.length)).toBeUndefined();
      }
    }),
  );
});

test("what people see of a list is frozen, and later items don't reach it", () => {
  const list = SharedList.of([1]);
  const seen = plain(list);
  list.append([2]);
  expect(seen).toEqual([1]);
  expect(Object.isFrozen(seen)).toBe(true);
  expect(JSON.stringify({ list })).toBe('{"list":[1]}');
});
