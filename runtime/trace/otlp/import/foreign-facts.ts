/** Reads the attributes of other tools' spans, by the names of OpenTelemetry's GenAI conventions and of OpenInference. */
import type { EventRow } from "../../schema/tables.ts";
import { itemsOf, membersOf } from "../any-value.ts";
import type { Attributes, ImportedSpan } from "../span.ts";

/** The kind of an imported span; `other` is work of an unknown kind. */
export type ForeignKind = "workflow" | "node" | "model" | "tool" | "other";

const OPERATIONS: Readonly<Record<string, ForeignKind>> = {
  chat: "model",
  generate_content: "model",
  text_completion: "model",
  embeddings: "model",
  execute_tool: "tool",
  retrieval: "tool",
  invoke_agent: "node",
  create_agent: "node",
  invoke_workflow: "workflow",
};

const SPAN_KINDS: Readonly<Record<string, ForeignKind>> = {
  LLM: "model",
  EMBEDDING: "model",
  TOOL: "tool",
  RETRIEVER: "tool",
  RERANKER: "tool",
  AGENT: "node",
};

/** By the operation, the OpenInference kind, or what it has attributes of. */
export function foreignKind({ attributes }: ImportedSpan): ForeignKind {
  const operation = OPERATIONS[attributeText(attributes, "gen_ai.operation.name") ?? ""];
  const kind =
    SPAN_KINDS[attributeText(attributes, "openinference.span.kind")?.toUpperCase() ?? ""];
  if (operation !== undefined || kind !== undefined) return operation ?? kind ?? "other";
  if (attributeText(attributes, "openinference.span.kind") !== undefined) return "other";
  if (has(attributes, "gen_ai.request.model", "llm.model_name")) return "model";
  return has(attributes, "gen_ai.tool.name", "tool.name") ? "tool" : "other";
}

/** The node of a graph that a span is: what the instrumentation says, or LangGraph's own note of it. */
export function graphNode({ name, attributes }: ImportedSpan): string | undefined {
  const named = attributeText(attributes, "graph.node.id", "graph.node.name");
  if (named !== undefined) return named;
  const noted = metadataOf(attributes).langgraph_node;
  return noted === name ? name : undefined;
}

/** Returns the name of the agent of a span. */
export function agentName({ name, attributes }: ImportedSpan): string {
  const named = attributeText(attributes, "gen_ai.agent.name", "agent.name", "graph.node.name");
  return (
    named ?? graphNode({ name, attributes } as ImportedSpan) ?? name.replace(/^invoke_agent /, "")
  );
}

/** The tool's name, or what searched. */
export function toolName({ name, attributes }: ImportedSpan): string {
  const named = attributeText(attributes, "gen_ai.tool.name", "tool.name", "gen_ai.data_source.id");
  return named ?? name.replace(/^(execute_tool|retrieval) /, "");
}

/** `PROVIDER/MODEL`, as we write models; without its provider where nobody says who that is. */
export function modelId({ name, attributes }: ImportedSpan): string {
  const model = attributeText(
    attributes,
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "llm.response.model_name",
    "llm.request.model_name",
    "embedding.model_name",
  );
  const provider = attributeText(
    attributes,
    "gen_ai.provider.name",
    "gen_ai.system",
    "llm.provider",
    "llm.system",
  );
  if (model === undefined) return provider ?? name;
  return provider === undefined || model.includes("/") ? model : `${provider}/${model}`;
}

/** The line of runs that a span belongs to. */
export function conversationOf({ attributes }: ImportedSpan): string | undefined {
  const named = attributeText(attributes, "gen_ai.conversation.id", "session.id");
  if (named !== undefined) return named;
  const { thread_id, session_id } = metadataOf(attributes);
  return [thread_id, session_id].find((id) => typeof id === "string");
}

/** Tokens and cost; what nobody counted is unknown, not 0. */
export function usageOf({ attributes }: ImportedSpan): EventRow {
  const count = (...keys: readonly string[]) => countOf(attributes, keys);
  const seconds = attributes["gen_ai.response.time_to_first_chunk"];
  const cost = attributes["llm.cost.total"];
  return {
    input_tokens: count(
      "gen_ai.usage.input_tokens",
      "llm.token_count.prompt",
      "gen_ai.usage.prompt_tokens",
    ),
    output_tokens: count(
      "gen_ai.usage.output_tokens",
      "llm.token_count.completion",
      "gen_ai.usage.completion_tokens",
    ),
    cached_tokens: count(
      "gen_ai.usage.cache_read.input_tokens",
      "llm.token_count.prompt_details.cache_read",
    ),
    reasoning_tokens: count(
      "gen_ai.usage.reasoning.output_tokens",
      "llm.token_count.completion_details.reasoning",
    ),
    cost_usd: typeof cost === "number" && Number.isFinite(cost) ? cost : null,
    ttft_us: typeof seconds === "number" ? Math.max(0, Math.round(seconds * 1e6)) : null,
  };
}

function countOf(attributes: Attributes, keys: readonly string[]): number | null {
  const count = keys.map((key) => attributes[key]).find((value) => typeof value === "number");
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Returns the input or output of a span, by any of its known names. */
export function inputOf({ attributes }: ImportedSpan): unknown {
  return asJson(attributes["input.value"] ?? attributes["gen_ai.tool.call.arguments"]);
}

export function outputOf({ attributes }: ImportedSpan): unknown {
  return asJson(attributes["output.value"] ?? attributes["gen_ai.tool.call.result"]);
}

/** OpenInference writes an object as its JSON. */
function metadataOf(attributes: Attributes): Readonly<Record<string, unknown>> {
  return membersOf(asJson(attributes.metadata));
}

/** A JSON text as its value; any other value is itself. */
export function asJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"\-\dtfn]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The first of the attributes that is a text. */
export function attributeText(
  attributes: Attributes,
  ...keys: readonly string[]
): string | undefined {
  return keys
    .map((key) => attributes[key])
    .find((value) => typeof value === "string" && value !== "") as string | undefined;
}

function has(attributes: Attributes, ...keys: readonly string[]): boolean {
  return keys.some((key) => attributes[key] !== undefined);
}

/** All attributes but those whose content stands elsewhere in the row's payload. */
export function otherAttributes({
  attributes,
  links,
}: ImportedSpan): Readonly<Record<string, unknown>> {
  const rest = Object.entries(attributes).filter(([key]) => !SAID_ELSEWHERE.test(key));
  const others = rest.length === 0 ? {} : { attributes: Object.fromEntries(rest) };
  return itemsOf(links).length === 0 ? others : { ...others, links };
}

const SAID_ELSEWHERE =
  /^(llm\.(input|output)_messages\.|(input|output)\.(value|mime_type)$|gen_ai\.((input|output)\.messages|system_instructions|tool\.call\.(arguments|result))$)/;
