/** Lists the routes that follow an `each` as a whole. */
import type { EachIr, RouteIr } from "./ir.ts";

/** Where an `each` as a whole leads: when all its items are through, and when one of them fails. */
export function routesBehind({ then, failing = [] }: EachIr): readonly RouteIr[] {
  return [...(then === undefined ? [] : [then]), ...failing.map(({ route }) => route)];
}
