/** Reads a UIMessage of the AI SDK: one of its messages has the texts, calls and results of several of ours. */
import type { ConversationMessage, MessagePart, MessageRole, MessageToolCall } from "./message.ts";
import {
  type ForeignMessage,
  fileIn,
  isForeign,
  joinTexts,
  memberText,
  resultText,
} from "./message-content.ts";

interface OpenMessage {
  readonly parts: MessagePart[];
  readonly calls: MessageToolCall[];
  readonly results: ConversationMessage[];
}

/** The messages of one UIMessage; the first one has its id, others the id with a number behind it. */
export function readUiMessage(
  message: ForeignMessage,
  role: MessageRole,
): readonly ConversationMessage[] {
  const read: ConversationMessage[] = [];
  let open: OpenMessage = { parts: [], calls: [], results: [] };
  const close = () => {
    const { parts, calls, results } = open;
    if (parts.length + calls.length > 0) read.push(closed(parts, calls, role));
    read.push(...results);
    open = { parts: [], calls: [], results: [] };
  };
  for (const part of message.parts as readonly unknown[]) {
    if (!isForeign(part)) continue;
    // What is said behind the results of tools is another message.
    const isSaid = part.type === "text" || part.type === "file";
    if (part.type === "step-start" || (isSaid && open.calls.length > 0)) close();
    readPart(part, open);
  }
  close();
  const id = memberText(message, "id");
  if (id === undefined) return read;
  return read.map((one, index) => ({ id: index === 0 ? id : `${id}.${index}`, ...one }));
}

function closed(
  parts: readonly MessagePart[],
  toolCalls: readonly MessageToolCall[],
  role: MessageRole,
): ConversationMessage {
  const hasFiles = parts.some(({ type }) => type === "file");
  return {
    role,
    content: joinTexts(parts),
    ...(hasFiles ? { parts } : {}),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function readPart(part: ForeignMessage, { parts, calls, results }: OpenMessage): void {
  const { type, input, output } = part;
  if (type === "text" && typeof part.text === "string") parts.push({ type, text: part.text });
  const file = type === "file" ? fileIn(part) : undefined;
  if (file !== undefined) parts.push(file);
  const tool = type === "dynamic-tool" ? memberText(part, "toolName") : toolOf(type);
  const toolCallId = memberText(part, "toolCallId");
  if (tool === undefined || toolCallId === undefined) return;
  calls.push({ id: toolCallId, tool, input: input ?? part.rawInput ?? {} });
  const failed = memberText(part, "errorText");
  if (failed !== undefined)
    results.push({ role: "tool", content: failed, toolCallId, isError: true });
  else if (output !== undefined)
    results.push({ role: "tool", content: resultText(output), toolCallId });
}

/** `tool-search` is a call of `search`. */
function toolOf(type: unknown): string | undefined {
  return typeof type === "string" && type.startsWith("tool-") ? type.slice(5) : undefined;
}
