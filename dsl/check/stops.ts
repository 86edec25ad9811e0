import { flowScope } from "../scope.ts";
import { checkConsent } from "./check-clauses.ts";
import { checkCondition } from "./conditions.ts";
import type { GraphCheck } from "./context.ts";
import { checkNodeName } from "./names.ts";

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
