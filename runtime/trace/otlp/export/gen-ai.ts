/** Makes the attributes that OpenTelemetry's GenAI conventions have a name for; the others are our own (`own-attributes.ts`). */
import type { EventRow } from "../../schema/tables.ts";
import { double, integer, itemsOf, type KeyValue, membersOf, text, texts } from "../any-value.ts";
import { SPAN_KIND } from "../span.ts";
import type { SpanRows } from "./span-groups.ts";

/** The attributes of a span that other tools show. */
export interface SpanFace {
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly KeyValue[];
}

/** The name, kind and standard attributes of a span; `content` says whether what was said is among them. */
export function spanFace({ begin, end }: SpanRows, content: boolean): SpanFace {
  const face = faceOf({ begin: begin ?? {}, end: end ?? {}, content });
  if (isError(end))
    face.attributes.push(text("error.type", end?.error_code ?? end?.error_class ?? "_OTHER"));
  return face;
}

/** Returns whether the row that ends a span reports an error. */
export function isError(end: EventRow | undefined): boolean {
  return (
    typeof end?.error_class === "string" || end?.status === "failed" || end?.status === "error"
  );
}

interface SpanEnds {
  readonly begin: EventRow;
  readonly end: EventRow;
  readonly content: boolean;
}

interface OwnFace extends SpanFace {
  readonly attributes: KeyValue[];
}

function faceOf(ends: SpanEnds): OwnFace {
  const { begin, end } = ends;
  const { internal, client } = SPAN_KIND;
  const name = end.name ?? begin.name ?? "";
  switch ((end.kind ?? begin.kind)?.split(".", 1)[0]) {
    case "run":
    case "graph":
      return operation("invoke_workflow", name, internal, [text("gen_ai.workflow.name", name)]);
    case "model":
      return operation("chat", modelName(end.model ?? begin.model), client, modelAttributes(ends));
    case "tool":
      return operation("execute_tool", name, internal, toolAttributes(name, ends));
    case "session":
      return operation("invoke_agent", name, client, [text("gen_ai.agent.name", name)]);
    case "function":
      return named(`function ${name}`);
    case "interrupt":
      return named(`question ${end.reason ?? begin.reason ?? ""}`);
    default:
      return named(`attempt ${end.attempt ?? begin.attempt ?? ""}`);
  }
}

/** The span around the attempts of a node run. */
export function nodeRunFace(row: EventRow): SpanFace {
  const node = row.node ?? "";
  return operation("invoke_agent", node, SPAN_KIND.internal, [
    text("gen_ai.agent.name", node),
    text("gen_ai.agent.id", row.node_run_id ?? ""),
  ]);
}

/** Of what the conventions have no more to say. */
function named(name: string): OwnFace {
  return { name: name.trim(), kind: SPAN_KIND.internal, attributes: [] };
}

function operation(name: string, of: string, kind: number, more: readonly KeyValue[]): OwnFace {
  return {
    name: `${name} ${of}`.trim(),
    kind,
    attributes: [text("gen_ai.operation.name", name), ...more],
  };
}

function modelAttributes({ begin, end, content }: SpanEnds): KeyValue[] {
  const model = end.model ?? begin.model;
  const thread_id = end.thread_id ?? begin.thread_id;
  const answer = membersOf(parsed(end.payload));
  const finish = answer.finish;
  return [
    text("gen_ai.provider.name", providerName(model ?? "")),
    text("gen_ai.request.model", modelName(model)),
    ...(thread_id ? [text("gen_ai.conversation.id", thread_id)] : []),
    ...(typeof finish === "string" ? [texts("gen_ai.response.finish_reasons", [finish])] : []),
    ...usage(end),
    ...(content ? inputMessages(parsed(begin.payload)) : []),
    ...(content && end.status === "ok" ? outputMessages(answer) : []),
  ];
}

