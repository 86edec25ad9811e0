/** Converts messages into the form of the GenAI conventions. A request has the messages that are new since the one before it. */
import { itemsOf, type KeyValue, membersOf, text } from "../any-value.ts";

/** What a model was asked: the system's words by themselves, as the conventions want them. */
export function inputMessages(request: unknown): KeyValue[] {
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

/** What it answered. */
export function outputMessages(answer: Readonly<Record<string, unknown>>): KeyValue[] {
  const { text: said, toolCalls, finish } = answer;
  const parts = [
    ...(typeof said === "string" && said !== "" ? [{ type: "text", content: said }] : []),
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
