/** The default rule of the `rules` model: look, read, quote. It knows no graph, no node, no tool and no field. */

import { isIdentifier } from "../words.ts";
import type { RulesReply, RulesRequest } from "./rules.ts";
import { nextCalls, unknownWords } from "./rules-calls.ts";
import { fillSchema } from "./rules-fill.ts";
import {
  inherit,
  type Passage,
  passagesOf,
  readExchanges,
  type ToolExchange,
} from "./rules-material.ts";
import { type Quote, rankQuotes } from "./rules-rank.ts";
import { writeFields, writeReport } from "./rules-report.ts";
import { readSubject, type Subject } from "./rules-subject.ts";

/** Answers a request from what stands in it, by words alone; the same request always gets the same answer. */
export function respondByRules(request: RulesRequest): RulesReply {
  const { at, subject } = readSubject(request.messages);
  const exchanges = readExchanges(request.messages, at);
  const calls = nextCalls(request, subject, exchanges);
  if (calls.length > 0) return { calls };
  const passages = [...inherit(exchanges), ...givenPassages(subject)];
  const quotes = isBeyond(subject, exchanges) ? [] : rankQuotes(passages, subject.keywords);
  const material = exchanges.length > 0 ? "searched" : passages.length > 0 ? "given" : "none";
  if (request.schema !== undefined) {
    return { json: fillSchema({ root: request.schema, subject, quotes, material }) };
  }
  const text = textAnswer(subject, quotes, passages);
  return request.json ? { json: { answer: text } } : { text };
}

/** What the message itself gives to work from: its JSON, and its paragraphs beside the question. */
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

/** A question of up to this many words is about each of them. */
const WORDS_ALL_TELLING = 6;

/**
 * Whether the source does not know what is asked about. Sentences that meet only the other words of such a question
 * would look like an answer and be none.
 */
function isBeyond(subject: Subject, exchanges: readonly ToolExchange[]): boolean {
  const unknown = unknownWords(subject, exchanges);
  if (unknown.some(({ raw }) => isIdentifier(raw))) return true;
  return [subject.keywords, subject.around].some((keywords) => {
    const missing = keywords.filter(({ stem }) => unknown.some((word) => word.stem === stem));
    return missing.length * WORDS_ALL_TELLING >= Math.max(keywords.length, 1);
  });
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
