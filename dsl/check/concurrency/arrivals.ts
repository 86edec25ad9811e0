/** Warns of a node that two overlapping arrows start twice. */

import type { EdgeIr } from "../../ir/ir.ts";
import { isNodeTarget } from "../../ir/targets-in.ts";
import type { FlowCheck } from "../context.ts";
import type { Overlap } from "../facts.ts";
import { spanOf } from "../flow/routes.ts";

/** `a -> b` and `c -> b` start b twice; if a and c can overlap, that is seldom meant. */
export function checkArrivals({ ir, overlap, report }: FlowCheck): void {
  const plain = ir.edges.filter((edge) => edge.on === "done" && edge.from.kind === "any");
  for (const [target, arrivals] of Map.groupBy(plain, onlyTarget)) {
    const clash = target === undefined ? undefined : firstClash(arrivals, overlap);
    if (clash === undefined) continue;
    const { first, second, nodes } = clash;
    report({
      code: "M3214",
      severity: "warning",
      message: `\`${target}\` starts twice: \`${nodes[0]}\` and \`${nodes[1]}\` can both arrive`,
      span: spanOf(second.route),
      hint: `to wait for both, write \`[${nodes.join(", ")}] -> ${target}\``,
      related: [{ span: spanOf(first.route), message: "the other arrow" }],
    });
  }
}

interface ArrivalClash {
  readonly first: EdgeIr;
  readonly second: EdgeIr;
  readonly nodes: readonly [string, string];
}

function firstClash(arrivals: readonly EdgeIr[], overlap: Overlap): ArrivalClash | undefined {
  for (const [index, second] of arrivals.entries())
    for (const first of arrivals.slice(0, index)) {
      const nodes = firstOverlap(first, second, overlap);
      if (nodes !== undefined) return { first, second, nodes };
    }
  return undefined;
}

/** The node of a plain arrow that always leads there. */
function onlyTarget({ route }: EdgeIr): string | undefined {
  if (route.kind !== "to" || route.targets.length !== 1 || route.when !== undefined)
    return undefined;
  const node = route.targets[0]?.node;
  return node !== undefined && isNodeTarget(node) ? node : undefined;
}

function firstOverlap(
  a: EdgeIr,
  b: EdgeIr,
  overlap: Overlap,
): readonly [string, string] | undefined {
  if (a.from.kind !== "any" || b.from.kind !== "any") return undefined;
  for (const left of a.from.nodes)
    for (const right of b.from.nodes) if (overlap.has(left, right)) return [left, right];
  return undefined;
}
