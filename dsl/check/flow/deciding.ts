/** Reports choices `a | b` behind an arrow whose source decides nothing. */
import type { NodeKind, RouteIr, SourceIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { NODE_KINDS } from "../../vocabulary/node-kinds.ts";
import type { FlowCheck } from "../context.ts";
import { allEdges, eachesIn, picksIn, routesIn, spanOf } from "./routes.ts";

/** Reports a choice `a | b` behind an arrow that nobody is there to make. */
export function checkDeciding(check: FlowCheck): void {
  const kinds = new Map(check.ir.nodes.map((node) => [node.name, node.kind]));
  for (const edge of allEdges(check.ir.edges)) {
    if (picksIn(edge.route)) reportPicks(edge.route, nobodyDeciding(edge.from, kinds), check);
    for (const each of eachesIn(edge.route))
      for (const route of [each.entry, ...routesBehind(each)])
        reportPicks(route, "an `each` decides nothing", check);
  }
}

type NodeKinds = ReadonlyMap<string, NodeKind>;

/**
 * Returns the reason why no node decides behind this source, as a clause for a message; undefined
 * if one can.
 */
function nobodyDeciding(source: SourceIr, kinds: NodeKinds): string | undefined {
  if (source.kind === "start") return "`start` decides nothing";
  if (source.kind === "join")
    return `\`[${source.nodes.join(", ")}]\` waits for several nodes, and none of them decides`;
  for (const name of source.nodes) {
    const kind = kinds.get(name);
    if (kind !== undefined && !NODE_KINDS[kind].mayPick)
      return `\`${name}\` is a \`${kind}\` node, which decides nothing`;
  }
  return undefined;
}

function reportPicks(route: RouteIr, nobody: string | undefined, check: FlowCheck): void {
  if (nobody === undefined || route.kind === "each") return;
  if (route.kind === "pick") reportNobody(route, nobody, check);
  for (const inner of routesIn(route)) reportPicks(inner, nobody, check);
}

function reportNobody(route: RouteIr, why: string, { report }: FlowCheck): void {
  report({
    code: "M3211",
    message: `no node picks one of these: ${why}`,
    span: spanOf(route),
    hint: "add a `router` that picks, write conditions `{ a == 1 -> x, else -> y }`, or start all of them `[x, y]`",
  });
}
