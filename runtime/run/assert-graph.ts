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

/** Throws where a tool, a function or a controller that the graph or one that it calls names is missing in its scope. */
export function assertAllTools(ir: Ir, scopeIn: (file: string | undefined) => Scope): void {
  assertTools(ir, scopeIn(ir.source?.file));
  for (const { source = ir.source, ...called } of ir.graphs ?? []) {
    assertOwnFields(ir, called);
    assertTools(called, scopeIn(source?.file));
  }
}

/** What outlives a run is kept for the run's own graph so far: a called one would lose it without a word. */
function assertOwnFields(ir: Ir, { name, fields }: Ir): void {
  const kept = fields.find(({ scope }) => scope === "thread" || scope === "user");
  if (kept === undefined) return;
  throw new RunError(
    "M4900",
    `\`${ir.name}\` calls \`${name}\`, and \`state ${kept.scope}\` of a called graph (\`${kept.name}\`) is not built yet`,
    { hint: `keep \`${kept.name}\` in \`${ir.name}\`, and give it to \`${name}\` as a parameter` },
  );
}

const NO_RUN = runTools(noRun);

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
    else assertEffects(node, resolveTools(ofScope(tools), withRunTools(scope, NO_RUN)));
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
