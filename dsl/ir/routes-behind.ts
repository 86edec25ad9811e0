/** Lists the routes that follow an `each` as a whole. */
import type { EachIr, RouteIr } from "./ir.ts";

/**
 * Returns the routes of an `each` as a whole: the one behind all its items, and those for items
 * that fail.
 */
export function routesBehind({ then, failing = [] }: EachIr): readonly RouteIr[] {
  return [...(then === undefined ? [] : [then]), ...failing.map(({ route }) => route)];
}
