/** Plain text with holes, as a prompt between backticks. */
import { parse } from "../syntax/parse.ts";
import type { BuilderWords } from "./options.ts";

/** A prompt that reads back as these words; an expression stands as it is. */
export function writeWords(words: BuilderWords): string {
  if (typeof words !== "string") return words.expression;
  let rest = words;
  let written = "";
  for (let hole = findHole(rest); hole !== undefined; hole = findHole(rest)) {
    written += `${escapeText(hole.before)}${hole.text}`;
    rest = hole.behind;
  }
  return `\`${written}${escapeText(plainText(rest))}\``;
}

interface Hole {
  /** The text before it, as it is meant. */
  readonly before: string;
  /** From its `${` to its `}`. */
  readonly text: string;
  readonly behind: string;
}

/** The first `${…}` of a text that no backslash keeps from being a hole. */
function findHole(text: string): Hole | undefined {
  for (const { index, 0: found } of text.matchAll(/\\*\$\{/g)) {
    const backslashes = found.length - 2;
    if (backslashes % 2 === 1) continue;
    const start = index + backslashes;
    const end = holeEnd(text, start + 2);
    const before = `${plainText(text.slice(0, index))}${"\\".repeat(backslashes / 2)}`;
    return { before, text: text.slice(start, end), behind: text.slice(end) };
  }
  return undefined;
}

/** Behind the first `}` up to which an expression reads; where none does, behind the first one: the checks say what is wrong. */
function holeEnd(text: string, start: number): number {
  const ends = [...text.slice(start).matchAll(/\}/g)].map(({ index }) => start + index);
  const end = ends.find((one) => isExpression(text.slice(start, one))) ?? ends[0];
  return end === undefined ? text.length : end + 1;
}

function isExpression(text: string): boolean {
  const { ast, findings } = parse({ file: "hole", text: `config { hole: ${text} }` });
  const [item] = ast.items;
  const isOne = ast.items.length === 1 && item?.kind === "config";
  return findings.length === 0 && isOne && item.value.entries.length === 1;
}

/** Takes off the backslashes that keep a `${` from being a hole: two are one, a single one is none. */
function plainText(text: string): string {
  return text.replace(
    /(\\+)\$\{/g,
    (_all, backslashes: string) => `${"\\".repeat(Math.floor(backslashes.length / 2))}\${`,
  );
}

function escapeText(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replaceAll("\r", "\\r");
}
