/** Two paths one below the other, node under node, with a mark where they differ. */

/** One column: what was expected there, what came. */
interface Pair {
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** Three lines: the expected path, the actual one, and marks below what differs. */
export function alignedPaths(expected: readonly string[], actual: readonly string[]): string {
  const pairs = align(expected, actual);
  const widths = pairs.map((pair) =>
    Math.max(1, ...[pair.expected, pair.actual].map((name) => (name ?? "").length)),
  );
  const line = (nameOf: (pair: Pair) => string | undefined) =>
    pairs.map((pair, at) => (nameOf(pair) ?? GAP).padEnd(widths[at] ?? 0)).join(" -> ");
  const marks = pairs
    .map((pair, at) => (pair.expected === pair.actual ? " " : "^").repeat(widths[at] ?? 0))
    .join("    ");
  return [
    `expected  ${line((pair) => pair.expected)}`,
    `actual    ${line((pair) => pair.actual)}`,
    `          ${marks}`,
  ]
    .map((text) => text.trimEnd())
    .join("\n");
}

const GAP = "·";

/** The alignment with the fewest differences; a node in place of another one is one of them. */
function align(expected: readonly string[], actual: readonly string[]): readonly Pair[] {
  const costs = costsOf(expected, actual);
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < expected.length || column < actual.length) {
    const pair = { expected: expected[row], actual: actual[column] };
    const cost = costs[row]?.[column];
    const isSame = row < expected.length && column < actual.length;
    if (isSame && cost === (costs[row + 1]?.[column + 1] ?? 0) + differ(pair)) {
      pairs.push(pair);
      row += 1;
      column += 1;
    } else if (row < expected.length && cost === (costs[row + 1]?.[column] ?? 0) + 1) {
      pairs.push({ ...pair, actual: undefined });
      row += 1;
    } else {
      pairs.push({ ...pair, expected: undefined });
      column += 1;
    }
  }
  return pairs;
}

/** For each pair of places: how many differences there are from there to the ends. */
function costsOf(expected: readonly string[], actual: readonly string[]): readonly number[][] {
  const costs = Array.from({ length: expected.length + 1 }, () =>
    new Array<number>(actual.length + 1).fill(0),
  );
  for (let row = expected.length; row >= 0; row -= 1) {
    for (let column = actual.length; column >= 0; column -= 1) {
      const rest = Math.max(expected.length - row, actual.length - column);
      const [here, below] = [costs[row] ?? [], costs[row + 1] ?? []];
      if (row === expected.length || column === actual.length) here[column] = rest;
      else {
        const pair = { expected: expected[row], actual: actual[column] };
        const across = (below[column + 1] ?? 0) + differ(pair);
        here[column] = Math.min(across, (below[column] ?? 0) + 1, (here[column + 1] ?? 0) + 1);
      }
    }
  }
  return costs;
}

function differ({ expected, actual }: Pair): number {
  return expected === actual ? 0 : 1;
}
