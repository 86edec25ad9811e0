/** Finds the targets that a node may choose from, and checks its choice: `a -> b | c`. */

import type { Failure } from "../../failure.ts";
import type { ProgramNode } from "./program.ts";

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
