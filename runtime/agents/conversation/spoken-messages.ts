/** Turns what was said in an attempt of an agent into messages of a conversation. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ConversationMessage, MessagePart } from "../../messages/message.ts";
import { joinTexts } from "../../messages/message-content.ts";
import { readMessages } from "../../messages/read-messages.ts";
import type { Attempt } from "../../performer.ts";

export interface SpokenIn {
  readonly attempt: Attempt;
  readonly tools: readonly { readonly name: string; readonly modelName: string }[];
  /** The tools by which it hands over. */
  readonly handoffs: readonly { readonly modelName: string }[];
  /** The texts of people that it has heard meanwhile. */
  readonly steering: ReadonlySet<string>;
}

/**
 * The prompt, the calls of tools with their results, what people said meanwhile, and the answer. What was only said to put an
 * answer right, what other nodes sent, and the handing over are no part of it.
 */
export function spokenMessages(
  messages: readonly LanguageModelV4Message[],
  answer: string | undefined,
  of: SpokenIn,
): readonly ConversationMessage[] {
  const names = new Map(of.tools.map(({ modelName, name }) => [modelName, name]));
  const ended: ConversationMessage[] =
    answer === undefined || answer === "" ? [] : [{ role: "assistant", content: answer }];
  const kept = messages.filter((message) => isPartOfIt(message, of));
  const spoken = readMessages(kept).flatMap((message) => withoutHandoff(message, of));
  return [...promptTurn(of.attempt), ...spoken, ...ended].map((message) =>
    withNames(message, of.attempt.node.name, names),
  );
}

function isPartOfIt(message: LanguageModelV4Message, { steering }: SpokenIn): boolean {
  switch (message.role) {
    case "system":
      return false;
    case "tool":
      return true;
    case "assistant":
      return message.content.some(({ type }) => type === "tool-call");
    case "user":
      return message.content.some((part) => part.type === "text" && steering.has(part.text));
  }
}

/** The prompt with the pictures that it names; nothing of a node that has none. */
function promptTurn({ node, prompt, media = [] }: Attempt): readonly ConversationMessage[] {
  if (node.prompt === undefined || prompt === undefined) return [];
  if (media.length === 0) return [{ role: "user", content: prompt }];
  const files = media.map(
    ({ name, mime, hash }): MessagePart => ({ type: "file", mediaType: mime, hash, name }),
  );
  const parts: readonly MessagePart[] = [{ type: "text", text: prompt }, ...files];
  return [{ role: "user", content: joinTexts(parts), parts }];
}

function withoutHandoff(
  message: ConversationMessage,
  { handoffs }: SpokenIn,
): readonly ConversationMessage[] {
  const { toolCalls, ...rest } = message;
  const calls = toolCalls?.filter(
    ({ tool }) => !handoffs.some(({ modelName }) => modelName === tool),
  );
  if (calls === undefined || calls.length === toolCalls?.length) return [message];
  if (calls.length > 0) return [{ ...rest, toolCalls: calls }];
  return rest.content === "" ? [] : [rest];
}

/** An answer has the name of its agent, and a call that of the tool in the program. */
function withNames(
  message: ConversationMessage,
  agent: string,
  names: ReadonlyMap<string, string>,
): ConversationMessage {
  if (message.role !== "assistant") return message;
  const { toolCalls } = message;
  const calls = toolCalls?.map((call) => ({ ...call, tool: names.get(call.tool) ?? call.tool }));
  return { ...message, name: agent, ...(calls === undefined ? {} : { toolCalls: calls }) };
}
