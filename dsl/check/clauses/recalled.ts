/** Checks what a node recalls: at least one entry (M3226), and that memories are named where it has recalled them (M4981). */
import type { ExprIr, NodeIr } from "../../ir/ir.ts";
import { walk } from "../../ir/visit-tree.ts";
import type { FlowCheck, GraphCheck } from "../context.ts";
import { spanOf } from "../flow/routes.ts";
import { allClauses } from "./all-clauses.ts";

/** The parts of a node that are worked out when an attempt begins. */
const AT_START = ["system", "prompt", "ask", "context", "skills", "call", "controller", "session"];

export function checkRecalled({ ir, report }: FlowCheck): void {
  for (const node of ir.nodes) {
    const { cache, recalls, ...parts } = node;
    const recalled = new Set(recalls.map(({ memory }) => memory));
    for (const [name, part] of Object.entries(parts)) {
      const known = AT_START.includes(name) ? recalled : undefined;
      for (const found of memoriesIn(part)) reportUnless(known, found, node);
    }
    for (const found of memoriesIn(cache)) reportUnless(recalled, found, node);
    for (const found of memoriesIn(recalls)) reportUnless(undefined, found, node);
  }
  for (const found of memoriesIn([ir.edges, ir.endWhen, ir.breaks, ir.approvals]))
    reportUnless(undefined, found);

  function reportUnless(
    known: ReadonlySet<string> | undefined,
    named: MemoryNameIr,
    node?: NodeIr,
  ): void {
    const { name } = named;
    if (known?.has(name) === true) return;
    const isHere = known !== undefined;
    report({
      code: "M4981",
      message: isHere
        ? `\`${node?.name}\` names the memory \`${name}\` and does not recall it`
        : `the memory \`${name}\` can't be named here`,
      span: spanOf(named),
      hint: isHere
        ? `write \`recall ${name}\` into the node`
        : "write what is needed of it to a field, and name that",
    });
  }
}

/** Reports M3226 for a `recall` of no entry. */
export function checkRecalledCounts({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols)) {
    if (clause.kind !== "recall" || clause.top?.kind !== "number" || clause.top.value > 0) continue;
    const { text } = clause.memory;
    report({
      code: "M3226",
      message: `\`recall ${text} top 0\` recalls nothing`,
      span: clause.top.span,
      hint: `leave \`recall ${text}\` out, or ask for one: \`top 1\``,
    });
  }
}

type MemoryNameIr = Extract<ExprIr, { readonly kind: "name" }>;

function memoriesIn(part: unknown): readonly MemoryNameIr[] {
  const found: MemoryNameIr[] = [];
  walk(part, (one) => {
    if (one.kind === "name" && one.of === "memory") found.push(one as unknown as MemoryNameIr);
  });
  return found;
}
