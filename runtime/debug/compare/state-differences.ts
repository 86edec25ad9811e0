/** Lists the places in which two values differ, for people. */
import { jsonDifferences } from "../../compare/json-difference.ts";
import { pathText } from "../../state/path.ts";

/** One place; a side that has nothing there is absent. */
export interface ValueDifference {
  /** `plan.steps[2].title` */
  readonly path: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

/** More are not read one by one. */
const DIFFERENCES_MAX = 1_000;

/** The first thousand, in the order of the members of `a`, then those that only `b` has. */
export function valueDifferences(a: unknown, b: unknown): readonly ValueDifference[] {
  return jsonDifferences(a, b)
    .take(DIFFERENCES_MAX)
    .map(({ path, ...sides }) => ({
      path: pathText(path),
      ...(sides.a === undefined ? {} : { a: sides.a }),
      ...(sides.b === undefined ? {} : { b: sides.b }),
    }))
    .toArray();
}
