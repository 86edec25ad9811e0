/** Ranks the quotable stretches of the material by how well they meet the keywords. */

import { matchOf, type Terms, termSet } from "./match.ts";
import type { Passage } from "./material.ts";
import { wordsOfName } from "./schema.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import type { SubjectKeyword } from "./subject.ts";

/** A stretch to quote, with what stands beside it. */
export interface Quote {
  readonly text: string;
  readonly passage: Passage;
  /** For ordering only. */
  readonly rank: number;
  /** The share of the keywords that the quote and what stands beside it meet, from 0 to 1. */
  readonly coverage: number;
}

/** Returns the share of keywords that a quote must match to be about them; among few keywords one alone proves nothing. */
function coverageMin(keywords: number): number {
  return keywords < 4 ? 0.6 : 0.34;
}

/** A quote far weaker than the best one says little that the best does not. */
const RANK_MIN = 0.4;

/** The stretches of `passages` worth quoting, best first, each once. */
export function rankQuotes(
  passages: readonly Passage[],
  keywords: readonly SubjectKeyword[],
): Quote[] {
  const read = passages.map(readPassage);
  const rarity = rarityIn(read);
  const scoreMax = Math.max(0, ...passages.map(scoreOf));
  const quotes = read.flatMap((passage) => {
    const trust = scoreMax === 0 ? 1 : 0.5 + scoreOf(passage.passage) / scoreMax / 2;
    return quotesOf(passage, { keywords, rarity, trust });
  });
  const sorted = quotes.sort((a, b) => b.rank - a.rank);
  const best = sorted[0]?.rank ?? 0;
  return unique(
    sorted.filter(
      ({ rank, coverage }) => coverage >= coverageMin(keywords.length) && rank >= best * RANK_MIN,
    ),
  );
}

/** The keywords that no passage meets. */
export function absentFrom(
  passages: readonly Passage[],
  keywords: readonly SubjectKeyword[],
): SubjectKeyword[] {
  const terms = passages.map(({ text, fields }) => termSet(`${text} ${namesIn(fields)}`));
  return keywords.filter((keyword) => terms.every((set) => matchOf(keyword, set) === 0));
}

interface ReadPassage {
  readonly passage: Passage;
  readonly names: Terms;
  readonly body: Terms;
}

function readPassage(passage: Passage): ReadPassage {
  return { passage, names: termSet(namesIn(passage.fields)), body: termSet(passage.text) };
}

function namesIn(fields: Passage["fields"]): string {
  return Object.values(fields)
    .filter((value) => typeof value === "string")
    .join(" ");
}

/** A keyword that few passages meet tells them apart. */
function rarityIn(passages: readonly ReadPassage[]): (keyword: SubjectKeyword) => number {
  const known = new Map<string, number>();
  return (keyword) => {
    const before = known.get(keyword.stem);
    if (before !== undefined) return before;
    const meeting = passages.filter(
      ({ names, body }) => matchOf(keyword, names) + matchOf(keyword, body) > 0,
    );
    const rarity = Math.log(
      1.5 + (passages.length - meeting.length + 0.5) / (meeting.length + 0.5),
    );
    known.set(keyword.stem, rarity);
    return rarity;
  };
}

interface Measure {
  readonly keywords: readonly SubjectKeyword[];
  readonly rarity: (keyword: SubjectKeyword) => number;
  readonly trust: number;
}

function quotesOf(read: ReadPassage, measure: Measure): Quote[] {
  return sentencesOf(read.passage.text).flatMap((sentence) => {
    const quote = weigh(sentence, read, measure);
    return quote === undefined ? [] : [quote];
  });
}

/** Rates a sentence: its own words count whole, its headings half, its surroundings little. */
function weigh(
  sentence: Sentence,
  { passage, names, body }: ReadPassage,
  measure: Measure,
): Quote | undefined {
  const terms = termSet(sentence.text);
  let rank = 0;
  let own = 0;
  let met = 0;
  let all = 0;
  for (const keyword of measure.keywords) {
    const inside = matchOf(keyword, terms);
    const beside = matchOf(keyword, names);
    const around = matchOf(keyword, body);
    const share = Math.max(inside, beside * 0.5, around * 0.25);
    rank += share * keyword.weight * measure.rarity(keyword);
    own += inside;
    met += Math.max(inside, beside, around * 0.5) * keyword.weight;
    all += keyword.weight;
  }
  if (own === 0) return undefined;
  rank *= fitness(sentence) * measure.trust;
  return { text: sentence.text, passage, rank, coverage: met / all };
}

/** Long stretches meet more words by chance; very short ones and bare code say little alone. */
function fitness({ text, isCode }: Sentence): number {
  const words = text.split(/\s+/).length;
  const length = words < 6 ? 0.8 : words > 40 ? 0.85 : 1;
  return isCode ? length * 0.75 : length;
}

const SCORE_NAME = /\b(?:score|relevance|rank(?:ing)?|similarity|confidence)\b/;

function scoreOf({ fields }: Passage): number {
  const found = Object.entries(fields).find(
    ([name, value]) => typeof value === "number" && SCORE_NAME.test(wordsOfName(name)),
  );
  return Math.max(0, Number(found?.[1] ?? 0));
}

/** One stretch may come by two ways: in a list of hits, and in the document that was read after it. */
function unique(quotes: readonly Quote[]): Quote[] {
  const kept: Quote[] = [];
  for (const quote of quotes) {
    const isKnown = ({ text }: Quote) => text.includes(quote.text) || quote.text.includes(text);
    if (!kept.some(isKnown)) kept.push(quote);
  }
  return kept;
}
