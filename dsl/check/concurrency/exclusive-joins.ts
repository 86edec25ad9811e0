/** Warns of joins of which only one node can ever arrive. */
import type { FlowCheck } from "../context.ts";
import { arrivalsIn } from "./exclusive.ts";

/** Warns of a join that never waits: of its nodes only one can ever arrive. */
export function checkExclusiveJoins(check: FlowCheck): void {
  const arriveTogether = arrivalsIn(check);
  for (const item of check.symbols.graph.items) {
    if (item.kind !== "flow" || item.source.kind !== "join" || item.source.need !== undefined)
      continue;
    const names = item.source.nodes.map((node) => node.text);
    if (arriveTogether([...new Set(names)])) continue;
    if (names.length < 2) continue;
    check.report({
      code: "M3221",
      severity: "warning",
      message: `never all of these arrive: each of ${names.map((name) => `\`${name}\``).join(", ")} excludes the others`,
      span: item.source.span,
      hint: `for whichever arrives, write \`${names.join(" | ")} ->\``,
    });
  }
}
