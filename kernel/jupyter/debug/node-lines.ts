/** The lines of a cell of graphs at which a run can be held: those on which a node's text begins. */
import { parse, positionAt } from "../../../dsl/index.ts";
import { graphText } from "../../cells/classify.ts";

/** The lines that breakpoints hold at, where people set them anywhere in a node's text. */
export function heldLines(code: string, lines: readonly number[]): readonly number[] {
  const nodes = nodesIn(code);
  const held = lines.flatMap((line) => {
    // The narrowest one, and of several on a line the first.
    const around = nodes.filter(({ first, last }) => first <= line && line <= last);
    const [node] = around.toSorted((a, b) => a.last - a.first - (b.last - b.first));
    return node === undefined ? [] : [node.first];
  });
  return [...new Set(held)].sort((a, b) => a - b);
}

interface NodeLines {
  readonly first: number;
  readonly last: number;
}

/** Also of a text with mistakes: what is read of it. */
function nodesIn(code: string): readonly NodeLines[] {
  const source = { file: "cell", text: graphText(code) };
  const { ast } = parse(source);
  const items = ast.items.flatMap((item) => (item.kind === "graph" ? item.items : []));
  return items.flatMap(({ kind, span }) => {
    if (kind !== "node" && kind !== "call") return [];
    const [first, last] = [span.start, Math.max(span.start, span.end - 1)];
    return [{ first: positionAt(source, first).line, last: positionAt(source, last).line }];
  });
}
