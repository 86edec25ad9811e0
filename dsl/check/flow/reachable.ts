/** Reports graphs without a start and nodes that nothing leads to. */
import type { NodeIr } from "../../ir/ir.ts";
import { PLAN_GRAPH } from "../../plan/plan.ts";
import type { FlowCheck } from "../context.ts";
import { reach } from "./places.ts";

const PLANNED: readonly NodeIr["kind"][] = ["agent", "operator", "human"];

/** A graph begins somewhere, and every node is led to. Of nodes that hang on each other the first is reported. */
export function checkReachable({ ir, places, symbols, report }: FlowCheck): void {
  if (!places.branches.has("start")) {
    report({
      code: "M3201",
      message: `\`${ir.name}\` never starts: no arrow leaves \`start\``,
      span: symbols.graph.name.span,
      hint: ir.nodes[0] === undefined ? undefined : `write \`start -> ${ir.nodes[0].name}\``,
    });
    return;
  }
  const arcs = places.next;
  const reached = new Set(reach(["start"], arcs));
  const takesPlans = ir.nodes.some(({ call }) => call?.callee.join(".") === PLAN_GRAPH);
  // A plan may name any agent, and any person.
  const isForPlans = ({ kind }: NodeIr) => takesPlans && PLANNED.includes(kind);
  const cut = () => ir.nodes.filter((node) => !reached.has(node.name) && !isForPlans(node));
  const isLedTo = (name: string) => places.arcs.some((arc) => arc.to === name && arc.from !== name);
  for (let lost = cut(); lost.length > 0; lost = cut()) {
    const root = lost.find((node) => !isLedTo(node.name)) ?? lost[0];
    if (root === undefined) return;
    for (const place of reach([root.name], arcs)) reached.add(place);
    const name = symbols.nodes.get(root.name)?.name;
    if (name === undefined) return;
    report({
      code: "M3202",
      severity: "warning",
      message: `\`${root.name}\` never runs: no arrow leads to it`,
      span: name.span,
      hint: "add an arrow to it, or remove it",
    });
  }
}
