/** Reports a choice `a | b` whose target lacks arguments that nobody is there to give. */
import type { EdgeIr, NodeIr, RouteIr, TargetIr } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";
import { allEdges, routesIn, spanOf } from "./routes.ts";

/** Reports M3780 where a target has parameters without arguments, and whoever picks it only says a name. */
export function checkHandedArguments({ ir, report }: FlowCheck): void {
  const nodes = new Map(ir.nodes.map((node) => [node.name, node]));
  for (const edge of allEdges(ir.edges)) {
    const picker = pickersOf(edge, nodes).find(
      ({ kind }) => kind !== "agent" && kind !== "operator",
    );
    if (picker === undefined) continue;
    for (const target of pickedIn(edge.route)) {
      const lacking = lackingOf(target, nodes);
      if (lacking.length === 0) continue;
      report({
        code: "M3780",
        message: `nobody gives \`${target.node}\` its ${names(lacking)}: \`${picker.name}\` is a \`${picker.kind}\` node, which picks a name alone`,
        span: spanOf(target),
        hint: `write the arguments on the arrow, \`${target.node}(${lacking.join(", ")})\`, or let an agent hand over`,
      });
    }
  }
}

function pickersOf({ from }: EdgeIr, nodes: ReadonlyMap<string, NodeIr>): readonly NodeIr[] {
  if (from.kind !== "any") return [];
  return from.nodes.flatMap((name) => nodes.get(name) ?? []);
}

function pickedIn(route: RouteIr): readonly TargetIr[] {
  if (route.kind === "each") return [];
  return route.kind === "pick" ? route.targets : routesIn(route).flatMap(pickedIn);
}

/** The parameters that must be given and are not. */
function lackingOf(
  { node, args }: TargetIr,
  nodes: ReadonlyMap<string, NodeIr>,
): readonly string[] {
  const params = nodes.get(node)?.params ?? [];
  const given = new Set(args.map(({ label }, index) => label ?? params[index]?.name));
  return params
    .filter((param) => !given.has(param.name) && !param.optional && param.default === undefined)
    .map(({ name }) => name);
}

function names(all: readonly string[]): string {
  return all.map((name) => `\`${name}\``).join(", ");
}
