/** A long list that functions are given as a view: it reads like the array that it shows, and nobody can change it. */
import { inspect } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toJson } from "../../../runtime/agents/values/json.ts";
import { Session } from "../../../runtime/index.ts";
import { withoutView } from "../../../runtime/state/list-view.ts";
import { SharedList } from "../../../runtime/state/persistent.ts";
import { temporaryFolder } from "../../support/child.ts";

const LONG = 8_192;

/** A view of an older version: its list has grown since. */
function viewed(length = LONG) {
  const list = SharedList.of(Array.from({ length }, (_, at) => at));
  const view = list.toReadable();
  list.append([-1]);
  return { list, view };
}

test("a view reads like the array that it shows", () => {
  const { list, view } = viewed();
  const array = list.toArray();
  expect(Array.isArray(view)).toBe(true);
  expect(view.length).toBe(LONG);
  expect([view[0], view[LONG - 1], view[LONG], view.at(-1)]).toEqual([
    0,
    LONG - 1,
    undefined,
    LONG - 1,
  ]);
  expect([0 in view, LONG in view, "map" in view, "1e3" in view]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([...view]).toEqual(array);
  expect(Object.keys(view)).toEqual(Object.keys(array));
  expect(JSON.stringify(view)).toBe(JSON.stringify(array));
  expect(view.map((one) => one * 2)).toEqual(array.map((one) => one * 2));
  expect([1].concat(view)).toEqual([1, ...array]);
  expect(view.filter((one) => one > LONG - 3)).toEqual([LONG - 2, LONG - 1]);
  expect(view.indexOf(-1)).toBe(-1);
  expect({ ...view }).toEqual({ ...array });
  expect(inspect(view)).toBe(inspect(array));
  expect(structuredClone([...view])).toEqual(array);
});

test("a part of a view is that of the array", () => {
  const { list, view } = viewed(LONG);
  const array = list.toArray();
  const places = fc.option(fc.integer({ min: -LONG - 3, max: LONG + 3 }), { nil: undefined });
  fc.assert(
    fc.property(places, places, (from, to) => {
      expect(view.slice(from, to)).toEqual(array.slice(from, to));
    }),
    { numRuns: 30 },
  );
});

test.each<[string, (view: number[]) => unknown]>([
  ["an item", (view) => Object.assign(view, { 0: 1 })],
  ["a new item", (view) => view.push(1)],
  ["the length", (view) => Object.assign(view, { length: 0 })],
  ["the order", (view) => view.sort()],
  ["a member", (view) => Reflect.deleteProperty(view, 0) || Object.freeze(view)],
])("to change %s of a view throws, and the list stays as it was", (_what, change) => {
  const { list, view } = viewed();
  expect(() => change(view as number[])).toThrow(TypeError);
  expect(list.toArray()).toEqual(Array.from({ length: LONG }, (_, at) => at));
});

test("a shorter list is an array, and so is what is stored of a view", () => {
  const short = SharedList.of([1, 2]).toReadable();
  expect(withoutView(short)).toBe(short);
  expect(structuredClone(short)).toEqual([1, 2]);
  const { list, view } = viewed();
  expect(toJson(view).value).toBe(list.toArray());
  expect(toJson({ all: view }).value).toEqual({ all: list.toArray() });
  expect(structuredClone(toJson({ all: view }).value)).toEqual({ all: list.toArray() });
});

test("a run gives its function a view, and its log has the array", async () => {
  const session = new Session({ store: "memory", cwd: temporaryFolder() });
  const seen: unknown[] = [];
  const { Long } = session.compile(
    `graph Long(count: int) returns all {
  state {
    values: int[] = [] via append
    all:    int[] = []
  }
  run fill = upTo(count) writes values
  run keep = same(values) writes all
  start -> fill -> keep -> end
}`,
    {
      scope: {
        upTo: (count: number) => Array.from({ length: count }, (_, at) => at),
        same: (values: readonly number[]) => {
          seen.push(values.length, values.at(-1));
          expect(() => structuredClone(values)).toThrow("could not be cloned");
          return values;
        },
      },
    },
  );
  const output = await Long?.run({ count: LONG }).output;
  expect(seen).toEqual([LONG, LONG - 1]);
  expect(structuredClone(output)).toEqual({ all: Array.from({ length: LONG }, (_, at) => at) });
  await session.close();
});
