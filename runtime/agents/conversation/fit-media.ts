/** Puts pictures and files of a conversation where a model takes them, or leaves them out with a note. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelCapabilities, ModelHandle } from "../models/model-handle.ts";

type Takes = Pick<ModelCapabilities, "images" | "toolResultImages" | "files">;

/** The form that most providers take, for a model whose abilities are not known. `rules` reads texts alone. */
const USUAL: Takes = { images: true, toolResultImages: false, files: true };
const TEXT_ALONE: Takes = { images: false, toolResultImages: false, files: false };

type ToolMessage = Extract<LanguageModelV4Message, { readonly role: "tool" }>;
type ToolResultPart = Extract<ToolMessage["content"][number], { readonly type: "tool-result" }>;
type ContentPart = Extract<ToolResultPart["output"], { readonly type: "content" }>["value"][number];
type ResultFile = Extract<ContentPart, { readonly type: "file" }>;

/**
 * The conversation as a model takes it: pictures in results of tools stay there, or follow in a message of the user; what the
 * model does not take is left out, there and in messages of users, with a note in its place. Nothing is made smaller: that
 * would need a library for pictures.
 */
export function fitMedia(
  prompt: LanguageModelV4Prompt,
  handle: ModelHandle,
): LanguageModelV4Prompt {
  if (!prompt.some((message) => hasMedia(message) || isUserWithFiles(message))) return prompt;
  const takes = handle.capabilities ?? (handle.source === "rules" ? TEXT_ALONE : USUAL);
  return prompt.flatMap((message) => {
    if (hasMedia(message)) return fitted(message, takes);
    return [isUserWithFiles(message) ? withoutUntaken(message, takes) : message];
  });
}

type MessageWithFiles = Extract<LanguageModelV4Message, { readonly role: "user" }>;

function isUserWithFiles(message: LanguageModelV4Message): message is MessageWithFiles {
  return message.role === "user" && message.content.some(({ type }) => type === "file");
}

function withoutUntaken(message: MessageWithFiles, takes: Takes): MessageWithFiles {
  const content = message.content.map((part) => {
    if (part.type !== "file" || isTaken(part, takes)) return part;
    const { filename, mediaType } = part;
    const name = filename === undefined ? mediaType : `${filename}, ${mediaType},`;
    return { type: "text", text: `[${name} left out: this model takes no such files]` } as const;
  });
  return { ...message, content };
}

function isTaken({ mediaType }: Pick<ResultFile, "mediaType">, takes: Takes): boolean {
  return mediaType.startsWith("image") ? takes.images : takes.files;
}

function hasMedia(message: LanguageModelV4Message): message is ToolMessage {
  return message.role === "tool" && message.content.some((part) => filesOf(part).length > 0);
}

function filesOf(part: ToolMessage["content"][number]): readonly ResultFile[] {
  if (part.type !== "tool-result" || part.output.type !== "content") return [];
  return part.output.value.filter((one): one is ResultFile => one.type === "file");
}

function fitted(message: ToolMessage, takes: Takes): LanguageModelV4Message[] {
  const moved: ResultFile[] = [];
  const content = message.content.map((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    const value = part.output.value.map((one): ContentPart => {
      if (one.type !== "file") return one;
      if (one.mediaType.startsWith("image") && takes.toolResultImages) return one;
      if (isTaken(one, takes)) {
        moved.push(one);
        return noteOf(`${one.mediaType} number ${moved.length} of the message that follows`);
      }
      return noteOf(`${one.mediaType} left out: this model takes no such files`);
    });
    return { ...part, output: { type: "content" as const, value } };
  });
  // Providers that take no pictures in results take a plain text there.
  const results = { ...message, content: takes.toolResultImages ? content : content.map(asText) };
  if (moved.length === 0) return [results];
  const files = moved.map(({ data, mediaType }) => ({ type: "file" as const, data, mediaType }));
  const text = { type: "text" as const, text: "What the tools returned beside their texts:" };
  return [results, { role: "user", content: [text, ...files] }];
}

function noteOf(text: string): ContentPart {
  return { type: "text", text: `[${text}]` };
}

function asText(part: ToolMessage["content"][number]): ToolMessage["content"][number] {
  if (part.type !== "tool-result" || part.output.type !== "content") return part;
  const texts = part.output.value.map((one) => (one.type === "text" ? one.text : ""));
  return { ...part, output: { type: "text", value: texts.join("\n") } };
}
