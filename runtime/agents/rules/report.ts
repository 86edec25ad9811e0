/** Writes an answer as text: literal quotes with where they are from, and nothing of its own. */
import type { Passage } from "./material.ts";
import { absentFrom, type Quote } from "./rank.ts";
import { wordsOfName } from "./schema.ts";
import type { Subject } from "./subject.ts";

const QUOTES_MAX = 6;

/** The answer to `subject` from `quotes`, best first, or that there is none. */
export function writeReport(subject: Subject, quotes: readonly Quote[]): string {
  if (quotes.length === 0) return nothingFound(subject);
  const cited = quotes
    .slice(0, QUOTES_MAX)
    .map(({ text, passage }, at) => `${at + 1}. “${text}”\n   — ${citation(passage)}`);
  const head = `These passages match the question best: ${oneLine(subject.text)}`;
  return [head, ...cited, ...missing(subject, quotes), QUOTES_NOTE].join("\n\n");
}

const QUOTES_NOTE =
  "(The quotes are literal. They were chosen by matching words; no language model has read or judged them.)";

function missing({ keywords }: Subject, quotes: readonly Quote[]): string[] {
  const cited = quotes.slice(0, QUOTES_MAX).map(({ text, passage }) => ({ ...passage, text }));
  const words = absentFrom(cited, keywords).map(({ raw }) => raw);
  return words.length === 0 ? [] : [`None of them mentions: ${words.join(", ")}`];
}

/** Says that there is nothing, and for which words. */
export function nothingFound({ keywords, text }: Subject): string {
  if (keywords.length === 0) return "Nothing was found: nothing is asked that could be looked for.";
  return `Nothing was found that answers this: ${oneLine(text)}`;
}

/** A list of facts without a text of their own, as they were given. */
export function writeFields(passages: readonly Passage[]): string {
  return passages
    .map(({ fields }) =>
      Object.entries(fields)
        .map(([name, value]) => `${name}: ${value}`)
        .join(", "),
    )
    .join("\n");
}

/** The names that stand beside a quote, in their order: package, file, heading; a link before all. */
function citation({ fields }: Passage): string {
  const names = Object.entries(fields).filter(
    ([name, value]) => typeof value === "string" && wordsOfName(name) !== "type",
  );
  const values = [...new Set(names.map(([, value]) => oneLine(String(value))))];
  return values.length === 0 ? "the material given" : values.join(" · ");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
