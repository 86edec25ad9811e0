/** Reduces the request of a model to what its answer depends on: the same request has the same key in every process. */
import { createHash } from "node:crypto";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { canonicalJson } from "../../../../dsl/index.ts";
import { mapTexts } from "../../../redaction/redact.ts";

/**
 * A request without what changes from one call to the next without changing its meaning: ids of tool calls, headers,
 * options and signed parts of a provider, the model's earlier reasoning. Bytes are named by their hash.
 */
export interface PlainRequest {
  readonly messages: readonly PlainMessage[];
  readonly tools?: readonly PlainTool[];
  /** The JSON Schema of the answer; `true` where any JSON will do. */
  readonly format?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface PlainMessage {
  readonly role: LanguageModelV4Message["role"];
  /** A text, or several parts. */
  readonly content: string | readonly PlainPart[];
}

export type PlainPart = string | Readonly<Record<string, unknown>>;

export interface PlainTool {
  readonly name: string;
  readonly description?: string;
  readonly input?: unknown;
}

/** Takes secrets out of a text. */
export type HideSecrets = (text: string) => string;

/** The request of a call, with each text as `hide` leaves it. */
export function plainRequest(call: LanguageModelV4CallOptions, hide: HideSecrets): PlainRequest {
  const { prompt, tools = [], responseFormat } = call;
  const settings = settingsOf(call);
  const request: PlainRequest = {
    messages: prompt.map(plainMessage),
    ...(tools.length === 0 ? {} : { tools: tools.map(plainTool) }),
    ...(responseFormat?.type === "json" ? { format: responseFormat.schema ?? true } : {}),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
  // JSON has no members without a value: they are removed before the comparison.
  return JSON.parse(JSON.stringify(mapTexts(request, hide)));
}

/** The key under which a cassette has the answers to a request. */
export function keyOfRequest(request: PlainRequest): string {
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}

const SETTINGS = [
  "temperature",
  "topP",
  "topK",
  "maxOutputTokens",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "stopSequences",
  "reasoning",
  "toolChoice",
] as const;

function settingsOf(call: LanguageModelV4CallOptions): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const name of SETTINGS) if (call[name] !== undefined) settings[name] = call[name];
  return settings;
}

type CallTool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

function plainTool(tool: CallTool): PlainTool {
  if (tool.type !== "function") return { name: tool.id, input: tool.args };
  const { name, description, inputSchema } = tool;
  return { name, ...(description === undefined ? {} : { description }), input: inputSchema };
}

// ── messages ────────────────────────────────────────────────────────────────────────────────────

function plainMessage(message: LanguageModelV4Message): PlainMessage {
  const { role, content } = message;
  if (typeof content === "string") return { role, content };
  const parts: PlainPart[] = [];
  for (const part of content) addPart(part, parts);
  const [first = ""] = parts;
  return { role, content: parts.length < 2 && typeof first === "string" ? first : parts };
}

type PromptPart = Exclude<LanguageModelV4Message["content"], string>[number];

function addPart(part: PromptPart, parts: PlainPart[]): void {
  switch (part.type) {
    case "reasoning":
    case "reasoning-file":
    case "custom":
      return;
    case "text": {
      const last = parts.at(-1);
      // Two blocks of text say what one does.
      if (typeof last === "string") parts.splice(-1, 1, last + part.text);
      else if (part.text !== "") parts.push(part.text);
      return;
    }
    case "tool-call":
      parts.push({ call: part.toolName, input: jsonText(part.input) });
      return;
    case "tool-result": {
      const { type, ...output } = part.output;
      const value = "value" in output ? output.value : output;
      const isError = type.startsWith("error") || type === "execution-denied";
      const result = jsonText(withoutBytes(value));
      parts.push({ of: part.toolName, result, ...(isError ? { isError } : {}) });
      return;
    }
    default: {
      const { providerOptions: _, ...plain } = part;
      parts.push(withoutBytes(plain) as Readonly<Record<string, unknown>>);
    }
  }
}

// As text, so that the arguments that a model writes and those that it is shown have their secrets found alike.
function jsonText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}

/** Longer texts in Base64 are bytes. */
const BASE64_MIN = 1_000;

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesOf(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutBytes);
  const { providerOptions: _, ...members } = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      name === "data" && typeof member === "string" && member.length >= BASE64_MIN
        ? bytesOf(Buffer.from(member, "base64"))
        : withoutBytes(member),
    ]),
  );
}

function bytesOf(bytes: Uint8Array): { readonly bytes: number; readonly sha256: string } {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
