/** Performs `tool` nodes: one call of a tool that no model asked for, journalled as an effect like those that one does. */
import type { NodeIr } from "../../../dsl/index.ts";
import type { Made } from "../../artifact.ts";
import { type SleepClock, systemClock } from "../../clock.ts";
import { FailureError, RunError } from "../../failure.ts";
import type { Attempt, Performer, PerformerContext } from "../../performer.ts";
import type { GuardFacts } from "../../records/call-records.ts";
import { noUsage } from "../../usage.ts";
import { assertJson, readResult } from "../functions/function-result.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import type { MemoryTools } from "../memory/memory-tools.ts";
import { layeredScope } from "../scope/layered-scope.ts";
import { lookUp, type Scope, type ScopeEntry } from "../scope/scope.ts";
import { assertEffects, isTool, type ResolvedTool, resolveCalledTool } from "../scope/tools.ts";
import type { Json } from "../values/json.ts";
import type { KeepArtifact } from "../values/make-artifact.ts";
import { madeWith, seenCall, withinTime } from "./call-tool.ts";
import { decideOn, outcomeOf } from "./tool-consent.ts";

export interface ToolNodeOptions {
  readonly keep?: KeepArtifact;
  /** Looked at anew at each attempt. */
  readonly scope: () => Scope;
  readonly servers?: Pick<McpServers, "toolsOf">;
  /** The tools of the memories that a node names. */
  readonly memories?: MemoryTools;
  readonly clock?: SleepClock;
}

export function createToolPerformer({
  scope: ownScope,
  servers,
  memories,
  keep,
  clock = systemClock,
}: ToolNodeOptions): Performer {
  return {
    perform: async (attempt, context) => {
      const served = await servers?.toolsOf(attempt, context);
      const scope = layeredScope(ownScope(), { ...served?.scope, ...memories?.(attempt) });
      const tool = { ...toolOf(attempt.node, scope), ...(keep === undefined ? {} : { keep }) };
      const request = inputOf(attempt, tool, scope);
      const { given, guard, denied } = await consentTo(attempt, context, { tool, request });
      if (denied === undefined) await tool.prepare?.(given, (one) => context.effect(one));
      const value = await context.effect<Json>({
        effect: "tool",
        name: tool.name,
        request: given,
        guard,
        // A call that is not made can't be in doubt.
        external: tool.effect === "external" && denied === undefined,
        ...(tool.repeats === undefined ? {} : { repeats: tool.repeats }),
        ...(tool.asks === undefined ? {} : { asks: tool.asks }),
        ...(denied === undefined ? { seen: seenCall(tool, given) } : {}),
        perform: async (cancellation, { args = given }, identity) => {
          if (denied !== undefined) throw deniedCall(attempt, tool, denied);
          const input = await read(tool, args);
          const made: Made[] = [];
          const { ask, progress } = context;
          const json = { read: readJson(tool.name), made };
          const surroundings = { attempt, cancellation, identity, clock, ask, progress, ...json };
          return {
            value: await withinTime(tool, input, surroundings),
            usage: { ...noUsage, toolCalls: 1 },
            ...madeWith(made),
          };
        },
      });
      return readResult(value, tool.name, attempt);
    },
  };
}

interface ConsentedCall {
  readonly given: unknown;
  readonly guard?: GuardFacts;
  readonly denied?: string;
}

/** Has the call decided on like one that a model asks for. */
async function consentTo(
  attempt: Attempt,
  context: PerformerContext,
  { tool, request }: { readonly tool: ResolvedTool; readonly request: unknown },
): Promise<ConsentedCall> {
  const decided = await decideOn(attempt, tool, request, { explanation: "", isTainted: true });
  if (decided === undefined) return { given: request };
  const { question } = decided;
  const answer = question === undefined ? undefined : await context.consult(question);
  const call = { id: "", name: tool.modelName, input: request as Json };
  const { call: made, denied, guard } = outcomeOf(call, decided, answer);
  return {
    given: made.input,
    ...(guard === undefined ? {} : { guard }),
    ...(denied === undefined ? {} : { denied }),
  };
}

function deniedCall({ node }: Attempt, { name }: ResolvedTool, denied: string): FailureError {
  return new FailureError({
    class: "denied",
    code: "M8311",
    message: `\`${node.name}\` may not call \`${name}\`: ${denied}`,
    hint: "an arrow `on deny` says where a run goes on when a call is denied",
  });
}

function toolOf(node: NodeIr, scope: Scope): ResolvedTool {
  const callee = node.call?.callee ?? [node.name];
  try {
    const tool = resolveCalledTool(callee, scope);
    assertEffects(node, [tool]);
    return withArguments(tool, lookUp(callee, scope));
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    const { code, message, hint } = thrown;
    const why = hint === undefined ? {} : { hint };
    throw new FailureError({ class: "tool", code, message, ...why }, { cause: thrown });
  }
}

/** A function that nobody declared as a tool takes its arguments in their order. */
function withArguments(tool: ResolvedTool, found: ScopeEntry | undefined): ResolvedTool {
  const { value, owner } = found ?? {};
  if (typeof value !== "function" || isTool(value)) return tool;
  return {
    ...tool,
    call: (args, context) => Reflect.apply(value, owner, [...(args as unknown[]), context]),
  };
}

/**
 * A tool takes one object: the argument without a label, or the labelled ones as its members. Where its function takes
 * several arguments, those without labels are given in their order.
 */
function inputOf({ node, callArgs = [] }: Attempt, tool: ResolvedTool, scope: Scope): unknown {
  const { name, parameters } = tool;
  if (!isTool(lookUp(name.split("."), scope)?.value)) return callArgs;
  const args = node.call?.args ?? [];
  if (args.every(({ label }) => label === undefined)) {
    if (parameters === undefined) return callArgs[0] ?? {};
    return Object.fromEntries(callArgs.map((value, at) => [parameters[at] ?? `${at}`, value]));
  }
  return Object.fromEntries(args.map(({ label }, at) => [label ?? `${at}`, callArgs[at] ?? null]));
}

async function read(tool: ResolvedTool, request: unknown): Promise<unknown> {
  // What a graph gives to a function is held against its types by `check`.
  if (Array.isArray(request) || tool.isDerived) return request;
  const reading = await tool.readInput(request);
  if ("value" in reading) return reading.value;
  throw new FailureError({
    class: "tool",
    code: "M8202",
    message: `the arguments of \`${tool.name}\` do not fit: ${reading.misfits.join("; ")}`,
  });
}

function readJson(name: string) {
  return (value: unknown) => assertJson(value ?? null, `what \`${name}\` returned`);
}
