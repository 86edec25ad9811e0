/** Defines the messages of a conversation: the values of fields of the type `Messages`. */

export const MESSAGE_ROLES = ["system", "user", "assistant", "tool"] as const;

export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** One message; the language knows it as `Message`. */
export interface ConversationMessage {
  /** Known within its conversation: another message with the same id replaces it. Given by the engine where nobody says one. */
  readonly id?: string;
  readonly role: MessageRole;
  /** The name of who says it: an agent, a person. */
  readonly name?: string;
  /** All that it says as one text. */
  readonly content: string;
  /** Its texts and files in their order; present only where it has files. */
  readonly parts?: readonly MessagePart[];
  /** The calls that an assistant asks for. */
  readonly toolCalls?: readonly MessageToolCall[];
  /** Of a tool's result: the call that it answers. */
  readonly toolCallId?: string;
  /** Of a tool's result: the call failed, and `content` says why. */
  readonly isError?: boolean;
}

/** A file is an artifact of the run, by its `hash`, or stands at a `url`, which may hold its bytes (`data:`). */
export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file";
      readonly mediaType: string;
      readonly hash?: string;
      readonly url?: string;
      readonly name?: string;
    };

export interface MessageToolCall {
  /** As the provider of the model gave it. */
  readonly id: string;
  /** The tool as the program names it: `dictionary.find`. */
  readonly tool: string;
  readonly input: unknown;
}

/** Removes one message of a conversation by its id, or all of them. */
export interface MessageRemoval {
  readonly remove: string;
}

/** The removal of all messages. */
export const REMOVE_ALL = "all";

/** A part of a write to a conversation. */
export type MessageWrite = ConversationMessage | MessageRemoval;

export function isRemoval(write: MessageWrite): write is MessageRemoval {
  return "remove" in write;
}

const MEMBERS = ["id", "role", "name", "content", "parts", "toolCalls", "toolCallId", "isError"];

/** Returns whether a value is a conversation in our form: a list of messages with no other members. */
export function isConversation(value: unknown): value is readonly ConversationMessage[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

function isMessage(one: unknown): boolean {
  if (typeof one !== "object" || one === null) return false;
  const { role, content } = one as Partial<ConversationMessage>;
  const isRole = MESSAGE_ROLES.some((known) => known === role);
  return (
    isRole && typeof content === "string" && Object.keys(one).every((key) => MEMBERS.includes(key))
  );
}
