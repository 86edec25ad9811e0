/** Checks the settings of `model` declarations as far as the text alone says their values. */
import type { ExprAst } from "../../syntax/tree/ast.ts";
import { modelSettingFault } from "../../vocabulary/model-settings.ts";
import type { FileCheck } from "../context.ts";

/** Reports settings that no model has, that the provider has not, and values that can't be theirs. */
export function checkModelSettings({ ast, report }: FileCheck): void {
  for (const item of ast.items) {
    if (item.kind !== "model") continue;
    const id = item.value.kind === "string" ? item.value.value : undefined;
    for (const { key, value } of item.options?.entries ?? []) {
      const fault = modelSettingFault(key.text, value && literalValue(value), id);
      if (fault !== undefined) report({ code: "M2116", ...fault, span: key.span });
    }
  }
}

/** The value of an expression that is written out; undefined of any other. */
function literalValue(expr: ExprAst): unknown {
  switch (expr.kind) {
    case "string":
    case "number":
    case "boolean":
      return expr.value;
    case "null":
      return null;
    case "unary": {
      const value = literalValue(expr.operand);
      return expr.op === "-" && typeof value === "number" ? -value : undefined;
    }
    case "list": {
      const values = expr.items.map(literalValue);
      return values.includes(undefined) ? undefined : values;
    }
    case "object": {
      const entries = expr.entries.map(
        ({ key, value }) => [key.text, value && literalValue(value)] as const,
      );
      return entries.some(([, value]) => value === undefined)
        ? undefined
        : Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}
