/** Converts conversations of other tools into ours: a request's messages, an answer's text and tool calls. */
import { itemsOf, membersOf } from "../any-value.ts";
import type { Attributes, ImportedSpan } from "../span.ts";
import { asJson, attributeText } from "./foreign-facts.ts";

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** Returns the request of a model call. */
export function requestOf({ attributes }: ImportedSpan): Readonly<Record<string, unknown>> {
  const system = itemsOf(asJson(attributes["gen_ai.system_instructions"])).map(membersOf);
  const messages = [
    ...(system.length === 0 ? [] : [{ role: "system", content: textsOf(system) }]),
    ...itemsOf(asJson(attributes["gen_ai.input.messages"])).map((each) =>
      standard(membersOf(each)),
    ),
    ...indexed(attributes, "llm.input_messages."),
  ];
  const input = messages.length === 0 ? asJson(attributes["input.value"]) : undefined;
  return { messages, ...(input === undefined ? {} : { input }) };
}

/** Returns the answer of a model call. */
export function answerOf({ attributes }: ImportedSpan): Readonly<Record<string, unknown>> {
  const messages = [
    ...itemsOf(asJson(attributes["gen_ai.output.messages"])).map((each) =>
      standard(membersOf(each)),
    ),
    ...indexed(attributes, "llm.output_messages."),
  ];
  const parts = messages
    .flatMap(({ content }) =>
      typeof content === "string" ? [{ type: "text", text: content }] : itemsOf(content),
    )
    .map(membersOf);
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const toolCalls = parts.filter((part) => part.type === "tool-call");
  const finish =
    itemsOf(attributes["gen_ai.response.finish_reasons"])[0] ??
    attributeText(attributes, "llm.finish_reason");
  const output = messages.length === 0 ? asJson(attributes["output.value"]) : undefined;
  return {
    text,
    toolCalls,
    ...(finish === undefined ? {} : { finish }),
    ...(output === undefined ? {} : { output }),
  };
}

/** A message of the conventions: parts, each with its type. */
function standard({ role, parts }: Readonly<Record<string, unknown>>): Message {
  const content = itemsOf(parts).map((part) => standardPart(membersOf(part)));
  return { role: String(role ?? "user"), content };
}

function standardPart(part: Readonly<Record<string, unknown>>): object {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.content };
    case "reasoning":
      return { type: "reasoning", text: part.content };
    case "tool_call":
      return { type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.arguments };
    case "tool_call_response": {
      const value = part.response ?? part.result;
      return { type: "tool-result", toolCallId: part.id, output: { type: "json", value } };
    }
    default:
      return part;
  }
}

function textsOf(parts: readonly Readonly<Record<string, unknown>>[]): string {
  return parts.map(({ content }) => String(content ?? "")).join("\n");
}

/** OpenInference writes lists as attributes with an index: `llm.input_messages.0.message.role`. */
function indexed(attributes: Attributes, prefix: string): Message[] {
  const tree = nested(attributes, prefix);
  return listOf(tree).map((item) => openInference(membersOf(membersOf(item).message)));
}

function openInference(message: Readonly<Record<string, unknown>>): Message {
  const role = String(message.role ?? "user");
  const parts = listOf(message.contents).map((item) => {
    const { type, text, ...rest } = membersOf(membersOf(item).message_content);
    return type === "text" || text !== undefined ? { type: "text", text } : { type, ...rest };
  });
  if (typeof message.content === "string" && message.content !== "")
    parts.unshift({ type: "text", text: message.content });
  const calls = listOf(message.tool_calls).map((item) => {
    const call = membersOf(membersOf(item).tool_call);
    const { name, arguments: input } = membersOf(call.function);
    return { type: "tool-call", toolCallId: call.id, toolName: name, input: asJson(input) };
  });
  const { tool_call_id: toolCallId, name: toolName, content: value } = message;
  if (role === "tool" && typeof toolName === "string") {
    const output = { type: "text", value };
    return { role, content: [{ type: "tool-result", toolCallId, toolName, output }] };
  }
  if (parts.length === 0 && calls.length === 0) return { role, content: "" };
  return { role, content: [...parts, ...calls] };
}

type Tree = { [name: string]: unknown };

/** The limits of the depth and width of such names. */
const DEPTH_MAX = 12;

function nested(attributes: Attributes, prefix: string): Tree {
  const tree: Tree = Object.create(null);
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(prefix)) continue;
    const names = key.slice(prefix.length).split(".");
    const last = names.pop();
    if (last === undefined || names.length > DEPTH_MAX) continue;
    let at = tree;
    for (const name of names) {
      const inner = at[name];
      at = at[name] =
        typeof inner === "object" && inner !== null ? (inner as Tree) : Object.create(null);
    }
    at[last] = value;
  }
  return tree;
}

/** The items of a tree whose names are indexes, in their order. */
function listOf(tree: unknown): unknown[] {
  return Object.entries(membersOf(tree))
    .filter(([name]) => /^\d+$/.test(name))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, item]) => item);
}
