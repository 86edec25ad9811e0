/**
 * A place in the order of the graph: the position in a line of nodes, then, below a fork, the branch or item and the
 * position in it, and so on: `[2, 0, 1]` is the second node of the first branch forked at the third node.
 */
export type OrderKey = readonly number[];

export function compareKeys(a: OrderKey, b: OrderKey): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function keyText(key: OrderKey): string {
  // As in most graphs; `join` takes ten times as long.
  return key.length === 1 ? String(key[0]) : key.join(".");
}
