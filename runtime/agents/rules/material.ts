/** Gathers what can be quoted: results of tools, and lists and texts that the prompt itself holds. */
import type {
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { isRecord } from "../../../dsl/index.ts";
import { parseOrNothing } from "./json.ts";
import { wordsOfName } from "./schema.ts";

/** A text with what stands beside it: where it is from, how it was scored. */
export interface Passage {
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** A tool call of the conversation with its result. */
export interface ToolExchange {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Empty when the call failed. */
  readonly passages: readonly Passage[];
}

/** The tool calls after message `from`, in their order. */
export function readExchanges(messages: LanguageModelV4Prompt, from: number): ToolExchange[] {
  const calls = new Map<string, LanguageModelV4ToolCallPart>();
  const results = new Map<string, LanguageModelV4ToolResultPart>();
  for (const message of messages.slice(from + 1)) {
    if (message.role !== "assistant" && message.role !== "tool") continue;
    for (const part of message.content) {
      if (part.type === "tool-call") calls.set(part.toolCallId, part);
      else if (part.type === "tool-result") results.set(part.toolCallId, part);
    }
  }
  return [...calls].map(([id, { toolName, input }]) => ({
    tool: toolName,
    input: recordOf(input),
    passages: passagesOf(resultValue(results.get(id))),
  }));
}

/** A result belongs to the record whose members the call was made with, so it inherits what stands in that record. */
export function inherit(exchanges: readonly ToolExchange[]): Passage[] {
  const all = exchanges.flatMap(({ passages }) => passages);
  return exchanges.flatMap(({ input, passages }, at) => {
    const earlier = exchanges.slice(0, at).flatMap((exchange) => exchange.passages);
    const copied = Object.entries(input).filter(
      ([, value]) => typeof value === "string" && value !== "",
    );
    const source =
      all.length === 0
        ? undefined
        : earlier.find(
            ({ fields }) =>
              copied.length > 0 && copied.every(([name, value]) => fields[name] === value),
          );
    if (source === undefined) return passages;
    return passages.map(({ text, fields }) => ({ text, fields: { ...source.fields, ...fields } }));
  });
}

/** Every text in a JSON value with the plain members beside and above it. */
export function passagesOf(value: unknown): Passage[] {
  const found: Passage[] = [];
  gather(value, {}, found);
  return found;
}

function gather(value: unknown, above: Passage["fields"], found: Passage[]): void {
  if (typeof value === "string") {
    if (value.trim() !== "") found.push({ text: value, fields: above });
  } else if (Array.isArray(value)) {
    for (const item of value) gather(item, above, found);
  } else if (isRecord(value)) {
    gatherRecord(value, above, found);
  }
}

function gatherRecord(
  value: Record<string, unknown>,
  above: Passage["fields"],
  found: Passage[],
): void {
  const name = textMember(value);
  const fields = { ...above };
  for (const [member, content] of Object.entries(value)) {
    if (member !== name && isPlain(content)) fields[member] = content;
  }
  if (name !== undefined) gather(value[name], fields, found);
  const nested = Object.values(value).filter((member) => typeof member === "object");
  const isLeaf = name === undefined && nested.length === 0;
  if (isLeaf && Object.keys(fields).length > 0) found.push({ text: "", fields });
  for (const member of nested) gather(member, fields, found);
}

const TEXT_NAME =
  /\b(?:abstract|answer|body|content|description|evidence|excerpt|message|passage|quote|sentence|snippet|summary|text)\b/;

/** The member that holds the text: by its name, else the longest string that is more than a name. */
function textMember(value: Record<string, unknown>): string | undefined {
  const strings = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const longestFirst = strings.sort(([, a], [, b]) => b.length - a.length);
  const named = longestFirst.find(([name]) => TEXT_NAME.test(wordsOfName(name)));
  return (named ?? longestFirst.find(([, text]) => text.trim().split(/\s+/).length > 5))?.[0];
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value) && value !== "";
}

function resultValue(result: LanguageModelV4ToolResultPart | undefined): unknown {
  const output = result?.output;
  switch (output?.type) {
    case "text":
      return parseOrNothing(output.value) ?? output.value;
    case "json":
      return output.value;
    case "content":
      return output.value.flatMap((part) =>
        part.type === "text" ? [parseOrNothing(part.text) ?? part.text] : [],
      );
    default:
      return undefined; // An error, or a result that never came: nothing to quote.
  }
}

function recordOf(input: unknown): Record<string, unknown> {
  const value = typeof input === "string" ? parseOrNothing(input) : input;
  return isRecord(value) ? value : {};
}
