/** Sets up what one attempt of an agent goes on with: its model, tools, messages and call options. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Ir, NodeIr } from "../../dsl/index.ts";
import type { SleepClock } from "../clock.ts";
import type { Attempt, PerformerContext } from "../performer.ts";
import type { Redactor } from "../redaction/redact.ts";
import { plainPieces } from "../redaction/redact-pieces.ts";
import { isStateTool, stateTools, writtenBefore } from "./built-in-tools/state-tools.ts";
import { explainsCalls } from "./conversation/context-policy.ts";
import { ContextShaper } from "./conversation/context-shaper.ts";
import { earlierMessages, firstMessages, userMessage } from "./conversation/messages.ts";
import { isStrict, type OutputPlan, outputPlan, responseFormat } from "./conversation/output.ts";
import type { RememberedTurns } from "./conversation/summarize.ts";
import { type HandoffTool, handoffTools } from "./handoff.ts";
import type { McpServers, ServedTools } from "./mcp/mcp-servers.ts";
import type { MemoryTools } from "./memory/memory-tools.ts";
import { ModelTurns } from "./models/fallback.ts";
import type { Limiter } from "./models/limiter.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import { ASKED_BY, type AskedBy } from "./models/scripted.ts";
import { graphTools } from "./scope/graph-tools.ts";
import type { Scope } from "./scope/scope.ts";
import { assertEffects, type ResolvedTool, type ToolSet } from "./scope/tools.ts";
import type { SkillPlaces } from "./skills/find-skill.ts";
import type { OfferedSkill } from "./skills/offered-skill.ts";
import { skillTools } from "./skills/skill-tools.ts";
import { explainedTool } from "./tools/explained-calls.ts";
import { AgentCaller, type OpenResources } from "./tools/tool-caller.ts";

/** Dependencies of agents on their run. */
export interface AgentOptions {
  /** The model of a node; asked at each attempt. */
  readonly model: (node: NodeIr, ir: Ir) => ModelHandle;
  readonly tools: ToolSet;
  /** The MCP servers of the run. */
  readonly servers?: Pick<McpServers, "toolsOf" | "skillServer" | "assertSameSkills">;
  /** The tools of the memories that a node names. */
  readonly memories?: MemoryTools;
  /** The folders in which the skills of a graph are looked for. */
  readonly skillPlaces?: (ir: Ir) => SkillPlaces;
  /** The model that a `context` names to summarise. */
  readonly summarizer?: (of: SummarizerOf) => ModelHandle | undefined;
  /** Returns the scope that has the function of a `context`. */
  readonly scope?: () => Scope;
  /** Shared by all runs of the process, so that all of them wait when a provider asks for it. */
  readonly limiter?: Limiter;
  readonly clock?: SleepClock;
  /** Hides secrets in what a model says while it says it. */
  readonly redactPieces?: Redactor["redactPieces"];
  /** Reads what was kept under a hash; throws M5332 where it is gone. Absent where a run is kept nowhere. */
  readonly bytesOf?: BytesOf;
  /** The things that tools of the run keep open. */
  readonly open?: OpenResources;
}

/** Returns the bytes that are kept under a hash. */
export type BytesOf = (hash: string) => Uint8Array;

/** A node, and the model that its `context` names. */
export type SummarizerOf = Pick<Attempt, "node" | "ir"> & { readonly by: string };

/** One attempt while it goes on. */
export interface Loop {
  readonly attempt: Attempt;
  readonly context: PerformerContext;
  /** The model that is asked, and the turns of it and of those behind it. */
  readonly handle: ModelHandle;
  readonly turns: ModelTurns;
  readonly tools: readonly ResolvedTool[];
  /** The agent as its tools know it. */
  readonly caller: AgentCaller;
  /** The model says with each call of a tool why it makes it. */
  readonly explains: boolean;
  /** The fields that the agent wrote by `state.write`. */
  readonly written: { fields: Readonly<Record<string, unknown>> };
  readonly handoffs: readonly HandoffTool[];
  readonly plan: OutputPlan;
  readonly limiter: Limiter;
  readonly clock: SleepClock;
  readonly shaper: ContextShaper;
  readonly redactPieces: Redactor["redactPieces"];
  readonly bytesOf: BytesOf | undefined;
  /** The options that each of its model calls sends beside the messages. */
  readonly options: ReturnType<typeof callOptions>;
  /** The earlier conversations that the model sees, behind the system's message. */
  readonly history: RememberedTurns;
  /** The texts of people that the model has heard in this node run. */
  readonly steering: Set<string>;
  /** Grows at its end and nowhere else. */
  readonly messages: LanguageModelV4Message[];
}

