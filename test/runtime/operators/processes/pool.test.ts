/** The pool of an agent's processes: never more of them than it has places, and whoever came first begins first. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { takePlace } from "../../../../runtime/agents/controllers/process/process-pool.ts";

type Step =
  | { readonly does: "come"; readonly most: number }
  | { readonly does: "leave" | "give back"; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant("come" as const), most: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constantFrom("leave" as const, "give back" as const), which: fc.nat(20) }),
);

let pools = 0;

test("of many sessions no more run than the pool has places, and they begin in the order in which they came", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      pools += 1;
      const agent = `pool-${pools}`;
      const waiting: { number: number; most: number; gone: AbortController }[] = [];
      const running: { most: number; giveBack: () => void }[] = [];
      const begun: number[] = [];
      let came = 0;
      const settled = () => new Promise((done) => setImmediate(done));
      for (const one of steps) {
        if (one.does === "come") {
          const own = { number: came, most: one.most, gone: new AbortController() };
          came += 1;
          waiting.push(own);
          const leaves = () => void waiting.splice(waiting.indexOf(own), 1);
          takePlace(agent, one.most, own.gone.signal).then((giveBack) => {
            leaves();
            begun.push(own.number);
            // Itself and those that ran when it began are as many as it allows, at most.
            expect(running.length).toBeLessThan(own.most);
            running.push({ most: own.most, giveBack });
          }, leaves);
        } else if (one.does === "leave")
          waiting[one.which % Math.max(1, waiting.length)]?.gone.abort();
        else running.splice(one.which % Math.max(1, running.length), 1)[0]?.giveBack();
        await settled();
        // Nobody waits who could run: the first of those that wait needs a place that there is not.
        const [first] = waiting;
        if (first !== undefined) expect(running.length).toBeGreaterThanOrEqual(first.most);
      }
      expect(begun).toEqual(begun.toSorted((a, b) => a - b));
      while (running.length > 0) running.pop()?.giveBack();
      for (const { gone } of [...waiting]) gone.abort();
      await settled();
    }),
  );
});

test("a place that is given back is not for who comes at that moment, but for who waits", async () => {
  const giveBack = await takePlace("moment", 1, undefined);
  const begun: string[] = [];
  const begins = async (name: string) => {
    const free = await takePlace("moment", 1, undefined);
    begun.push(name);
    free();
  };
  const waits = begins("first");
  giveBack();
  const late = begins("second");
  await Promise.all([waits, late]);
  expect(begun).toEqual(["first", "second"]);
});
