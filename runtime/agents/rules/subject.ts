/** Finds out what a conversation asks about: the words to look for, apart from the words of the instruction. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isRequestWord, isStopWord } from "../words/stop-words.ts";
import { isIdentifier, stem, tokensOf } from "../words/words.ts";
import { partJson } from "./json.ts";

/** A word to look for. */
export interface SubjectKeyword {
  readonly raw: string;
  readonly stem: string;
  /** About 1; more for names, less for words that hardly tell. */
  readonly weight: number;
}

/** The subject of a question. */
export interface Subject {
  /** The asking part of the message, literal. */
  readonly text: string;
  readonly keywords: readonly SubjectKeyword[];
  /** Words of the other things that the message says are asked: a whole question beside a part of it. */
  readonly around: readonly SubjectKeyword[];
  /** The message without its JSON, and the JSON. */
  readonly prose: string;
  readonly values: readonly unknown[];
  /** The maximum that the message allows (`at most 3`). */
  readonly countMax: number | undefined;
}

/** The position of the message that asks, and what it asks. */
export function readSubject(messages: LanguageModelV4Prompt): { at: number; subject: Subject } {
  const at = askingMessage(messages);
  const message = messages[at];
  return { at, subject: parseSubject(message === undefined ? "" : messageText(message)) };
}

/** Reads the subject from a message's text. */
export function parseSubject(message: string): Subject {
  const { prose, values } = partJson(message);
  const asked = labelledParts(prose);
  const questions = prose.match(/[^.?!\n][^?!\n]*\?/g) ?? [];
  const isPlain = asked.length === 0 && questions.length === 0;
  const text = (asked[0] ?? (isPlain ? prose : questions.join(" "))).trim();
  const words = keywordsOf(text, isPlain ? "instruction" : "question");
  return {
    text,
    keywords: words,
    around: keywordsOf(asked.slice(1).join(". "), "question"),
    prose,
    values,
    countMax: countIn(isPlain ? prose : prose.replace(text, " ")),
  };
}

/** The last message of the user, unless it only says what is wrong with an answer: then the one that was answered. */
function askingMessage(messages: LanguageModelV4Prompt): number {
  const isAsking = (message: LanguageModelV4Message, at: number) =>
    message.role === "user" && (!isAnswer(messages[at - 1]) || isNewRequest(messageText(message)));
  return messages.findLastIndex(isAsking);
}

function isAnswer(message: LanguageModelV4Message | undefined): boolean {
  return message?.role === "assistant" && message.content.every(({ type }) => type !== "tool-call");
}

const REQUEST =
  /^(?:(?:and|now|then|please|next)\W+)*(?:answer|compare|describe|explain|find|give|list|look|search|show|summari[sz]e|tell|write)\b/i;

/** `too many items` is about the answer, `Answer again: …` too; `Now find …`, `Question: …` and `…?` ask something new. */
function isNewRequest(text: string): boolean {
  if (/\b(?:answer again|could not be used|does not fit|try again)\b/i.test(text)) return false;
  return text.includes("?") || REQUEST.test(text.trim()) || labelledParts(text).length > 0;
}

function messageText({ content }: LanguageModelV4Message): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

const ASKING =
  /\b(?:ask(?:s|ed)?|find|goal|look|problem|quer(?:y|ies)|questions?|requests?|search(?:es)?|subject|tasks?|topics?)\b/i;
const QUESTION_WORD = /^(?:how|what|when|where|which|who|why|is|are|can|could|do|does|should)\b/i;

/** A label, not a sentence that ends in a colon. */
const LABEL_WORDS_MAX = 3;

/**
 * Returns the texts behind `Question:`, `Search for:` and the like, each up to an empty line or the next label. A whole
 * sentence before the colon (`Split this into searches:`) counts only where there is no such label.
 */
function labelledParts(prose: string): string[] {
  const parts: { text: string; isLabel: boolean }[] = [];
  let open: { text: string; isLabel: boolean } | undefined;
  for (const line of prose.split("\n")) {
    const [, label, rest = ""] = /^\s*(?:[-*]\s+)?([^:.?!]{2,90}):(?:\s+(.*))?$/.exec(line) ?? [];
    const isLabel = (label ?? "").trim().split(/\s+/).length <= LABEL_WORDS_MAX;
    if (label !== undefined && (isLabel || !QUESTION_WORD.test(label))) {
      open = ASKING.test(label) ? { text: rest, isLabel } : undefined;
      if (open !== undefined) parts.push(open);
    } else if (line.trim() === "") {
      if (open?.text.trim() !== "") open = undefined;
    } else if (open !== undefined) {
      open.text += `\n${line}`;
    }
  }
  const labelled = parts.filter(({ isLabel }) => isLabel);
  return (labelled.length > 0 ? labelled : parts).map(({ text }) => text.trim());
}

/** The telling words of `text`. Of an instruction (`find`, `cite`), its own words tell nothing; in a question they may. */
export function keywordsOf(text: string, kind: "question" | "instruction"): SubjectKeyword[] {
  const words = tokensOf(text);
  const quoted = quotedWords(text);
  const isRequest = (word: string) => isRequestWord(word) && !quoted.has(word);
  // `Find the moon` asks for the moon, `Find?` for find, `How do I find …` may well be about finding.
  const first = words.findIndex((word) => !isRequest(word));
  const telling = words
    .slice(Math.max(0, first))
    .filter((word) => !isStopWord(word) && (kind === "question" || !isRequest(word)));
  const keywords = new Map<string, SubjectKeyword>();
  for (const [at, raw] of telling.entries()) {
    const key = stem(raw);
    const weight = isRequest(raw) ? REQUEST_WEIGHT : weightOf(raw, at === 0, quoted.has(raw));
    if (!keywords.has(key)) keywords.set(key, { raw, stem: key, weight });
  }
  return [...keywords.values()];
}

const REQUEST_WEIGHT = 0.6;

function quotedWords(text: string): Set<string> {
  const quotes = [...text.matchAll(/[“"`]([^”"`\n]+)[”"`]/g)];
  return new Set(quotes.flatMap(([, inner = ""]) => tokensOf(inner)));
}

function weightOf(word: string, isFirst: boolean, isQuoted: boolean): number {
  if (isIdentifier(word)) return 1.5;
  if (/^\p{N}+$/u.test(word)) return 0.7;
  return isQuoted || (!isFirst && /^\p{Lu}/u.test(word)) ? 1.3 : 1;
}

const NUMBER_WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

function countIn(prose: string): number | undefined {
  const word = /\b(?:at most|up to|no more than|not more than|maximum of|max)\s+([\w]+)/i.exec(
    prose,
  )?.[1];
  if (word === undefined) return undefined;
  const spelled = NUMBER_WORDS.indexOf(word.toLowerCase());
  const count = spelled >= 0 ? spelled : Number(word);
  return Number.isInteger(count) ? count : undefined;
}
