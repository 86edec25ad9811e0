/** Writes the checks of the nodes of a large graph: those that read the same are checked once. */
import type { NodeIr } from "../../../../dsl/index.ts";
import { TextWriter } from "./mapped-text.ts";
import type { RoutesByNode } from "./routes-by-node.ts";
import type { GraphContext } from "./write-check.ts";
import { writeNode } from "./write-node.ts";

/** Nodes of one class differ at most in where they lead: what one gives back must lead to where all of them may. */
export function writeNodeClasses(context: GraphContext): void {
  const aside = { ...context, routes: withoutTargets(context.routes) };
  const classes = Map.groupBy(context.graph.nodes, (node) => {
    const to = new TextWriter();
    writeNode({ ...aside, to }, node);
    return to.result.text;
  });
  for (const nodes of classes.values()) {
    const [first] = nodes;
    if (first !== undefined)
      writeNode({ ...context, routes: sharedRoutes(context.routes, nodes) }, first);
  }
}

function withoutTargets(routes: RoutesByNode): RoutesByNode {
  return new Map([...routes].map(([node, { isPick }]) => [node, { targets: [], isPick }]));
}

function sharedRoutes(routes: RoutesByNode, [first, ...others]: readonly NodeIr[]): RoutesByNode {
  const name = first?.name ?? "";
  const own = routes.get(name);
  if (own === undefined || others.length === 0) return routes;
  const sets = others.map((one) => new Set(routes.get(one.name)?.targets ?? ["end"]));
  const targets = own.targets.filter((target) => sets.every((all) => all.has(target)));
  return new Map([[name, { ...own, targets }]]);
}
