/** Warns of an `end when` that no commit can change. */
import type { ExprIr } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";

/** Warns of an `end when` that is the same at every commit: it ends the run at once or never. */
export function checkConstantEnd({ ir, report }: FlowCheck): void {
  for (const condition of ir.endWhen) {
    if (changes(condition)) continue;
    const [start, end] = condition.span ?? [0, 0];
    report({
      code: "M3225",
      severity: "warning",
      message: "this has the same value at every commit: the run ends at once or never",
      span: { start, end },
      hint: "name a field that a node writes, or what the run has used, `run.cost` for example",
    });
  }
}

/** Returns whether some name in an expression can change its value while a run goes on. */
function changes(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(changes);
  if (typeof part !== "object" || part === null) return false;
  if (isName(part) && !["param", "config", "model", "variable"].includes(part.of)) return true;
  return Object.values(part).some(changes);
}

function isName(part: object): part is ExprIr & { readonly kind: "name" } {
  return "kind" in part && part.kind === "name" && "of" in part;
}
