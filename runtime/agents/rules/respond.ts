/** Answers by the default rule of the `rules` model: search, read, quote. */

import { isSpecial } from "../words/common-words.ts";
import { nextCalls, unknownWords } from "./calls.ts";
import { fillSchema } from "./fill.ts";
import { inherit, type Passage, passagesOf, readExchanges, type ToolExchange } from "./material.ts";
import { absentFrom, type Quote, rankQuotes } from "./rank.ts";
import { writeFields, writeReport } from "./report.ts";
import type { RulesReply, RulesRequest } from "./rule.ts";
import { readSubject, type Subject } from "./subject.ts";

/** Answers a request from what stands in it, by words alone; the same request always gets the same answer. */
export function respondByRules(request: RulesRequest): RulesReply {
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

/**
 * Whether the source does not know what is asked about: it lacks a special word of the question and the best quote has
 * no other one. Sentences that meet only the common words of such a question would look like an answer and be none.
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
