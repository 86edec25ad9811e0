/** Writes conversations in the forms of LangChain and of the AI SDK. */
import type { ConversationMessage, MessagePart } from "./message.ts";
import { toolNames } from "./transcript.ts";

/** A message as LangChain coerces it: `HumanMessage`, `AIMessage` and so on take its members. */
export interface LangChainMessage {
  readonly type: "human" | "ai" | "system" | "tool";
  readonly id?: string;
  readonly name?: string;
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
  readonly tool_calls?: readonly {
    readonly type: "tool_call";
    readonly id: string;
    readonly name: string;
    readonly args: unknown;
  }[];
  readonly tool_call_id?: string;
  readonly status?: "success" | "error";
}

const TYPES = { user: "human", assistant: "ai", system: "system", tool: "tool" } as const;

/**
 * The messages as LangChain and LangGraph take them (`graph.invoke({ messages })`). Files stand by their addresses; one that is
 * an artifact of a run is named in the text, since only the run has its bytes.
 */
export function toLangChain(messages: readonly ConversationMessage[]): readonly LangChainMessage[] {
  const tools = toolNames(messages);
  return messages.map((message) => {
    const { id, role, name, toolCalls, toolCallId, isError } = message;
    const tool = tools.get(toolCallId ?? "");
    const named = role === "tool" && tool !== undefined ? foreignName(tool) : name;
    return {
      type: TYPES[role],
      ...(id === undefined ? {} : { id }),
      ...(named === undefined ? {} : { name: named }),
      content: contentOf(message, (url) => ({ type: "image_url", image_url: { url } })),
      ...(toolCalls === undefined
        ? {}
        : {
            tool_calls: toolCalls.map((call) => ({
              type: "tool_call" as const,
              id: call.id,
              name: foreignName(call.tool),
              args: call.input,
            })),
          }),
      ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
      ...(role === "tool"
        ? { status: isError === true ? ("error" as const) : ("success" as const) }
        : {}),
    };
  });
}

/** A `ModelMessage` of the AI SDK. */
export type AiSdkMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string | readonly Readonly<Record<string, unknown>>[];
    }
  | {
      readonly role: "assistant" | "tool";
      readonly content: string | readonly Readonly<Record<string, unknown>>[];
    };

/** The messages as `generateText({ messages })` of the AI SDK takes them, which has no place for ids and names. */
export function toAiSdk(messages: readonly ConversationMessage[]): readonly AiSdkMessage[] {
  const tools = toolNames(messages);
  return messages.map((message) => aiSdkMessage(message, tools));
}

function aiSdkMessage(
  message: ConversationMessage,
  tools: ReadonlyMap<string, string>,
): AiSdkMessage {
  const { role, content, toolCalls = [], toolCallId = "", isError } = message;
  switch (role) {
    case "system":
      return { role, content };
    case "user": {
      const file = (url: string, { mediaType }: MessageFile) => ({
        type: "file",
        data: url,
        mediaType,
      });
      return { role, content: contentOf(message, file) };
    }
    case "assistant":
      if (toolCalls.length === 0) return { role, content };
      return {
        role,
        content: [
          ...(content === "" ? [] : [{ type: "text", text: content }]),
          ...toolCalls.map(({ id, tool, input }) => ({
            type: "tool-call",
            toolCallId: id,
            toolName: foreignName(tool),
            input,
          })),
        ],
      };
    case "tool": {
      const output = { type: isError === true ? "error-text" : "text", value: content };
      const toolName = foreignName(tools.get(toolCallId) ?? "tool");
      return { role, content: [{ type: "tool-result", toolCallId, toolName, output }] };
    }
  }
}

type MessageFile = MessagePart & { readonly type: "file" };

function contentOf(
  { content, parts }: ConversationMessage,
  fileAt: (url: string, part: MessageFile) => Readonly<Record<string, unknown>>,
): string | readonly Readonly<Record<string, unknown>>[] {
  if (parts === undefined) return content;
  return parts.map((part) => {
    if (part.type === "text") return part;
    if (part.url !== undefined) return fileAt(part.url, part);
    return { type: "text", text: `(${part.name ?? "a file"}, ${part.mediaType})` };
  });
}

/** Providers take no dots in the names of tools. */
function foreignName(tool: string): string {
  return tool.replace(/[^\w-]/g, "_").slice(0, 64);
}
