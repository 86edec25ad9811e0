/** Checks the parameters of a node. */
import { flowScope } from "../../names/scope.ts";
import type { NodeCheck } from "../context.ts";
import { checkType } from "../expressions/check-types.ts";
import { reportShadowing } from "../expressions/shadowing.ts";
import { checkDefault } from "./fields.ts";

/** The parameters of a node: their types, defaults and names. */
export function checkNodeParams({ node, symbols, report }: NodeCheck): void {
  const scope = flowScope(symbols);
  for (const param of node.params) {
    checkType(param.type, symbols.file, report);
    checkDefault(param.value, param.type, scope, report);
    reportShadowing(param.name, scope, report);
  }
}
