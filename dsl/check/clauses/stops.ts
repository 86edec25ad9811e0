/** Checks the names in `approve`, `break` and `end when` of a graph. */
import { flowScope } from "../../names/scope.ts";
import type { GraphCheck } from "../context.ts";
import { checkCondition } from "../expressions/conditions.ts";
import { checkNodeName } from "../expressions/single-names.ts";
import { checkConsent } from "./check-clauses.ts";

/** Checks the names in what stops a run from outside its nodes: `approve`, `break`, `end when`. */
export function checkStops({ symbols, report }: GraphCheck): void {
  const scope = flowScope(symbols);
  for (const item of symbols.graph.items) {
    if (item.kind === "end-when") checkCondition(item.condition, scope, report);
    if (item.kind !== "approve" && item.kind !== "break") continue;
    for (const node of item.nodes) checkNodeName(node, scope, report);
    if (item.kind === "approve") checkConsent(item.consent, scope, report);
    else if (item.condition !== undefined) checkCondition(item.condition, scope, report);
  }
}
