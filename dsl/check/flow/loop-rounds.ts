/** Reports the round of a node that is in no loop, and counts that are read where no run is. */
import type { Span } from "../../diagnostics/source.ts";
import type { ExprIr } from "../../ir/ir.ts";
import { walk } from "../../ir/visit-tree.ts";
import { countedNode } from "../../vocabulary/node-counts.ts";
import type { FlowCheck } from "../context.ts";
import { reach } from "./places.ts";

/** `round(n)` says in which round of its loop `n` is: arrows must lead from `n` back to it, or `every` starts it again. */
export function checkLoopRounds({ ir, places, report }: FlowCheck): void {
  for (const { call, count, node } of countsIn([ir.config, ir.params, ir.fields, ir.memories]))
    report({
      code: "M3604",
      message: `\`${count}\` is known in a run, and this value is read before it`,
      span: spanOf(call),
      hint: `name it where the run is: in a clause of a node or on an arrow, \`set n = ${count}(${node})\``,
    });
  const again = new Map<string, boolean>();
  const isInLoop = (node: string) => {
    const behind = (places.next.get(node) ?? []).map(({ to }) => to);
    return reach(behind, places.next).has(node);
  };
  for (const { every, name } of ir.nodes) if (every !== undefined) again.set(name, true);
  for (const { call, count, node } of countsIn([
    ...[ir.nodes, ir.edges, ir.endWhen, ir.breaks, ir.approvals],
  ])) {
    if (count !== "round") continue;
    if (!again.has(node)) again.set(node, isInLoop(node));
    if (again.get(node) === true) continue;
    report({
      code: "M3240",
      message: `\`${node}\` is in no loop, so it has no rounds`,
      span: spanOf(call),
      hint: `no arrow leads from it back to it; \`visits(${node})\` is how often it has run`,
    });
  }
}

interface CountedCall extends NonNullable<ReturnType<typeof countedNode>> {
  readonly call: ExprIr;
}

function countsIn(part: unknown): readonly CountedCall[] {
  const found: CountedCall[] = [];
  walk(part, (inner) => {
    const call = inner as ExprIr;
    const counted = countedNode(call);
    if (counted !== undefined) found.push({ call, ...counted });
  });
  return found;
}

function spanOf({ span: [start, end] = [0, 0] }: ExprIr): Span {
  return { start, end };
}
