/** Reads what a message says, asks tools for and answers, from the parts that other programs write it in. */
import type { ConversationMessage, MessagePart, MessageToolCall } from "./message.ts";

/** A message as another program has it. */
export type ForeignMessage = Readonly<Record<string, unknown>>;

export type SpokenResult = Pick<ConversationMessage, "content" | "toolCallId" | "isError">;

export interface MessageContent {
  /** Undefined where there is no content that can be read. */
  readonly text: string | undefined;
  /** Only where there are files. */
  readonly parts: readonly MessagePart[] | undefined;
  readonly calls: readonly MessageToolCall[];
  /** The results of tools among its parts. */
  readonly results: readonly SpokenResult[];
}

/** A member that is a text, and not an empty one. */
export function memberText(message: ForeignMessage, name: string): string | undefined {
  const value = message[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads the content of a message and its calls of tools. Reasoning, and what only one provider knows, is left out. */
export function contentOf(message: ForeignMessage): MessageContent {
  const { content, parts: own } = message;
  const listed = toolCallsOf(message);
  if (typeof content === "string") {
    const files = Array.isArray(own) ? partsIn(own) : [];
    const parts = files.some(({ type }) => type === "file") ? files : undefined;
    return { text: content, parts, calls: listed, results: [] };
  }
  if (!Array.isArray(content)) {
    // A call of tools has no content in OpenAI's form.
    const isCall = (content === null || content === undefined) && listed.length > 0;
    return { text: isCall ? "" : undefined, parts: undefined, calls: listed, results: [] };
  }
  const parts = partsIn(content);
  const calls = listed.length > 0 ? listed : content.flatMap(callIn);
  return {
    text: joinTexts(parts),
    parts: parts.some(({ type }) => type === "file") ? parts : undefined,
    calls,
    results: content.flatMap(resultIn),
  };
}

/** The texts among parts, a line each. */
export function joinTexts(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function partsIn(content: readonly unknown[]): readonly MessagePart[] {
  return content.flatMap((one): readonly MessagePart[] => {
    if (typeof one === "string") return [{ type: "text", text: one }];
    if (!isForeign(one)) return [];
    const text = one.type === "text" || one.type === "output_text" || one.type === "input_text";
    if (text) return typeof one.text === "string" ? [{ type: "text", text: one.text }] : [];
    if (typeof one.refusal === "string") return [{ type: "text", text: one.refusal }];
    const file = fileIn(one);
    return file === undefined ? [] : [file];
  });
}

/** A picture or a file: by its hash, its address, or its bytes as base64. */
export function fileIn(part: ForeignMessage): MessagePart | undefined {
  const { type, hash } = part;
  if (type !== "file" && type !== "image" && type !== "image_url" && type !== "audio")
    return undefined;
  const source = isForeign(part.source) ? part.source : part;
  const mediaType =
    memberText(part, "mediaType") ??
    memberText(source, "media_type") ??
    memberText(part, "mimeType") ??
    memberText(part, "mime_type");
  const name = memberText(part, "filename") ?? memberText(part, "name");
  const named = name === undefined ? {} : { name };
  if (typeof hash === "string")
    return { type: "file", mediaType: mediaType ?? "application/octet-stream", hash, ...named };
  const url = addressIn(part, source, mediaType ?? mediaTypeOf(type));
  if (url === undefined) return undefined;
  const known = /^data:([^;,]+)/.exec(url)?.[1];
  return { type: "file", mediaType: mediaType ?? known ?? mediaTypeOf(type), url, ...named };
}

/** The type of a picture whose exact type nobody says. */
function mediaTypeOf(type: unknown): string {
  if (type === "file") return "application/octet-stream";
  return type === "audio" ? "audio/*" : "image/*";
}

function addressIn(
  part: ForeignMessage,
  source: ForeignMessage,
  mediaType: string,
): string | undefined {
  const { image_url: image, file } = part;
  if (typeof image === "string") return image;
  if (isForeign(image) && typeof image.url === "string") return image.url;
  if (isForeign(file) && typeof file.file_data === "string") return file.file_data;
  const url = source.url ?? part.url;
  if (typeof url === "string") return url;
  if (url instanceof URL) return url.href;
  const data = source.data ?? part.data ?? part.image;
  if (data instanceof URL) return data.href;
  if (data instanceof Uint8Array)
    return `data:${mediaType};base64,${Buffer.from(data).toString("base64")}`;
  if (typeof data !== "string") return undefined;
  return /^(data:|https?:)/.test(data) ? data : `data:${mediaType};base64,${data}`;
}

// ── tools ───────────────────────────────────────────────────────────────────────────────────────

/** The calls beside the content: ours, LangChain's and OpenAI's. */
function toolCallsOf(message: ForeignMessage): readonly MessageToolCall[] {
  const {
    toolCalls,
    tool_calls: calls,
    invalid_tool_calls: invalid,
    additional_kwargs: more,
  } = message;
  const own = [toolCalls, calls, invalid].flatMap((list) => (Array.isArray(list) ? list : []));
  const inside = isForeign(more) && Array.isArray(more.tool_calls) ? more.tool_calls : [];
  return (own.length > 0 ? own : inside).flatMap(toCall);
}

function toCall(call: unknown, index: number): readonly MessageToolCall[] {
  if (!isForeign(call)) return [];
  const { function: named } = call;
  const of = isForeign(named) ? named : call;
  const tool = memberText(of, "tool") ?? memberText(of, "name") ?? memberText(of, "toolName");
  if (tool === undefined) return [];
  const id = memberText(call, "id") ?? memberText(call, "toolCallId") ?? `call-${index + 1}`;
  const input = of.input ?? of.args ?? of.arguments ?? {};
  return [{ id, tool, input: parsed(input) }];
}

/** OpenAI gives arguments as JSON; what is none stays a text. */
function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function callIn(part: unknown, index: number): readonly MessageToolCall[] {
  if (!isForeign(part)) return [];
  const { type } = part;
  return type === "tool-call" || type === "tool_use" || type === "tool_call"
    ? toCall(part, index)
    : [];
}

function resultIn(part: unknown): readonly SpokenResult[] {
  if (!isForeign(part) || (part.type !== "tool-result" && part.type !== "tool_result")) return [];
  const id = memberText(part, "toolCallId") ?? memberText(part, "tool_use_id");
  if (id === undefined) return [];
  const output = part.output ?? part.content ?? part.result;
  const isError =
    part.is_error === true ||
    part.isError === true ||
    (isForeign(output) && /^error/.test(String(output.type)));
  return [{ content: resultText(output), toolCallId: id, ...(isError ? { isError } : {}) }];
}

/** The result of a tool as a text: the AI SDK wraps it as `{ type: "json", value }`. */
export function resultText(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) {
    const parts = partsIn(output);
    if (parts.length === output.length) return joinTexts(parts);
  }
  const isWrapped =
    isForeign(output) && typeof output.type === "string" && Object.hasOwn(output, "value");
  if (isWrapped) return resultText(output.value);
  return JSON.stringify(output) ?? "";
}

export function isForeign(value: unknown): value is ForeignMessage {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
