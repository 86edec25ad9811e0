/** Words the end of a run in which nothing leads on, because an arrow or rounds are used up. */
import type { RouteIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import { countOf, limitFailure } from "../limits.ts";
import { sourceOf } from "../program/outlet-places.ts";
import type { FlowDraft } from "./flow-draft.ts";

/** The only arrow that leads on from a node has reached its `max`, or the rounds of the node have. */
export function usedUp(
  { program, snapshot }: FlowDraft,
  what: RouteIr | "rounds",
  node: string,
): Failure {
  const failure = limitFailure("max", node);
  if (what === "rounds") {
    const message = `\`${node}\` has had all its rounds (\`max\` behind \`every\`), and no arrow \`on limit\` leads on behind it`;
    return { ...failure, message };
  }
  if (what.max === undefined) return failure;
  const most = countOf(program, snapshot, what.max);
  const times = most === 1 ? "once" : `${most} times`;
  const message = `the arrow to ${targetText(what)} was used ${times}, its \`max\`, and nothing else leads on behind \`${sourceOf(program, what) ?? node}\``;
  return { ...failure, message };
}

function targetText(route: RouteIr): string {
  switch (route.kind) {
    case "to":
    case "pick":
      return [...new Set(route.targets.map(({ node }) => `\`${node}\``))].join(", ");
    case "choice":
      return route.branches.map((one) => targetText(one.route)).join(" or ");
    case "match":
      return route.cases.map((one) => targetText(one.route)).join(" or ");
    case "each":
      return `\`each ${route.each.variable}\``;
  }
}

/** The same of a run that was taken up again behind it, where the arrow is not known any more. */
export function stuckFailure(node: string): Failure {
  const message = `an arrow or the rounds behind \`${node}\` were used up (\`max\`), and nothing else leads on`;
  return { ...limitFailure("max", node), message };
}
