/** Makes the `rules` model, which answers by rule in this process, at no cost and always the same. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { estimatedUsage } from "../models/estimated-usage.ts";
import { isSpecial } from "../words/common-words.ts";
import { nextCalls, unknownWords } from "./calls.ts";
import { fillSchema } from "./fill.ts";
import { inherit, type Passage, passagesOf, readExchanges, type ToolExchange } from "./material.ts";
import { absentFrom, type Quote, rankQuotes } from "./rank.ts";
import { writeFields, writeReport } from "./report.ts";
import type { Respond, RulesReply, RulesRequest } from "./rule.ts";
import { readSubject, type Subject } from "./subject.ts";

/**
 * A model that answers with `respond`. Without one it works by keywords: it searches and reads with the tools it is
 * offered, picks literal sentences, and fills the schema with them; it says so, and when there is nothing, that.
 */
export function rules(respond: Respond = respondByRules): LanguageModelV4 {
  const generate = async (options: LanguageModelV4CallOptions) => {
    options.abortSignal?.throwIfAborted();
    const request = toRequest(options);
    const content = toContent(await respond(request), request.messages);
    options.abortSignal?.throwIfAborted();
    return toResult(content, options);
  };
  return {
    specificationVersion: "v4",
    provider: "madrigal",
    modelId: "rules",
    supportedUrls: {},
    doGenerate: generate,
    async doStream(options) {
      return { stream: ReadableStream.from(streamParts(await generate(options))) };
    },
  };
}

function toRequest(options: LanguageModelV4CallOptions): RulesRequest {
  const format = options.responseFormat;
  const tools = (options.tools ?? []).filter((tool) => tool.type === "function");
  return {
    messages: options.prompt,
    tools,
    toolChoice: options.toolChoice ?? { type: "auto" },
    json: format?.type === "json",
    ...(format?.type === "json" && format.schema !== undefined ? { schema: format.schema } : {}),
  };
}

function toContent(reply: RulesReply, messages: LanguageModelV4Prompt): LanguageModelV4Content[] {
  if (typeof reply === "string") return [{ type: "text", text: reply }];
  if ("text" in reply) return [{ type: "text", text: reply.text }];
  if ("json" in reply) return [{ type: "text", text: JSON.stringify(reply.json) }];
  const before = countCalls(messages);
  return reply.calls.map(({ tool, input }, at) => ({
    type: "tool-call",
    toolCallId: `rules-${before + at + 1}`,
    toolName: tool,
    input: JSON.stringify(input),
  }));
}

function countCalls(messages: LanguageModelV4Prompt): number {
  return messages
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .filter(({ type }) => type === "tool-call").length;
}

function toResult(
  content: LanguageModelV4Content[],
  options: LanguageModelV4CallOptions,
): LanguageModelV4GenerateResult {
  const unified = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
  return {
    content,
    finishReason: { unified, raw: undefined },
    usage: estimatedUsage(options, content),
    warnings: [],
  };
}

function* streamParts(result: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [at, part] of result.content.entries()) {
    if (part.type === "text") yield* streamText(part.text, `text-${at + 1}`);
    else if (part.type === "tool-call") yield part;
  }
  yield { type: "finish", usage: result.usage, finishReason: result.finishReason };
}

function* streamText(text: string, id: string): Generator<LanguageModelV4StreamPart> {
  yield { type: "text-start", id };
  for (const [delta] of text.matchAll(/[\s\S]{1,60}(?:\s+|$)|[\s\S]{1,60}/g)) {
    yield { type: "text-delta", id, delta };
  }
  yield { type: "text-end", id };
}

/** Answers a request from what stands in it, by words alone; the same request always gets the same answer. */
function respondByRules(request: RulesRequest): RulesReply {
  const { at, subject } = readSubject(request.messages);
  const exchanges = readExchanges(request.messages, at);
  const calls = nextCalls(request, subject, exchanges);
  if (calls.length > 0) return { calls };
  const passages = [...inherit(exchanges), ...givenPassages(subject)];
  const ranked = rankQuotes(passages, subject.keywords);
  const quotes = isBeyond(subject, exchanges, ranked[0]) ? [] : ranked;
  const material = exchanges.length > 0 ? "searched" : passages.length > 0 ? "given" : "none";
  if (request.schema !== undefined) {
    return { json: fillSchema({ root: request.schema, subject, quotes, material }) };
  }
  const text = textAnswer(subject, quotes, passages);
  return request.json ? { json: { answer: text } } : { text };
}

/** Returns the passages of the message itself: its JSON, and its paragraphs beside the question. */
function givenPassages({ values, prose, text }: Subject): Passage[] {
  const paragraphs = prose.split(/\n\s*\n/).filter((paragraph) => {
    const isQuestion = paragraph.includes(text) || text.includes(paragraph.trim());
    return !isQuestion && paragraph.trim().split(/\s+/).length > 20;
  });
  return [
    ...values.flatMap(passagesOf),
    ...paragraphs.map((paragraph) => ({ text: paragraph, fields: {} })),
  ];
}

/**
 * Returns whether the source does not cover the question: it lacks a special word of the question, and the best quote
 * has no other one. Sentences that match only the common words of such a question would look like an answer.
 */
function isBeyond(subject: Subject, exchanges: readonly ToolExchange[], best?: Quote): boolean {
  const special = [...subject.keywords, ...subject.around].filter(({ raw }) => isSpecial(raw));
  const unknown = unknownWords(subject, exchanges);
  if (!special.some(({ stem }) => unknown.some((word) => word.stem === stem))) return false;
  const met = best === undefined ? [] : [{ text: best.text, fields: best.passage.fields }];
  return absentFrom(met, special).length === special.length;
}

function textAnswer(
  subject: Subject,
  quotes: readonly Quote[],
  passages: readonly Passage[],
): string {
  const facts = passages.filter(({ text }) => text === "");
  if (quotes.length === 0 && facts.length > 0) return writeFields(facts);
  return writeReport(subject, quotes);
}
