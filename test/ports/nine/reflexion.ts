/** A tree of attempts: which leaf to go on from by UCT, and what the scores mean for those above. */
export interface Node {
  text: string;
  parent: number;
  score: number;
  visits: number;
  value: number;
}

/** Returns the index of the leaf to go on from, -1 for an empty tree. */
export function choose(tree: Node[]): number {
  let at = -1;
  for (;;) {
    const total = tree[at]?.visits ?? tree.length;
    const uct = ({ value, visits }: Node) => value + Math.sqrt((2 * Math.log(total + 1)) / visits);
    const children = tree.flatMap((node, index) =>
      node.parent === at ? [{ index, uct: uct(node) }] : [],
    );
    if (children.length === 0) return at;
    at = children.reduce((one, other) => (other.uct > one.uct ? other : one)).index;
  }
}

/** Returns the tree with new leaves, whose scores go to all nodes above. */
export function grow(tree: Node[], leaf: number, steps: { text: string; score: number }[]): Node[] {
  const grown = tree.map((node) => ({ ...node }));
  for (const { text, score } of steps) {
    grown.push({ text, parent: leaf, score, visits: 1, value: score });
    for (let above = grown[leaf]; above !== undefined; above = grown[above.parent]) {
      above.value = (above.value * above.visits + score) / (above.visits + 1);
      above.visits += 1;
    }
  }
  return grown;
}

export const best = (tree: Node[]) =>
  tree.reduce((one, other) => (other.score > one.score ? other : one)).text;
