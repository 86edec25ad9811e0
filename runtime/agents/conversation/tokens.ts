/** Counts the tokens of messages: by a model's tokenizer where it has one, else by an estimate. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
} from "@ai-sdk/provider";

/** Counts the tokens of a text. The same text always has the same count. */
export type CountTokens = (text: string) => number;

/**
 * Estimates the tokens of a text: two for a character of Chinese, Japanese or Korean, one for each four letters of a
 * word (two letters in other scripts than Latin), for each three digits of a number and for each other sign. Spaces
 * count nothing, long runs of them one for each sixteen.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let sign = OTHER;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Read in the loop, since most characters are ASCII and a tool's result may have millions.
    const next = code < 0x80 ? (ASCII[code] ?? OTHER) : signBeyondAscii(code);
    if (next === sign) {
      length += 1;
      continue;
    }
    tokens += tokensOfRun(sign, length);
    sign = next;
    length = 1;
  }
  return tokens + tokensOfRun(sign, length);
}

const LATIN = 0;
const SCRIPT = 1;
const DIGIT = 2;
const WIDE = 3;
const SPACE = 4;
const OTHER = 5;

/** Returns the tokens of a run of `length` signs of one kind. */
function tokensOfRun(sign: number, length: number): number {
  switch (sign) {
    case LATIN:
      return Math.ceil(length / 4);
    case SCRIPT:
      return Math.ceil(length / 2);
    case DIGIT:
      return Math.ceil(length / 3);
    case WIDE:
      return 2 * length;
    case SPACE:
      return Math.floor(length / 16);
    default:
      return length;
  }
}

function signBeyondAscii(code: number): number {
  if (code === 0xa0) return SPACE;
  if (code >= 0xc0 && code < 0x250) return LATIN;
  if (code >= 0x250 && code < 0x2000) return SCRIPT;
  return isWide(code) ? WIDE : OTHER;
}

// Characters beyond 0xffff come as two units, and each counts as one of the others.
function isWide(code: number): boolean {
  return (
    (code >= 0x2e80 && code < 0xa4d0) ||
    (code >= 0xac00 && code < 0xd7b0) ||
    (code >= 0xf900 && code < 0xfb00) ||
    (code >= 0xff00 && code < 0xffef)
  );
}

const ASCII = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return LATIN;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? SPACE : OTHER;
});

/** The tokens of what separates a message from the next one. */
const MESSAGE_TOKENS = 4;

/** The tokens of an image, a sound or a document, whose real number depends on its provider. */
export const MEDIA_TOKENS = 1_000;

/** Counts the tokens of messages. */
export function tokensOf(
  messages: readonly LanguageModelV4Message[],
  count: CountTokens = estimateTokens,
): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, count), 0);
}

/** Estimates the tokens of a call's input: its messages, its tools and the form of its answer. */
export function inputTokens({
  prompt,
  tools,
  responseFormat,
}: Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat">): number {
  return (
    tokensOf(prompt) +
    jsonTokens(tools, estimateTokens) +
    jsonTokens(responseFormat, estimateTokens)
  );
}

/** Returns whether a message has images, sounds or documents, whose tokens are estimated most coarsely. */
export function hasMedia({ content }: LanguageModelV4Message): boolean {
  if (typeof content === "string") return false;
  return content.some(
    (part) =>
      isMedia(part) ||
      (part.type === "tool-result" &&
        part.output.type === "content" &&
        part.output.value.some(isMedia)),
  );
}

function isMedia(part: { readonly type: string; readonly data?: unknown }): boolean {
  return part.type === "file" && (part as LanguageModelV4FilePart).data.type !== "text";
}

/** Counts the tokens of an object as JSON, once. */
function jsonTokens(object: object | undefined, count: CountTokens): number {
  return object === undefined ? 0 : countOnce(object, count, () => count(JSON.stringify(object)));
}

/** By counter, part and output: each message comes again with every call behind it. */
const counted = new WeakMap<CountTokens, WeakMap<object, number>>();

/** Counts what never changes once. */
function countOnce(object: object, count: CountTokens, tokens: () => number): number {
  const known = counted.get(count) ?? new WeakMap<object, number>();
  counted.set(count, known);
  const before = known.get(object);
  if (before !== undefined) return before;
  const now = tokens();
  known.set(object, now);
  return now;
}

/** Counts the tokens of one message, which never changes. */
export function messageTokens(message: LanguageModelV4Message, count: CountTokens): number {
  const { content } = message;
  if (typeof content === "string")
    return countOnce(message, count, () => MESSAGE_TOKENS + count(content));
  return content.reduce(
    (sum, part) => sum + countOnce(part, count, () => partTokens(part, count)),
    MESSAGE_TOKENS,
  );
}

/** A part of a message that is no plain text. */
export type CountedPart = Exclude<LanguageModelV4Message["content"], string>[number];

function partTokens(part: CountedPart, count: CountTokens): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return count(part.text);
    case "file":
      return fileTokens(part.data, count);
    case "tool-call":
      return count(part.toolName) + count(JSON.stringify(part.input) ?? "");
    case "tool-result":
      return count(part.toolName) + outputTokens(part.output, count);
    default:
      return count(JSON.stringify(part));
  }
}

function fileTokens(data: LanguageModelV4FilePart["data"], count: CountTokens): number {
  return data.type === "text" ? count(data.text) : MEDIA_TOKENS;
}

type ReturnedOutput = Extract<CountedPart, { readonly type: "tool-result" }>["output"];

/** Counts the tokens of what a tool returned. */
export function outputTokens(output: ReturnedOutput, count: CountTokens): number {
  return countOnce(output, count, () => outputTokensOf(output, count));
}

function outputTokensOf(output: ReturnedOutput, count: CountTokens): number {
  switch (output.type) {
    case "text":
    case "error-text":
      return count(output.value);
    case "content":
      return output.value.reduce((sum, part) => {
        if (part.type === "text") return sum + count(part.text);
        return part.type === "file" ? sum + fileTokens(part.data, count) : sum + MEDIA_TOKENS;
      }, 0);
    case "json":
    case "error-json":
      return count(JSON.stringify(output.value));
    case "execution-denied":
      return count(output.reason ?? "");
  }
}
