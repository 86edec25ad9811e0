/** Checks, before a run starts, that everything its graph names exists: models, functions, tools, controllers. */
import { type Ir, isGraphTool } from "../../dsl/index.ts";
import { noRun, runTools, withRunTools } from "../agents/built-in-tools/run-tools.ts";
import { isStateTool } from "../agents/built-in-tools/state-tools.ts";
import { missingName } from "../agents/functions/call-function.ts";
import { assertFunction } from "../agents/functions/function.ts";
import { declaredNames, declaredServer, settingIn } from "../agents/mcp/mcp-servers.ts";
import { assertController } from "../agents/operator/find-controller.ts";
import { assertLabels } from "../agents/scope/labels.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { assertEffects, resolveCalledTool, resolveTools } from "../agents/scope/tools.ts";
import { RunError } from "../failure.ts";
import { shortRunId } from "../run-names.ts";
import { contextFunction } from "../scheduler/attempts/attempt-view.ts";
import { neededNames } from "../scheduler/expressions/calls.ts";
import type { RunMeta } from "../store/run-store.ts";
import { assertKeptAlike } from "../threads/assert-kept.ts";

/** Throws where a tool, a function or a controller that the graph or one that it calls names is missing in its scope. */
export function assertAllTools(ir: Ir, scopeIn: (file: string | undefined) => Scope): void {
  assertKeptAlike(ir);
  assertTools(ir, scopeIn(ir.source?.file));
  for (const { source = ir.source, ...called } of ir.graphs ?? []) {
    assertTools(called, scopeIn(source?.file));
  }
}

const MISSING: readonly string[] = ["M8201", "M8303"];

/** Makes the error of a stored run whose TypeScript is missing here: it may be in a cell, or in the program that compiled it. */
export function assertToolsHere({ runId }: Pick<RunMeta, "runId">, assert: () => void): void {
  try {
    assert();
  } catch (thrown) {
    throw thrown instanceof RunError && MISSING.includes(thrown.code)
      ? notHere(thrown, runId)
      : thrown;
  }
}

function notHere(cause: RunError, runId: string): RunError {
  const hint = `${continueThereHint(runId)}; in a notebook, run the cell that declares it first`;
  return new RunError(cause.code, cause.message, { hint, runId, cause });
}

/** The hint for a process that lacks part of a run's TypeScript. */
export function continueThereHint(runId: string): string {
  return (
    `where the run was started, \`runs.open("${shortRunId(runId)}").resume()\` goes on with it; ` +
    `\`madrigal answer ${shortRunId(runId)} INTERRUPT VALUE --later\` stores an answer until then`
  );
}

const NO_RUN = runTools(noRun, noRun);

/** Tools that read the state, graphs, and tools of memories are made for each attempt, and what a server offers is known when it is asked. */
function ofScope(tools: Ir["nodes"][number]["tools"], ir: Ir): typeof tools {
  const declared = new Set(declaredNames(tools, ir));
  return tools.filter(
    (name) => !isStateTool(name) && !declared.has(name) && !isGraphTool(ir, name),
  );
}

/** Every tool and function that the graph names must be there before it starts. */
function assertTools(ir: Ir, scope: Scope): void {
  // The command of a server that a setting names is known when the server is first needed.
  for (const mcp of ir.mcps) if (settingIn(mcp) === undefined) declaredServer(mcp);
  for (const node of ir.nodes) {
    const { tools, call, kind } = node;
    // The tools of an operator are its controller's.
    if (kind === "operator") assertController(node, scope);
    else if (tools.length > 0)
      assertEffects(node, resolveTools(ofScope(tools, ir), withRunTools(scope, NO_RUN)));
    const shown = contextFunction(node);
    if (shown !== undefined) assertFunction(shown, scope);
    if ((kind === "run" || kind === "reduce") && call !== undefined)
      assertFunction(call.callee, scope);
    if (kind === "tool" && call !== undefined && declaredNames([call.callee], ir).length === 0)
      assertEffects(node, [resolveCalledTool(call.callee, scope)]);
  }
  assertLabels(ir, scope);
  const missing = missingName(neededNames(ir), scope);
  if (missing !== undefined)
    throw new RunError(missing.code, missing.message, { hint: missing.hint });
}
