/** Shows an agent a conversation that several nodes have written, as turns that each provider takes. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import type { ConversationMessage, MessagePart, MessageToolCall } from "../../messages/message.ts";
import type { ConversationTurn } from "./history.ts";
import { keptFile } from "./kept-files.ts";

export interface ConversationViewer {
  /** The agent that sees the conversation: what it said itself has no name. */
  readonly agent: string;
  /** The tools that it may call, as the program and as models name them. */
  readonly tools: readonly { readonly name: string; readonly modelName: string }[];
  /** It calls tools. Some providers refuse calls in a conversation whose agent has none: these then stand as texts. */
  readonly callsTools: boolean;
}

/**
 * The conversation in the pieces that can be left out: a message, or calls of tools with all their results. A call without a
 * result gets one that says so, and a result without its call stands as a text, since providers refuse either.
 */
export function piecesOf(
  conversation: readonly ConversationMessage[],
  viewer: ConversationViewer,
): readonly ConversationTurn[] {
  const answers = answersIn(conversation);
  const answered = new Set([...answers.values()].flatMap((results) => [...results.values()]));
  return conversation.flatMap((message): readonly ConversationTurn[] => {
    const { role, toolCalls = [] } = message;
    if (role === "tool") {
      return answered.has(message) ? [] : [[userTurn(`[result of a tool] ${message.content}`)]];
    }
    if (role !== "assistant") return [[userTurn(markedText(message), message.parts)]];
    if (toolCalls.length === 0) return [[assistantTurn(spokenBy(message, viewer))]];
    return [calledTurn(message, toolCalls, { results: answers.get(message) ?? new Map(), viewer })];
  });
}

type Results = ReadonlyMap<string, ConversationMessage>;

/** The results of each message that calls tools. An id may come again later: a result answers the last call before it. */
function answersIn(
  conversation: readonly ConversationMessage[],
): ReadonlyMap<ConversationMessage, Results> {
  const answers = new Map<ConversationMessage, Map<string, ConversationMessage>>();
  const asking = new Map<string, ConversationMessage>();
  for (const message of conversation) {
    const { role, toolCalls = [], toolCallId = "" } = message;
    for (const { id } of toolCalls) asking.set(id, message);
    const asked = role === "tool" ? asking.get(toolCallId) : undefined;
    if (asked === undefined) continue;
    answers.set(asked, (answers.get(asked) ?? new Map()).set(toolCallId, message));
    asking.delete(toolCallId);
  }
  return answers;
}

/** Whole turns: from what a user says to before the next. */
export function turnsOfPieces(pieces: readonly ConversationTurn[]): readonly ConversationTurn[] {
  const turns: LanguageModelV4Message[][] = [];
  for (const piece of pieces) {
    if (piece[0]?.role === "user" || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(...piece);
  }
  return turns;
}

function userTurn(text: string, parts: readonly MessagePart[] = []): LanguageModelV4Message {
  const files = parts.flatMap((part) => (part.type === "file" ? [filePart(part)] : []));
  return { role: "user", content: [{ type: "text", text }, ...files] };
}

/** A system text of a conversation stands as a marked one: providers take the node's own alone, and at the beginning. */
function markedText({ role, name, content }: ConversationMessage): string {
  const mark = role === "system" ? "system" : name;
  return mark === undefined ? content : `[${mark}] ${content}`;
}

/** Puts its name before the words of another agent: most providers have no place for it. */
function spokenBy({ name, content }: ConversationMessage, { agent }: ConversationViewer): string {
  return name === undefined || name === agent || content === "" ? content : `[${name}] ${content}`;
}

function assistantTurn(text: string): LanguageModelV4Message {
  return { role: "assistant", content: [{ type: "text", text }] };
}

interface CalledIn {
  readonly results: Results;
  readonly viewer: ConversationViewer;
}

function calledTurn(
  message: ConversationMessage,
  calls: readonly MessageToolCall[],
  { results, viewer }: CalledIn,
): ConversationTurn {
  const text = spokenBy(message, viewer);
  if (!viewer.callsTools) {
    const asked = calls.map(({ tool, input }) => `[calls ${tool} ${JSON.stringify(input)}]`);
    const answers = calls.map(
      ({ id, tool }) => `[result of ${tool}] ${resultOf(id, results).content}`,
    );
    const spoken = [...(text === "" ? [] : [text]), ...asked].join("\n");
    return [assistantTurn(spoken), userTurn(answers.join("\n"))];
  }
  const texts: LanguageModelV4TextPart[] = text === "" ? [] : [{ type: "text", text }];
  const parts = calls.map(({ id, tool, input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: modelNameOf(tool, viewer),
    input,
  }));
  const answers = calls.map(({ id, tool }) => {
    const { content, isError } = resultOf(id, results);
    return {
      type: "tool-result" as const,
      toolCallId: id,
      toolName: modelNameOf(tool, viewer),
      output: {
        type: isError === true ? ("error-text" as const) : ("text" as const),
        value: content,
      },
    };
  });
  return [
    { role: "assistant", content: [...texts, ...parts] },
    { role: "tool", content: answers },
  ];
}

function resultOf(
  call: string,
  results: Results,
): Pick<ConversationMessage, "content" | "isError"> {
  return (
    results.get(call) ?? {
      content: "Error: the conversation has no result of this call",
      isError: true,
    }
  );
}

/** A tool of another agent keeps its name, in the letters that providers take. */
function modelNameOf(tool: string, { tools }: ConversationViewer): string {
  const known = tools.find(({ name }) => name === tool)?.modelName;
  return known ?? tool.replace(/[^\w-]/g, "_").slice(0, 64);
}

function filePart(part: MessagePart & { readonly type: "file" }): LanguageModelV4FilePart {
  const { mediaType, hash, url = "", name } = part;
  if (hash !== undefined) return keptFile({ name: name ?? "file", mime: mediaType, hash });
  const filename = name === undefined ? {} : { filename: name };
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  const data =
    base64 === undefined
      ? { type: "url" as const, url: new URL(url) }
      : { type: "data" as const, data: base64 };
  return { type: "file", mediaType, ...filename, data };
}