/** `input_tokens` includes those that came from a cache, as ours does. */
function usage(row: EventRow): KeyValue[] {
  const counts = [
    ["gen_ai.usage.input_tokens", row.input_tokens],
    ["gen_ai.usage.output_tokens", row.output_tokens],
    ["gen_ai.usage.cache_read.input_tokens", row.cached_tokens],
    ["gen_ai.usage.reasoning.output_tokens", row.reasoning_tokens],
  ] as const;
  const attributes = counts.flatMap(([key, count]) =>
    typeof count === "number" ? [integer(key, count)] : [],
  );
  if (typeof row.ttft_us === "number")
    attributes.push(double("gen_ai.response.time_to_first_chunk", row.ttft_us / 1e6));
  return attributes;
}

function toolAttributes(name: string, { begin, end, content }: SpanEnds): KeyValue[] {
  const attributes = [text("gen_ai.tool.name", name), text("gen_ai.tool.type", "function")];
  if (!content) return attributes;
  if (begin.payload) attributes.push(text("gen_ai.tool.call.arguments", begin.payload));
  if (end.payload && end.status === "ok")
    attributes.push(text("gen_ai.tool.call.result", end.payload));
  return attributes;
}

/** `openai/gpt-5`, or `@ai-sdk/groq/llama`: the provider, then the model. */
const MODEL_ID = /^(@[^/]+\/[^/]+|[^/]+)\/(.*)$/s;

/** `openai/gpt-5` is OpenAI's; what has no provider is made in the process. */
function providerName(model: string): string {
  const provider = MODEL_ID.exec(model)?.[1];
  if (provider === undefined) return `madrigal.${model.split(":", 1)}`;
  return provider;
}

function modelName(model: string | null | undefined): string {
  return model?.replace(MODEL_ID, "$2") ?? "";
}

/** The fields that the patches of a step changed; their names, never their values. */
export function changedKeys(patches: string | null | undefined): string[] {
  const names = itemsOf(parsed(patches)).flatMap((patch) => {
    const [field] = itemsOf(membersOf(patch).path);
    return typeof field === "string" ? [field] : [];
  });
  return [...new Set(names)];
}

function parsed(json: string | null | undefined): unknown {
  if (json === null || json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns the request to a model as messages: the system's text by itself, as the conventions want it. */
function inputMessages(request: unknown): KeyValue[] {
  const messages = itemsOf(membersOf(request).messages).map(membersOf);
  const system = messages.filter(({ role }) => role === "system");
  const others = messages.filter(({ role }) => role !== "system");
  const attributes: KeyValue[] = [];
  if (system.length > 0) {
    const parts = system.flatMap(({ content }) => partsOf(content));
    attributes.push(text("gen_ai.system_instructions", JSON.stringify(parts)));
  }
  if (others.length > 0) {
    const input = others.map(({ role, content }) => ({ role, parts: partsOf(content) }));
    attributes.push(text("gen_ai.input.messages", JSON.stringify(input)));
  }
  return attributes;
}

/** Returns the answer of a model as messages. */
function outputMessages(answer: Readonly<Record<string, unknown>>): KeyValue[] {
  const { text: content, toolCalls, finish } = answer;
  const parts = [
    ...(typeof content === "string" && content !== "" ? [{ type: "text", content: content }] : []),
    ...itemsOf(toolCalls).map((call) => toolCall(membersOf(call))),
  ];
  if (parts.length === 0) return [];
  const messages = [{ role: "assistant", parts, finish_reason: finish ?? "stop" }];
  return [text("gen_ai.output.messages", JSON.stringify(messages))];
}

function partsOf(content: unknown): object[] {
  if (typeof content === "string") return [{ type: "text", content }];
  return itemsOf(content).map((part) => partOf(membersOf(part)));
}

function partOf(part: Readonly<Record<string, unknown>>): object {
  switch (part.type) {
    case "text":
      return { type: "text", content: part.text };
    case "reasoning":
      return { type: "reasoning", content: part.text };
    case "tool-call":
      return toolCall(part);
    case "tool-result": {
      const output = membersOf(part.output);
      const response = "value" in output ? output.value : part.output;
      return { type: "tool_call_response", id: part.toolCallId ?? null, response };
    }
    default:
      return part;
  }
}

function toolCall(call: Readonly<Record<string, unknown>>): object {
  const id = call.toolCallId ?? call.id ?? null;
  const name = call.toolName ?? call.name ?? "";
  return { type: "tool_call", id, name, arguments: call.input ?? call.args };
}
