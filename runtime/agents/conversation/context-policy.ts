/** Shortens a long conversation as `context { offload: 2k, keep: 10 }` says. The log keeps everything. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { RunError } from "../../failure.ts";
import { shortText } from "../values/text-size.ts";

export interface ContextPolicy {
  /** Results of tools that are longer, in tokens, are shown by their two ends. */
  readonly offload?: number;
  /** The number of turns of tool calls to show, taken from the first and the last; the middle is left out. */
  readonly keep?: number;
}

export interface Shaped {
  readonly messages: readonly LanguageModelV4Message[];
  /** The number of messages that are shown shortened or not at all; absent where all are shown whole. */
  readonly changes?: { readonly offloaded: number; readonly dropped: number };
}

const MEMBERS: readonly string[] = ["offload", "keep"];

/** Throws M8121 for what is no such policy. */
export function readPolicy(value: unknown, node: string): ContextPolicy {
  if (value === undefined) return {};
  const entries =
    typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
  for (const [name, count] of entries) {
    if (MEMBERS.includes(String(name)) && Number.isInteger(count) && Number(count) >= 0) continue;
    const shown = name === "" ? "no object" : `\`${name}: ${JSON.stringify(count)}\``;
    throw new RunError("M8121", `the context of \`${node}\` has ${shown}`, {
      hint: "write it like `context { offload: 2k, keep: 10 }`",
    });
  }
  return Object.fromEntries(entries);
}

/** The messages as a model is to see them: never a tool call without its result. */
export function shaped(
  messages: readonly LanguageModelV4Message[],
  { offload, keep }: ContextPolicy,
): Shaped {
  const kept = keep === undefined ? messages : withoutMiddle(messages, keep);
  const dropped = (messages.length - kept.length) / 2;
  if (offload === undefined) return changed(kept, { offloaded: 0, dropped });
  let offloaded = 0;
  const short = kept.map((message) => {
    if (message.role !== "tool") return message;
    const content = message.content.map((part) => {
      const text = part.type === "tool-result" ? longText(part.output, offload) : undefined;
      if (text === undefined || part.type !== "tool-result") return part;
      offloaded += 1;
      return { ...part, output: { type: "text" as const, value: text } };
    });
    return { ...message, content };
  });
  return changed(short, { offloaded, dropped });
}

function changed(
  messages: readonly LanguageModelV4Message[],
  changes: { readonly offloaded: number; readonly dropped: number },
): Shaped {
  return changes.offloaded + changes.dropped === 0 ? { messages } : { messages, changes };
}

/** Four characters a token, as elsewhere. */
const TOKEN_LENGTH = 4;

function longText(output: { readonly type: string; readonly value?: unknown }, tokens: number) {
  if (output.type !== "text" && output.type !== "json") return undefined;
  const { value } = output;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const length = tokens * TOKEN_LENGTH;
  return text.length > length ? shortText(text, Math.max(2, length)) : undefined;
}

/** Of the turns in which tools were called, the first and the last ones. */
function withoutMiddle(
  messages: readonly LanguageModelV4Message[],
  keep: number,
): readonly LanguageModelV4Message[] {
  const pairs = messages.flatMap(({ role }, at) => (role === "tool" ? [at] : []));
  const first = Math.floor(keep / 2);
  const gone = new Set(
    pairs
      .slice(first, Math.max(first, pairs.length - (keep - first)))
      .flatMap((at) => [at - 1, at]),
  );
  return gone.size === 0 ? messages : messages.filter((_, at) => !gone.has(at));
}
