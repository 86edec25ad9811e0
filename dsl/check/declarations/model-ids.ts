/** Warns of ids of models that no run can use. */
import { readModelId } from "../../vocabulary/model-ids.ts";
import type { FileCheck } from "../context.ts";

/** Warns of a declared id that no run can use: it is no error, as a run may be given another model for the alias. */
export function checkModelIds({ ast, report }: FileCheck): void {
  for (const item of ast.items) {
    if (item.kind !== "model") continue;
    for (const one of item.value.kind === "list" ? item.value.items : [item.value]) {
      if (one.kind !== "string") continue;
      const id = readModelId(one.value);
      if (id.kind !== "unknown") continue;
      const { message, hint } = id;
      report({ code: "M2115", severity: "warning", message, span: one.span, hint });
    }
  }
}
