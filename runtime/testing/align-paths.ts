/** Two paths one below the other, node under node, with a mark where they differ. */
import { alignedByKey, type Pair } from "../compare/align.ts";

/** Three lines: the expected path, the actual one, and marks below what differs. */
export function alignedPaths(expected: readonly string[], actual: readonly string[]): string {
  const pairs = columnsOf(expected, actual);
  const widths = pairs.map((pair) => Math.max(1, ...pair.map((name) => (name ?? "").length)));
  const line = (side: 0 | 1) =>
    pairs.map((pair, at) => (pair[side] ?? GAP).padEnd(widths[at] ?? 0)).join(" -> ");
  const marks = pairs
    .map(([left, right], at) => (left === right ? " " : "^").repeat(widths[at] ?? 0))
    .join("    ");
  return [`expected  ${line(0)}`, `actual    ${line(1)}`, `          ${marks}`]
    .map((text) => text.trimEnd())
    .join("\n");
}

const GAP = "·";

/** One pair a column; between two nodes that both paths have, one node stands in place of another one. */
function columnsOf(
  expected: readonly string[],
  actual: readonly string[],
): readonly Pair<string>[] {
  const of = { keyOf: (name: string) => name, comparisonsMax: Number.POSITIVE_INFINITY };
  const columns: Pair<string>[] = [];
  let [left, right]: [string[], string[]] = [[], []];
  const close = () => {
    const length = Math.max(left.length, right.length);
    for (let at = 0; at < length; at += 1) columns.push([left[at], right[at]]);
    [left, right] = [[], []];
  };
  for (const [a, b] of alignedByKey(expected, actual, of) ?? []) {
    if (a !== undefined && b !== undefined) {
      close();
      columns.push([a, b]);
    } else if (a !== undefined) left.push(a);
    else if (b !== undefined) right.push(b);
  }
  close();
  return columns;
}
