/** Clocks that are set while runs are under way. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { steady } from "../../../runtime/clock.ts";

test("a clock that is set back goes on from what it last said; one that is set forward is followed", () => {
  const walls = [100, 150, 90, 95, 300, 200, 210];
  const now = steady(() => walls.shift() ?? 0);
  expect([1, 2, 3, 4, 5, 6, 7].map(() => now())).toEqual([100, 150, 150, 155, 360, 360, 370]);
});

test("whatever the wall says, no time is before another, and time goes on as it does there", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 }), (steps) => {
      let wall = 0;
      const now = steady(() => wall);
      let last = now();
      for (const step of steps) {
        wall += step;
        const at = now();
        expect(at - last).toBe(Math.max(0, step));
        last = at;
      }
    }),
  );
});
