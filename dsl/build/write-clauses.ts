/** The clauses of a node as lines, and what must be read in them. */
import { clauseWords } from "../syntax/words.ts";
import type { Clauses, HumanQuestion, Texts } from "./options.ts";
import { writeAssigns, writeCount, writeFields, writeTexts } from "./write-value.ts";
import { writeWords } from "./write-words.ts";

/** One clause: its word, which is also its kind when it is read, and its lines. */
interface WrittenBody {
  readonly word: keyof Clauses;
  readonly lines: readonly string[];
}

/** Each clause's lines, and the words in their order. */
export interface WrittenClauses {
  readonly lines: readonly string[];
  readonly words: readonly string[];
}

/** The clauses in the order in which they were given. */
export function writeClauses(clauses: Clauses): WrittenClauses {
  const written = clauseWords
    .filter((word) => clauses[word] !== undefined)
    .sort(inOrderOf(Object.keys(clauses)))
    .flatMap((word) => writeClause(word, clauses));
  return {
    lines: written.flatMap(({ lines }) => lines),
    words: written.map(({ word }) => word),
  };
}

/** Lines between braces on lines of their own. */
export function writeBlock(lines: readonly string[]): string {
  // A line that goes on inside of a prompt stays where it is: white space counts there.
  return lines.length === 0 ? "{ }" : `{\n${lines.map((line) => `    ${line}\n`).join("")}  }`;
}

function inOrderOf(keys: readonly string[]): (a: string, b: string) => number {
  return (a, b) => keys.indexOf(a) - keys.indexOf(b);
}

function writeClause(word: keyof Clauses, clauses: Clauses): readonly WrittenBody[] {
  const line = (text: string): WrittenBody => ({
    word,
    lines: [text === "" ? word : `${word} ${text}`],
  });
  switch (word) {
    case "system":
    case "prompt":
      return definedOnly(clauses[word]).map((words) => line(writeWords(words)));
    case "ask":
      return definedOnly(clauses.ask).map((ask) => line(writeAsk(ask)));
    case "ensure":
    case "recall":
    case "store":
    case "approve":
      return manyOf(clauses[word]).map(line);
    case "state": {
      const lines = writeFields(clauses.state ?? {}).map((field) => `  ${field}`);
      return [{ word, lines: ["state {", ...lines, "}"] }];
    }
    case "cache":
      return [line(clauses.cache === true ? "" : (clauses.cache ?? ""))];
    case "set":
      return definedOnly(clauses.set).map((assigns) => line(writeAssigns(assigns)));
    case "retry":
      return definedOnly(clauses.retry).map((count) => line(writeCount(count)));
    default:
      return definedOnly(clauses[word]).map((texts) => line(writeTexts(texts)));
  }
}

function writeAsk(ask: NonNullable<Clauses["ask"]>): string {
  if (typeof ask === "string" || !("question" in ask)) return writeWords(ask);
  const from = ask.from === undefined ? "" : ` from ${ask.from}`;
  const then = (ask.then ?? []).map((next) => ` then ask ${next.ask}${writeDecision(next)}`);
  const otherwise = ask.else === undefined ? "" : ` else ${ask.else}`;
  return `${writeWords(ask.question)}${from}${writeDecision(ask)}${then.join("")}${otherwise}`;
}

/** ` need 2 within 1d`: how many of the persons decide, and how long they have. */
function writeDecision({ need, within }: Pick<HumanQuestion, "need" | "within">): string {
  const count = need === undefined ? "" : ` need ${writeCount(need)}`;
  return within === undefined ? count : `${count} within ${within}`;
}

function manyOf(texts: Texts = []): readonly string[] {
  return typeof texts === "string" ? [texts] : texts;
}

function definedOnly<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
