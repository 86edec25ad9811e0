/** Writes a conversation as a text for people and prompts. */
import type { ConversationMessage } from "./message.ts";

/** One paragraph a message: `user: Hello`, `search: (calls dictionary.find {"word":"viol"})`, `dictionary.find: a string instrument`. */
export function transcriptOf(messages: readonly ConversationMessage[]): string {
  const tools = toolNames(messages);
  return messages
    .map((message) => `${speakerOf(message, tools)}: ${spokenText(message)}`)
    .join("\n");
}

/** The tool of each call, by the id of the call. */
export function toolNames(messages: readonly ConversationMessage[]): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, tool }) => [id, tool] as const)),
  );
}

/** The name of who says a message; of a result the tool. */
export function speakerOf(
  { role, name, toolCallId }: ConversationMessage,
  tools: ReadonlyMap<string, string> = new Map(),
): string {
  return name ?? (role === "tool" ? (tools.get(toolCallId ?? "") ?? role) : role);
}

/** All that a message says, its files and calls of tools in brackets. */
export function spokenText({
  content,
  parts = [],
  toolCalls = [],
  isError = false,
}: ConversationMessage): string {
  const files = parts.flatMap((part) =>
    part.type === "file" ? [`(${part.name ?? "a file"}, ${part.mediaType})`] : [],
  );
  const calls = toolCalls.map(({ tool, input }) => `(calls ${tool} ${JSON.stringify(input)})`);
  const text = isError && !content.startsWith("Error") ? `Error: ${content}` : content;
  return [...(text === "" ? [] : [text]), ...files, ...calls].join(" ");
}
