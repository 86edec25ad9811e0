/** Shows a conversation: who says what, with calls of tools, their results and long texts folded. */
import { type ConversationMessage, conversations } from "../../../runtime/index.ts";
import { escapeMarkdown, escapeMarkup } from "../escape.ts";
import { counted, cut, visible, visibleLine } from "../visible.ts";
import { foldedHtml } from "./tree.ts";

/** So many messages, the newest, and so many characters of each are shown. */
const MESSAGES_MAX = 200;
const CHARACTERS_MAX = 20_000;
/** Longer texts are folded. */
const TEXT_MAX = 600;
const LINE_MAX = 200;

interface ShownMessage {
  readonly speaker: string;
  readonly role: string;
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly input: string }[];
  readonly isResult: boolean;
}

interface ShownConversation {
  readonly messages: readonly ShownMessage[];
  /** Says how many older ones are left out. */
  readonly note: string | undefined;
}

/** A list of messages; a page that unfolds without a script. */
export function conversationHtml(messages: readonly ConversationMessage[]): string {
  const shown = toShown(messages);
  const note = shown.note === undefined ? "" : `<div style="opacity:.7">${shown.note}</div>`;
  return `<div class="madrigal-conversation mathjax_ignore">${note}${shown.messages.map(messageHtml).join("")}</div>`;
}

export function conversationMarkdown(messages: readonly ConversationMessage[]): string {
  const { note, messages: shown } = toShown(messages);
  const paragraphs = shown.map(({ speaker, text, calls, isResult }) => {
    const words = [...(text === "" ? [] : [text]), ...calls.map(callText)].join("\n");
    const lines = (isResult ? cut(words, TEXT_MAX) : words).split("\n").map(escapeMarkdown);
    const written = lines.filter((line) => line.trim() !== "");
    return [`**${escapeMarkdown(speaker)}**`, ...written].join("\\\n");
  });
  return [...(note === undefined ? [] : [note]), ...paragraphs].join("\n\n");
}

/** A paragraph a message, for a terminal. */
export function conversationText(messages: readonly ConversationMessage[]): string {
  const { note, messages: shown } = toShown(messages);
  const paragraphs = shown.map(({ speaker, text, calls, isResult }) => {
    const words = [...(text === "" ? [] : [text]), ...calls.map(callText)].join("\n");
    return `${speaker}: ${isResult ? cut(words, TEXT_MAX) : words}`;
  });
  return visible([...(note === undefined ? [] : [note]), ...paragraphs].join("\n"));
}

/** A line a message, in their order: `clerk: At 9:40.` */
export function conversationLines(messages: readonly ConversationMessage[]): readonly string[] {
  const tools = conversations.toolNames(messages);
  return messages.map((message) => {
    const line = `${conversations.speakerOf(message, tools)}: ${conversations.spokenText(message)}`;
    return cut(visibleLine(line), LINE_MAX);
  });
}

function toShown(messages: readonly ConversationMessage[]): ShownConversation {
  const tools = conversations.toolNames(messages);
  const newest = messages.slice(-MESSAGES_MAX);
  const left = messages.length - newest.length;
  return {
    messages: newest.map((message) => ({
      speaker: conversations.speakerOf(message, tools),
      role: message.role,
      text: cut(conversations.spokenText({ ...message, toolCalls: [] }), CHARACTERS_MAX),
      calls: (message.toolCalls ?? []).map(({ tool, input }) => ({
        tool,
        input: cut(JSON.stringify(input, null, 2) ?? "", CHARACTERS_MAX),
      })),
      isResult: message.role === "tool",
    })),
    note: left === 0 ? undefined : `… ${counted(left, "earlier message")}`,
  };
}

function messageHtml({ speaker, role, text, calls, isResult }: ShownMessage): string {
  const by = speaker === role ? "" : ` <span style="opacity:.7">${escapeMarkup(role)}</span>`;
  const head = `<div><strong>${escapeMarkup(speaker)}</strong>${by}</div>`;
  const isLong = isResult || text.length > TEXT_MAX;
  const words = isLong
    ? foldedHtml("", text)
    : `<div style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeMarkup(text)}</div>`;
  const called = calls.map(({ tool, input }) =>
    foldedHtml(`calls <strong>${escapeMarkup(tool)}</strong> `, input),
  );
  const body = [...(text === "" ? [] : [words]), ...called].join("");
  return `<div style="margin:.5em 0">${head}<div style="margin-left:1.4em">${body}</div></div>`;
}

function callText({ tool, input }: ShownMessage["calls"][number]): string {
  return `(calls ${tool} ${cut(input.replace(/\n\s*/g, " "), TEXT_MAX)})`;
}
