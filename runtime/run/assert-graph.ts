/** What a graph names must be there before a run of it starts. */
import type { Ir } from "../../dsl/index.ts";
import { missingName } from "../agents/call-function.ts";
import { assertFunction } from "../agents/function.ts";
import { assertLabels } from "../agents/labels.ts";
import { assertController } from "../agents/operator/find-controller.ts";
import { noRun, runTools, withRunTools } from "../agents/run-tools.ts";
import type { Scope } from "../agents/scope.ts";
import { isStateTool } from "../agents/state-tools.ts";
import { assertEffects, resolveTools } from "../agents/tools.ts";
import { RunError } from "../failure.ts";
import { contextFunction } from "../scheduler/context-function.ts";
import { neededNames } from "../scheduler/scope-names.ts";
import { assertKeptAlike } from "./assert-kept.ts";

/** Throws where a tool, a function or a controller that the graph or one that it calls names is missing in its scope. */
export function assertAllTools(ir: Ir, scopeIn: (file: string | undefined) => Scope): void {
  assertKeptAlike(ir);
  assertTools(ir, scopeIn(ir.source?.file));
  for (const { source = ir.source, ...called } of ir.graphs ?? []) {
    assertTools(called, scopeIn(source?.file));
  }
}

const NO_RUN = runTools(noRun, noRun);

/** Those that look at the state come with each attempt. */
function ofScope(tools: Ir["nodes"][number]["tools"]): typeof tools {
  return tools.filter((name) => !isStateTool(name));
}

/** Every tool and function that the graph names must be there before it starts. */
function assertTools(ir: Ir, scope: Scope): void {
  for (const node of ir.nodes) {
    const { tools, call, kind } = node;
    // The tools of an operator are its controller's.
    if (kind === "operator") assertController(node, scope);
    else if (tools.length > 0)
      assertEffects(node, resolveTools(ofScope(tools), withRunTools(scope, NO_RUN)));
    const shown = contextFunction(node);
    if (shown !== undefined) assertFunction(shown, scope);
    if ((kind === "run" || kind === "reduce") && call !== undefined)
      assertFunction(call.callee, scope);
    if (kind === "tool" && call !== undefined)
      assertEffects(node, resolveTools([call.callee], scope));
  }
  assertLabels(ir, scope);
  const missing = missingName(neededNames(ir), scope);
  if (missing !== undefined)
    throw new RunError(missing.code, missing.message, { hint: missing.hint });
}
