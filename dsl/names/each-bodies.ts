/** Lists the bodies of the `each`es of a graph, with their ids and the nodes in them. */
import type { EachAst, FlowDecl, GraphDecl, HopAst } from "../syntax/tree/ast.ts";

/** The body of an `each`. */
export interface EachBody {
  readonly each: EachAst;
  /** Unique in the graph: the variable's name, then `name#2`, … in the order of the text. */
  readonly id: string;
  /** The ids of the `each`es that it stands in, the outermost first, and its own. */
  readonly path: readonly string[];
  /** The targets of its arrows, without those in the bodies of inner `each`es. */
  readonly nodes: readonly string[];
}

/** Returns the bodies of a graph's `each`es in the order of the text, an outer one before those in it. */
export function eachBodies({ items }: GraphDecl): readonly EachBody[] {
  const bodies: EachBody[] = [];
  const counts = new Map<string, number>();
  const visitFlow = ({ hops }: FlowDecl, path: readonly string[], nodes: string[]): void => {
    for (const hop of hops) visit(hop, path, nodes);
  };
  const visit = (hop: HopAst, path: readonly string[], nodes: string[]): void => {
    switch (hop.kind) {
      case "one-of":
      case "all-of":
        for (const { node } of hop.refs) nodes.push(node.text);
        return;
      case "choice":
        for (const { hops } of hop.branches) for (const inner of hops) visit(inner, path, nodes);
        return;
      case "match":
        for (const { hops } of hop.cases) for (const inner of hops) visit(inner, path, nodes);
        return;
      case "each": {
        const id = nextId(hop.variable.text, counts);
        const own: string[] = [];
        const body = { each: hop, id, path: [...path, id], nodes: own };
        bodies.push(body);
        for (const inner of hop.body) visit(inner, body.path, own);
        for (const flow of hop.flows) visitFlow(flow, body.path, own);
      }
    }
  };
  for (const item of items) if (item.kind === "flow") visitFlow(item, [], []);
  return bodies;
}

function nextId(variable: string, counts: Map<string, number>): string {
  const count = (counts.get(variable) ?? 0) + 1;
  counts.set(variable, count);
  return count === 1 ? variable : `${variable}#${count}`;
}
