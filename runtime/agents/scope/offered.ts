/** Lists what a scope offers to the check of a program: names, effects and parameters of its tools. */
import type { CheckOptions } from "../../../dsl/index.ts";
import { scopeForOtherFiles } from "./layered-scope.ts";
import { offeredNames, type Scope } from "./scope.ts";
import { findUndescribedTool, findUntoldTool, toolEffects } from "./tools.ts";

/** Without a scope nobody knows what there is, and an unknown name is taken to exist. */
export function offeredBy(
  scope: Scope | undefined,
): Pick<CheckOptions, "scope" | "scopeOfPrograms" | "effects" | "toolFault" | "undescribed"> {
  if (scope === undefined) return {};
  return {
    scope: offeredNames(scope),
    scopeOfPrograms: offeredNames(scopeForOtherFiles(scope)),
    effects: toolEffects(scope),
    toolFault: (tool) => findUntoldTool(tool, scope),
    undescribed: (tool) => findUndescribedTool(tool, scope),
  };
}
