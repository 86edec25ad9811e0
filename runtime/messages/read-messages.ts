/** Reads messages in the forms in which programs have them: texts, our own, OpenAI's, LangChain's, the AI SDK's, Anthropic's. */
import {
  type ConversationMessage,
  isRemoval,
  MESSAGE_ROLES,
  type MessageRole,
  type MessageWrite,
  REMOVE_ALL,
} from "./message.ts";
import { contentOf, type ForeignMessage, memberText } from "./message-content.ts";
import { readUiMessage } from "./read-ui-message.ts";

/** Thrown where a value is no message; says where and why. */
export class UnreadableMessage extends Error {}

/** The speaker of a text that stands alone. */
export interface TextSpeaker {
  readonly role: MessageRole;
  readonly name?: string;
}

/** Reads messages and removals. Throws `UnreadableMessage` with the first place that is neither. */
export function readMessageWrites(value: unknown, speaker: TextSpeaker): readonly MessageWrite[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((one, index) => {
    const path = Array.isArray(value) ? `[${index}]` : "";
    return readOne(one, speaker, path);
  });
}

/** The same without an exception: the messages, or why there is one that can't be read. */
export function tryReadMessages(
  value: unknown,
  speaker: TextSpeaker,
): { readonly writes: readonly MessageWrite[] } | { readonly why: string } {
  try {
    return { writes: readMessageWrites(value, speaker) };
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    return { why: error.message };
  }
}

/** Reads messages alone; a removal is one that can't be read. */
export function readMessages(
  value: unknown,
  speaker: TextSpeaker = { role: "user" },
): readonly ConversationMessage[] {
  return readMessageWrites(value, speaker).map((write) => {
    if (!isRemoval(write)) return write;
    throw new UnreadableMessage(
      `there is nothing here from which \`${write.remove}\` could be removed`,
    );
  });
}

function readOne(value: unknown, speaker: TextSpeaker, path: string): readonly MessageWrite[] {
  if (typeof value === "string") return [{ ...speaker, content: value }];
  if (Array.isArray(value)) return [readPair(value, path)];
  if (typeof value !== "object" || value === null)
    throw unreadable(
      path,
      `a message is a text or an object, not ${JSON.stringify(value) ?? "nothing"}`,
    );
  const message = plainForm(value as ForeignMessage);
  const { remove, type, id } = message;
  if (typeof remove === "string" && Object.keys(message).length === 1) return [{ remove }];
  if (type === "remove" && typeof id === "string")
    return [{ remove: id === "__remove_all__" ? REMOVE_ALL : id }];
  const role = roleOf(message.role ?? type);
  if (role === undefined) throw unreadable(path, whyNoRole(message));
  if (message.content === undefined && Array.isArray(message.parts))
    return readUiMessage(message, role);
  return readMessage(message, role, path);
}

/** `["human", "Hello"]` */
function readPair([word, content, ...rest]: readonly unknown[], path: string): ConversationMessage {
  const role = roleOf(word);
  if (role !== undefined && typeof content === "string" && rest.length === 0)
    return { role, content };
  throw unreadable(path, "a list within the list is a pair of a role and a text");
}

/** The members of a message of LangChain, which is an object of a class, or one that was serialized, or one that was stored. */
function plainForm(message: ForeignMessage): ForeignMessage {
  const { toJSON, lc_serializable: isOfLangChain } = message;
  const json =
    typeof toJSON === "function" && isOfLangChain !== undefined
      ? (toJSON.call(message) as ForeignMessage)
      : message;
  const { lc, id, kwargs, type, data } = json;
  if (lc !== undefined && Array.isArray(id) && typeof kwargs === "object" && kwargs !== null) {
    const word = String(id.at(-1))
      .replace(/Message(Chunk)?$/, "")
      .toLowerCase();
    return { ...(kwargs as ForeignMessage), type: word };
  }
  if (typeof type === "string" && typeof data === "object" && data !== null && !("content" in json))
    return { ...(data as ForeignMessage), type };
  return json;
}

const ROLES: Readonly<Record<string, MessageRole>> = {
  ...Object.fromEntries(MESSAGE_ROLES.map((role) => [role, role])),
  developer: "system",
  human: "user",
  ai: "assistant",
  model: "assistant",
  function: "tool",
};

function roleOf(word: unknown): MessageRole | undefined {
  return typeof word === "string" && Object.hasOwn(ROLES, word) ? ROLES[word] : undefined;
}

function whyNoRole({ role, type }: ForeignMessage): string {
  const word = role ?? type;
  const roles = MESSAGE_ROLES.map((known) => `"${known}"`).join(", ");
  return word === undefined
    ? `it has no \`role\`; the roles are ${roles}`
    : `${JSON.stringify(word)} is no role; the roles are ${roles}`;
}

function readMessage(
  message: ForeignMessage,
  role: MessageRole,
  path: string,
): readonly MessageWrite[] {
  const { text, parts, calls, results } = contentOf(message);
  if (text === undefined)
    throw unreadable(path, "its `content` is neither a text nor a list of parts");
  const named = memberText(message, "name");
  const id = memberText(message, "id");
  const isEmpty = text === "" && parts === undefined && calls.length === 0 && results.length > 0;
  const own: ConversationMessage = {
    ...(id === undefined ? {} : { id }),
    role,
    // LangChain names the tool in its result, which we know by the call.
    ...(named === undefined || role === "tool" ? {} : { name: named }),
    content: text,
    ...(parts === undefined ? {} : { parts }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(role === "tool" ? toolFacts(message, path, isEmpty) : {}),
  };
  const answers = results.map((result, index): ConversationMessage => {
    const own = id === undefined ? {} : { id: isEmpty && index === 0 ? id : `${id}.${index + 1}` };
    return { ...own, role: "tool", ...result };
  });
  return isEmpty ? answers : [...answers, own];
}

function toolFacts(message: ForeignMessage, path: string, isEmpty: boolean) {
  const toolCallId = memberText(message, "toolCallId") ?? memberText(message, "tool_call_id");
  if (toolCallId === undefined && !isEmpty)
    throw unreadable(path, "a tool's result names the call that it answers, as `toolCallId`");
  const isError = message.isError === true || message.status === "error";
  return { ...(toolCallId === undefined ? {} : { toolCallId }), ...(isError ? { isError } : {}) };
}

function unreadable(path: string, why: string): UnreadableMessage {
  return new UnreadableMessage(path === "" ? why : `at \`${path}\`: ${why}`);
}
