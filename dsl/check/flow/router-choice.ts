/** Reports routers that have nothing to choose from. */
import type { EdgeIr } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";
import { eachesIn, picksIn } from "./routes.ts";

/** A router without a choice decides for nothing. */
export function checkRouterChoice({ ir, symbols, report }: FlowCheck): void {
  for (const node of ir.nodes) {
    const name = symbols.nodes.get(node.name)?.name;
    if (node.kind !== "router" || name === undefined || hasPick(node.name, ir.edges)) continue;
    report({
      code: "M3215",
      severity: "warning",
      message: `\`${node.name}\` has nothing to pick from`,
      span: name.span,
      hint: `write \`${node.name} -> a | b\``,
    });
  }
}

function hasPick(node: string, edges: readonly EdgeIr[]): boolean {
  return edges.some(
    ({ from, route }) =>
      (from.kind === "any" && from.nodes.includes(node) && picksIn(route)) ||
      eachesIn(route).some((each) => hasPick(node, each.edges)),
  );
}
