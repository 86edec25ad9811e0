/** Makes the tool calls that a script says a model makes: with the policies of a run, and perhaps a scripted result. */
import type { NodeIr } from "../../dsl/index.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { createToolSet, type ResolvedTool } from "../agents/scope/tools.ts";
import { callTool, type ToolAnswer } from "../agents/tools/call-tool.ts";
import { AgentCaller } from "../agents/tools/tool-caller.ts";
import { consented } from "../agents/tools/tool-consent.ts";
import { toJson } from "../agents/values/json.ts";
import { systemClock } from "../clock.ts";
import { RunError } from "../failure.ts";
import type { Attempt, PerformerContext } from "../performer.ts";

/** A call as a script says it: with `result` or `fails` the tool itself is not called. */
export interface ToolLine {
  readonly tool: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly fails?: string;
}

/** Reads the value of a `calls` line; undefined where it is no call. */
export function callOf(value: unknown): ToolLine | undefined {
  if (typeof value !== "object" || value === null || !("tool" in value)) return undefined;
  const { tool } = value;
  return typeof tool === "string" ? { ...value, tool } : undefined;
}

/** Tells whether a node lists a tool: by its name, or by that of its group. */
export function isToolOf({ tools }: NodeIr, name: string): boolean {
  return tools.some(
    (tool) =>
      tool.join(".") === name || (tool.at(-1) === "*" && isInGroup(name, tool.slice(0, -1))),
  );
}

function isInGroup(name: string, group: readonly string[]): boolean {
  return name.startsWith(`${group.join(".")}.`);
}

export interface ToolLineOptions {
  readonly scope: Scope;
  /** The n-th call of its attempt, from 1. */
  readonly number: number;
  /** Ends the test where a tool is called that neither the scope nor the script has. */
  readonly missing: (error: RunError) => never;
}

/** A call that was made, with what its tool is called. */
export interface MadeToolCall {
  readonly answer: ToolAnswer;
  readonly tool: Pick<ResolvedTool, "name" | "modelName">;
}

/** Makes a call; a failure of the tool, or a no to the call, is an answer to the model and goes on. Throws what ends the attempt. */
export async function makeCall(
  scripted: ToolLine,
  attempt: Attempt,
  context: PerformerContext,
  options: ToolLineOptions,
): Promise<MadeToolCall | undefined> {
  const tool = toolOf(scripted, options);
  const caller = new AgentCaller(attempt);
  const call = {
    id: `call_${options.number}`,
    name: tool.modelName,
    input: toJson(scripted.input ?? {}).value,
  };
  const of = { attempt, context, isTainted: false, caller };
  const [allowed] = await consented(
    { toolCalls: [call], text: "", finish: "tool-calls" },
    [tool],
    of,
  );
  if (allowed === undefined) return undefined;
  const { denied, guard } = allowed;
  const answer = await callTool(allowed.call, [tool], {
    attempt,
    context,
    clock: systemClock,
    denied,
    guard,
    caller,
  });
  return { answer, tool };
}

/** The tool of the scope, with the scripted result in place of its own. */
function toolOf(
  { tool: name, ...scripted }: ToolLine,
  { scope, missing }: ToolLineOptions,
): ResolvedTool {
  const isScripted = "result" in scripted || scripted.fails !== undefined;
  const result = {
    call: () => {
      if (scripted.fails !== undefined) throw new Error(scripted.fails);
      return scripted.result;
    },
  };
  try {
    const [found] = createToolSet(() => scope).resolve([name.split(".")]);
    if (found !== undefined) return isScripted ? { ...found, ...result } : found;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    if (!isScripted) return { ...unknownTool(name), call: () => missing(error) };
  }
  return { ...unknownTool(name), ...result };
}

function unknownTool(name: string): Omit<ResolvedTool, "call"> {
  return {
    name,
    modelName: name.replaceAll(".", "_"),
    effect: "external",
    baseline: "maybe",
    inputSchema: { type: "object" },
    isDerived: false,
    timeoutMs: 120_000,
    parallel: false,
    readInput: async (value) => ({ value }),
  };
}
