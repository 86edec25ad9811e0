/** Warns of agents whose answer ends its branch though no arrow says so. */
import { findByName } from "../../ir/find-by-name.ts";
import type { EdgeIr, ExprIr, Ir, RouteIr } from "../../ir/ir.ts";
import { isNodeTarget } from "../../ir/targets-in.ts";
import { walk } from "../../ir/visit-tree.ts";
import { printExpression } from "../../print/print-expression.ts";
import type { FlowCheck } from "../context.ts";
import { allEdges, routesIn, spanOf } from "./routes.ts";

/** Warns of a choice behind an agent with neither `end` nor `return`, where no other arrow waits for its answer. */
export function checkUnseenAnswers({ ir, report }: FlowCheck): void {
  const edges = allEdges(ir.edges).filter(({ on }) => on === "done");
  for (const edge of edges) {
    const agent = sourcesOf(edge).find(
      (name) =>
        findByName(ir.nodes, name)?.kind === "agent" &&
        !mayEndRun(name, ir) &&
        edges.every((other) => other === edge || !sourcesOf(other).includes(name)),
    );
    if (agent === undefined) continue;
    for (const pick of picksOf(edge.route).filter(isOnlyNodes)) {
      report({
        code: "M3228",
        severity: "warning",
        message: `where \`${agent}\` answers and hands over to nobody, its branch ends: no arrow leads on from its answer`,
        span: spanOf(pick),
        hint: `if it may end, write \`${agent} -> ${namesOf(pick)} | end${guardOf(pick)}\` (\`return\` leads back to who handed over); ${onwardHint(agent, pick, ir)}`,
      });
    }
  }
}

function sourcesOf({ from }: EdgeIr): readonly string[] {
  return from.kind === "start" ? [] : from.nodes;
}

/** Returns whether an `end when` looks at a field that the node writes: then its answer may be what ends the run. */
function mayEndRun(name: string, { nodes, endWhen }: Ir): boolean {
  const written = findByName(nodes, name)?.writes.map(({ field }) => field) ?? [];
  let isRead = false;
  walk(endWhen, (part) => {
    if (part.kind === "name" && part.of === "field" && written.includes(String(part.name)))
      isRead = true;
  });
  return isRead;
}

type Pick = RouteIr & { readonly kind: "pick" };

/** The choices in a route; none where a condition leads on without one, as it then leads on from the answer. */
function picksOf(route: RouteIr): readonly Pick[] {
  if (route.kind === "pick") return [route];
  const inner = route.kind === "each" ? [] : routesIn(route).map(picksOf);
  return inner.every((picks) => picks.length > 0) ? inner.flat() : [];
}

function namesOf({ targets }: Pick): string {
  return targets.map(({ node }) => node).join(" | ");
}

/** The condition of the arrow, as it stands behind its targets. */
function guardOf({ when }: Pick): string {
  return when === undefined ? "" : ` when ${printExpression(when)}`;
}

function isOnlyNodes({ targets }: Pick): boolean {
  return targets.every(({ node }) => isNodeTarget(node));
}

/** Says how the answer leads on: who hands over writes nothing, so what it writes tells an answer from a handover. */
function onwardHint(agent: string, pick: Pick, { nodes, fields }: Ir): string {
  const [write] = findByName(nodes, agent)?.writes ?? [];
  if (write === undefined)
    return "if its answer leads on, let it write a field, and ask for the field on the arrow";
  const before = valueText(findByName(fields, write.field)?.default);
  const others = pick.when === undefined ? "else" : printExpression(pick.when);
  return `if its answer leads on to \`next\`, write \`${agent} -> { ${write.field} != ${before} -> next, ${others} -> ${namesOf(pick)} }\``;
}

/** The value of a field before it is written. */
function valueText(value: ExprIr | undefined): string {
  return value?.kind === "literal" ? JSON.stringify(value.value) : "null";
}
