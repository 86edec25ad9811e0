/** Aligns two sequences into one, in which common elements share a place. */

export type Pair<T> = readonly [T | undefined, T | undefined];

/**
 * By the longest common sequence of keys; `undefined` where that would take more than `comparisonsMax` comparisons behind
 * what both begin and end with.
 */
export function alignedByKey<T>(
  a: readonly T[],
  b: readonly T[],
  {
    keyOf,
    comparisonsMax,
  }: { readonly keyOf: (one: T) => string; readonly comparisonsMax: number },
): readonly Pair<T>[] | undefined {
  const [left, right] = [a.map(keyOf), b.map(keyOf)];
  let head = 0;
  while (head < a.length && head < b.length && left[head] === right[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  const rows = a.length - tail - head;
  const columns = b.length - tail - head;
  if (rows * columns > comparisonsMax) return undefined;
  const middle = commonPairs(left.slice(head, head + rows), right.slice(head, head + columns));
  const at = (one: number | undefined, list: readonly T[]) =>
    one === undefined ? undefined : list[head + one];
  return [
    ...a.slice(0, head).map((one, index): Pair<T> => [one, b[index]]),
    ...middle.map(([i, j]): Pair<T> => [at(i, a), at(j, b)]),
    ...a.slice(head + rows).map((one, index): Pair<T> => [one, b[head + columns + index]]),
  ];
}

/** By dynamic programming, from the ends: how long the longest common sequence of what is left is. */
function commonPairs(a: readonly string[], b: readonly string[]): readonly Pair<number>[] {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: Pair<number>[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      pairs.push([i, undefined]);
      i += 1;
    } else {
      pairs.push([undefined, j]);
      j += 1;
    }
  }
  return pairs;
}

/** Of keys that stand once in each: what is in both is one place, wherever it stands there; the order is that of `a`. */
export function pairedByKey<T>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (one: T) => string,
): readonly Pair<T>[] {
  const left = new Set(a.map(keyOf));
  const right = new Map(b.map((one, index) => [keyOf(one), index]));
  const pairs: Pair<T>[] = [];
  const taken = new Set<number>();
  let next = 0;
  // What only `b` has stands behind what it followed there.
  const takeOnlyRight = () => {
    for (; next < b.length; next += 1) {
      const one = b[next] as T;
      if (taken.has(next)) continue;
      if (left.has(keyOf(one))) return;
      pairs.push([undefined, one]);
    }
  };
  for (const one of a) {
    takeOnlyRight();
    const index = right.get(keyOf(one));
    if (index !== undefined) taken.add(index);
    pairs.push([one, index === undefined ? undefined : b[index]]);
  }
  takeOnlyRight();
  return pairs;
}
