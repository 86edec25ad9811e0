/** Finds the targets that a node may choose from, and checks its choice: `a -> b | c`. */
import type { RouteIr, TargetIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Choice } from "../../performer.ts";
import type { Program, ProgramNode } from "./program.ts";

/** Every target that the routes of a place let its node choose, in the order of the text. */
export function choicesOf(route: RouteIr): readonly TargetIr[] {
  switch (route.kind) {
    case "pick":
      return route.targets;
    case "choice":
      return route.branches.flatMap((branch) => choicesOf(branch.route));
    case "match":
      return route.cases.flatMap((choice) => choicesOf(choice.route));
    case "to":
    case "each":
      return [];
  }
}

/** Lists the targets that a node may choose, each once, with the description of its arrow and its node. */
export function offered(program: Program, { outlet }: ProgramNode): readonly Choice[] {
  const targets = outlet.edges.flatMap(({ route }) => choicesOf(route));
  const names = [...new Set(targets.map(({ node }) => node))];
  return names.map((name) => {
    const node = program.nodes[program.nodeNumbers.get(name) ?? -1];
    const labels = targets.filter((target) => target.node === name).map(({ label }) => label);
    const said = [node?.ir.description, ...labels].filter((text) => text !== undefined);
    return said.length === 0 ? { name } : { name, description: said.join("; ") };
  });
}

/**
 * The choice of a node run: what it was told beside the output, else the output itself of a node that writes nothing.
 * A router must choose; an agent that hands nothing off ends its branch there.
 */
export function chosen(
  { ir, choices }: ProgramNode,
  output: unknown,
  goto: string | undefined,
): { readonly goto?: string } | Failure {
  if (choices.length === 0) return {};
  const isOutput = goto === undefined && ir.writes.length === 0;
  const choice = isOutput ? output : goto;
  if (typeof choice === "string" && choices.includes(choice)) return { goto: choice };
  if (ir.kind !== "router" && (choice === undefined || choice === null)) return {};
  const names = choices.map((name) => `\`${name}\``).join(", ");
  const said = typeof choice === "string" ? `\`${choice}\`` : (JSON.stringify(choice) ?? "nothing");
  return {
    class: "invalid",
    code: "M5204",
    message: `\`${ir.name}\` can't go to ${said}: there are ${names}`,
    feedback: `Choose one of these names: ${choices.join(", ")}.`,
  };
}