export function loopOf(
  attempt: Attempt,
  context: PerformerContext,
  options: AgentOptions & {
    readonly clock: SleepClock;
    readonly limiter: Limiter;
    readonly served?: ServedTools | undefined;
    readonly skills?: readonly OfferedSkill[] | undefined;
  },
): Loop {
  const { node, ir } = attempt;
  const { clock, limiter } = options;
  const written = { fields: writtenBefore(attempt) };
  const handle = options.model(node, ir);
  const turns = new ModelTurns(handle);
  const shaper = new ContextShaper({
    attempt,
    context,
    ask: { turns, clock, limiter },
    summarizer: (by) => options.summarizer?.({ node, ir, by }),
    scope: options.scope ?? noScope,
    bytesOf: options.bytesOf,
  });
  const own = toolsOf(attempt, options);
  const ours = [
    ...skillToolsOf(attempt, options),
    ...stateTools(attempt, () => written.fields),
    ...shaper.tools,
  ];
  // A provider refuses two tools of one name: that of the program is the one.
  const isFree = ({ modelName }: ResolvedTool) => own.every((one) => one.modelName !== modelName);
  const tools = [...own, ...ours.filter(isFree)];
  const names = tools.map(({ modelName }) => modelName);
  const loop = {
    attempt,
    context,
    handle,
    turns,
    tools,
    caller: new AgentCaller(attempt, options.open),
    explains: explainsCalls(attempt.context),
    written,
    handoffs: handoffTools(attempt, names),
    plan: outputPlan(node, ir.fields, attempt.choices),
    limiter,
    clock,
    shaper,
    redactPieces: options.redactPieces ?? plainPieces,
    bytesOf: options.bytesOf,
    history: { messages: [] },
    steering: new Set((attempt.session ?? []).flatMap((effect) => effect.heard ?? [])),
    messages: startingMessages(attempt, options.skills),
  };
  const sent = callOptions(loop);
  shaper.sends(sent, tools);
  return { ...loop, options: sent };
}

/**
 * The tools of its scope, of its servers and memories, and graphs; throws M4105 for one of a server, or a graph, that touches more than the
 * node may.
 */
function toolsOf(
  attempt: Attempt,
  {
    tools,
    served,
    memories,
  }: Pick<AgentOptions, "tools" | "memories"> & { readonly served?: ServedTools | undefined },
): readonly ResolvedTool[] {
  const { ir, node } = attempt;
  const own = node.tools.filter((name) => !isStateTool(name));
  const declared = { ...served?.scope, ...graphTools(ir, node), ...memories?.(attempt) };
  if (Object.keys(declared).length === 0 && served === undefined) return tools.resolve(own);
  const found = tools.resolve(served?.names(own) ?? own, declared);
  assertEffects(node, found);
  return found;
}

function skillToolsOf(
  { node, ir }: Attempt,
  {
    skills,
    skillPlaces,
    servers,
    scope = noScope,
  }: AgentOptions & { readonly skills?: readonly OfferedSkill[] | undefined },
): readonly ResolvedTool[] {
  if (skills === undefined || skillPlaces === undefined) return [];
  const server = (name: string) => servers?.skillServer(name, ir);
  const tools = skillTools(skills, { places: skillPlaces(ir), server, scope: scope() });
  assertEffects(node, tools);
  return tools;
}

// A repair goes on in the same session: the model sees what it said and what was wrong with it.
function startingMessages(
  attempt: Attempt,
  skills: readonly OfferedSkill[] | undefined,
): LanguageModelV4Message[] {
  const earlier = attempt.feedback === undefined ? [] : earlierMessages(attempt.session ?? []);
  const messages = earlier.length > 0 ? earlier : firstMessages({ ...attempt, offered: skills });
  return attempt.feedback === undefined ? messages : [...messages, userMessage(attempt.feedback)];
}

const noScope = (): Scope => ({});

/** The loop while it asks one of several models: each has settings and options of its own. */
export function askedBy(loop: Loop, handle: ModelHandle): Loop {
  if (handle === loop.handle) return loop;
  return { ...loop, handle, options: callOptions({ ...loop, handle }) };
}

// ── what its calls send beside the messages ─────────────────────────────────────────────────────

/** A tool as its model is told of it. */
export type OfferedTool = Pick<ResolvedTool, "modelName" | "description" | "inputSchema"> &
  Partial<Pick<ResolvedTool, "isDerived" | "baseline">>;

export function offeredTools({
  tools,
  explains,
  handoffs,
}: Pick<Loop, "tools" | "explains" | "handoffs">): readonly OfferedTool[] {
  const offered = explains ? tools.map(explainedTool) : tools;
  return handoffs.length === 0 ? offered : [...offered, ...handoffs];
}

function callOptions(loop: Omit<Loop, "options">) {
  const { attempt, handle, plan } = loop;
  const tools = offeredTools(loop);
  const { stopSequences, ...settings } = handle.settings ?? {};
  return {
    ...settings,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    ...responseFormat(plan, attempt.node),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool) }),
    providerOptions: providerOptions(loop),
  };
}

function functionTool(tool: OfferedTool) {
  const { modelName, description, inputSchema, isDerived = false } = tool;
  return {
    type: "function" as const,
    name: modelName,
    ...(description === undefined ? {} : { description }),
    inputSchema,
    // A schema that a person wrote may have keywords that strict modes refuse.
    ...(isDerived && isStrict(inputSchema) ? { strict: true } : {}),
  };
}

// Only a script is told who asks: `rules` gets exactly what a live model gets.
function providerOptions({ attempt, handle, plan, tools, handoffs }: Omit<Loop, "options">) {
  if (handle.source === "scripted") {
    const names = [...handoffs, ...tools].map(({ name, modelName }) => [name, modelName] as const);
    return {
      [ASKED_BY]: {
        node: attempt.node.name,
        tools: Object.fromEntries(names),
      } satisfies AskedBy,
    };
  }
  const strictJsonSchema = plan.kind === "text" || isStrict(plan.asked);
  return { openaiCompatible: { strictJsonSchema } };
}
