/** Holds that a join is looked at no longer for what stands far behind it. */
import { expect, test } from "vitest";
import { arrivalsIn } from "../../../dsl/check/concurrency/exclusive.ts";
import { overlapOf } from "../../../dsl/check/concurrency/overlap.ts";
import { type Outgoing, placesOf } from "../../../dsl/check/flow/places.ts";
import { check } from "../../../dsl/index.ts";

/** A node behind the two before it, so many times. */
function ladder(count: number): string {
  const nodes = Array.from({ length: count }, (_, at) => `run s${at} = f() writes a`);
  const joins = nodes.slice(2).map((_, at) => `[s${at + 1}, s${at}] -> s${at + 2}`);
  return `graph G() returns a {
state { a: string = "" }
limit ${count} steps
${nodes.join("\n")}
start -> s0 -> s1
${joins.join("\n")}
}`;
}

/** The places that are left until all joins of the ladder are judged. */
function lookedAt(count: number): number {
  const file = { file: "ladder.madrigal", text: ladder(count) };
  const [ir] = check(file, { allowUnreadPrograms: true }).graphs;
  if (ir === undefined) throw new Error("the ladder is no graph");
  const places = placesOf(ir);
  let looks = 0;
  const next: Outgoing = Object.assign(new Map(places.next), {
    get: (place: string) => {
      looks += 1;
      return places.next.get(place);
    },
  });
  const arriveTogether = arrivalsIn({
    ir,
    places: { ...places, next },
    overlap: overlapOf(places),
  });
  for (let at = 2; at < count; at += 1)
    expect(arriveTogether([`s${at - 1}`, `s${at - 2}`])).toBe(true);
  return looks;
}

test("twice as many joins take twice as many looks", () => {
  expect(lookedAt(80)).toBeLessThan(2.2 * lookedAt(40));
});
