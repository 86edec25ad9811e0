/** Shortens the parts of messages: long and repeated results of tools, and images and files before the last ones. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { shortText } from "../values/text-size.ts";
import type { ContextPolicy, OffloadPolicy } from "./context-policy.ts";
import type { PlacedMessage } from "./message-groups.ts";
import { type CountedPart, type CountTokens, outputTokens } from "./tokens.ts";

/** The name of the tool that reads what is not shown, as its model is told. */
export const READ_RESULT = "results_read";

export interface ShortenOptions {
  readonly policy: Pick<ContextPolicy, "media" | "offload" | "repeated">;
  readonly count: CountTokens;
  /** Returns the name that the program writes for a tool that its model knows under another. */
  readonly nameOf: (modelName: string) => string;
  /** Previews that were made for earlier calls. */
  readonly previews: WeakMap<object, CountedResultPart>;
}

/** The number of parts that are shown shortened, by what shortened them. */
export interface ShortenedParts {
  readonly offloaded: number;
  readonly media: number;
  readonly repeated: number;
}

/** Returns the messages with their parts as a model is to see them; a message without a change is the same object. */
export function shortenParts(
  messages: readonly PlacedMessage[],
  { policy, count, nameOf, previews }: ShortenOptions,
): { readonly messages: readonly PlacedMessage[]; readonly shortened: ShortenedParts } {
  const shortened = { offloaded: 0, media: 0, repeated: 0 };
  let shown = messages;
  if (policy.media !== undefined) {
    const hidden = mediaBefore(shown, policy.media);
    shown = changeParts(shown, (part) => (hidden.has(part) ? mediaNote(part) : part));
    shortened.media = hidden.size;
  }
  const { repeated, offload } = policy;
  if (repeated !== undefined) {
    const first = new Map<string, string>();
    shown = changeParts(shown, (part) => {
      const result = textResult(part);
      if (result === undefined || tokensIn(result, count) <= repeated) return part;
      const before = first.get(result.text);
      if (before === undefined) first.set(result.text, result.id);
      if (before === undefined || result.part.toolName === READ_RESULT) return part;
      shortened.repeated += 1;
      return withText(result.part, `[the same as the result of the call ${before}]`);
    });
  }
  if (offload !== undefined) {
    shown = changeParts(shown, (part) => {
      const result = textResult(part);
      if (result === undefined || isExempt(result.part.toolName, offload, nameOf)) return part;
      if (tokensIn(result, count) <= offload.over) return part;
      shortened.offloaded += 1;
      const preview =
        previews.get(part) ?? withText(result.part, previewOf(result, offload.preview, count));
      previews.set(part, preview);
      return preview;
    });
  }
  return { messages: shown, shortened };
}

/** The result of one tool call. */
export type CountedResultPart = Extract<CountedPart, { readonly type: "tool-result" }>;
type OutputPart = Extract<
  CountedResultPart["output"],
  { readonly type: "content" }
>["value"][number];
type AnyPart = CountedPart | OutputPart;

/** Applies a change to each part, also to those within the result of a tool. */
function changeParts(
  messages: readonly PlacedMessage[],
  change: (part: AnyPart) => AnyPart,
): readonly PlacedMessage[] {
  return messages.map((placed) => {
    const { content } = placed.message;
    if (typeof content === "string") return placed;
    const parts = content.map((part) => changedPart(part, change));
    if (parts.every((part, at) => part === content[at])) return placed;
    return { ...placed, message: { ...placed.message, content: parts } as LanguageModelV4Message };
  });
}

function changedPart(part: CountedPart, change: (part: AnyPart) => AnyPart): AnyPart {
  if (part.type !== "tool-result" || part.output.type !== "content") return change(part);
  const before: readonly AnyPart[] = part.output.value;
  const value = before.map(change);
  return value.every((one, at) => one === before[at])
    ? part
    : ({ ...part, output: { ...part.output, value } } as CountedResultPart);
}

// ── images and files ────────────────────────────────────────────────────────────────────────────

/** The images and files but the last `keep`. */
function mediaBefore(messages: readonly PlacedMessage[], keep: number): ReadonlySet<AnyPart> {
  const media: AnyPart[] = [];
  changeParts(messages, (part) => {
    if (part.type === "file" && part.data.type !== "text") media.push(part);
    return part;
  });
  return new Set(keep === 0 ? media : media.slice(0, -keep));
}

function mediaNote(part: AnyPart): AnyPart {
  const { filename, mediaType } = part as {
    readonly filename?: string;
    readonly mediaType: string;
  };
  const name = filename === undefined ? mediaType : `${filename}, ${mediaType}`;
  return { type: "text", text: `[a file stood here that is not shown any more: ${name}]` };
}

// ── results of tools ────────────────────────────────────────────────────────────────────────────

interface TextResult {
  readonly part: CountedResultPart;
  readonly id: string;
  readonly text: string;
}

function textResult(part: AnyPart): TextResult | undefined {
  if (part.type !== "tool-result") return undefined;
  const { output, toolCallId: id } = part;
  if (output.type === "text") return { part, id, text: output.value };
  return output.type === "json" ? { part, id, text: JSON.stringify(output.value) } : undefined;
}

function tokensIn({ part }: TextResult, count: CountTokens): number {
  return outputTokens(part.output, count);
}

function withText(part: CountedResultPart, value: string): CountedResultPart {
  return { ...part, output: { type: "text", value } };
}

function isExempt(
  modelName: string,
  { except }: OffloadPolicy,
  nameOf: ShortenOptions["nameOf"],
): boolean {
  if (modelName === READ_RESULT) return true;
  const name = nameOf(modelName);
  return except.some(
    (one) => one === name || (one.endsWith(".*") && name.startsWith(one.slice(0, -1))),
  );
}

/** Both ends of a text, in at most about so many tokens, and how to read the rest. */
function previewOf(result: TextResult, tokens: number, count: CountTokens): string {
  const { id, text } = result;
  let length = Math.floor((text.length * tokens) / tokensIn(result, count));
  let ends = shortText(text, Math.max(2, length));
  // Its ends may be denser than the whole.
  while (length > 2 && count(ends) > tokens + NOTE_TOKENS) {
    length = Math.floor(length * 0.8);
    ends = shortText(text, Math.max(2, length));
  }
  const read = JSON.stringify({ call: id, from: 0, length: READ_LENGTH });
  return `${ends}\n[${text.length} characters; \`${READ_RESULT}\` shows any part: ${read}]`;
}

/** The tokens of the words in the middle of a preview. */
const NOTE_TOKENS = 20;

/** The characters that the tool shows at once where nothing else is said. */
export const READ_LENGTH = 4_000;
