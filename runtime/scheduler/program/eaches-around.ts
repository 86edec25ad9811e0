/** Lists the `each`es around an `each`. */
import { type EachIr, routesBehind } from "../../../dsl/index.ts";
import { eachesOf, type Program } from "./program.ts";

/** An `each` and those it stands in. */
export function eachesAround(eaches: Program["eaches"], each: number): readonly number[] {
  const { ir } = eaches[each] ?? {};
  if (ir === undefined) return [];
  const parent = eaches.find((outer) => outer.index !== each && standsIn(ir, outer.ir));
  return parent === undefined ? [each] : [each, ...eachesAround(eaches, parent.index)];
}

/** Tells whether an `each` is a direct part of another one's body. */
function standsIn(inner: EachIr, outer: EachIr): boolean {
  const direct = [outer.entry, ...outer.edges.map(({ route }) => route)].flatMap(chained);
  return direct.some(({ id }) => id === inner.id);
}

function chained(route: EachIr["entry"]): readonly EachIr[] {
  return eachesOf(route).flatMap((each) => [each, ...routesBehind(each).flatMap(chained)]);
}
