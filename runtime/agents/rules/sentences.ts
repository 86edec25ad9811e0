/** Cuts a text into the pieces that can be quoted: sentences, list items and lines of code, each a literal stretch of it. */

/** A quotable stretch of a text. */
export interface Sentence {
  readonly text: string;
  readonly isCode: boolean;
}

const QUOTE_CHARS_MAX = 500;

/** The quotable stretches of `text`, in their order. One line is taken whole when nothing in it makes a sentence. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const { text: block, isCode } of blocksOf(text)) {
    const parts = isCode ? [block.trim()] : splitSentences(block);
    for (const part of parts) sentences.push({ text: part, isCode });
  }
  const quotable = sentences.filter(isQuotable);
  const line = text.trim();
  const isLine = line !== "" && line.length <= QUOTE_CHARS_MAX && !line.includes("\n");
  return quotable.length === 0 && isLine ? [{ text: line, isCode: false }] : quotable;
}

interface TextBlock {
  readonly text: string;
  readonly isCode: boolean;
}

const FENCE = /^\s*(?:`{3,}|~{3,})/;
/** Lines that no sentence runs through: headings, table rows, tags, quotes, images, link definitions. */
const APART = /^\s*(?:#{1,6}\s|\||<|>|!\[|\[!|\[[^\]]+\]:\s|:::|={3,}|-{3,})/;
/** Lines of code outside a fence: a snippet may begin within one. */
const CODE = /[;{}]\s*$|=>|^\s*(?:const|var|import|export|await|return)\s|^\s*\/\//;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;

function* blocksOf(text: string): Generator<TextBlock> {
  let paragraph = "";
  let inFence = false;
  for (const line of text.split(/(?<=\n)/)) {
    const isFence = FENCE.test(line);
    const isItem = ITEM.test(line);
    const isCode = inFence || CODE.test(line);
    const isApart = isCode || isFence || isItem || APART.test(line) || line.trim() === "";
    if (isApart && paragraph !== "") {
      yield { text: paragraph, isCode: false };
      paragraph = "";
    }
    if (isFence) inFence = !inFence;
    else if (isItem && !inFence) paragraph = line.replace(ITEM, "");
    else if (isCode) yield { text: line, isCode: true };
    else if (!isApart) paragraph += line;
  }
  if (paragraph !== "") yield { text: paragraph, isCode: false };
}

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|fig|dr|mr|mrs|st)|\b\p{Lu})\.$/iu;

function splitSentences(paragraph: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: end } of paragraph.matchAll(
    /[.!?。！？][”"')\]*_`]*\s+(?=[\p{Lu}\p{N}“"'`([*_])/gu,
  )) {
    if (ABBREVIATION.test(paragraph.slice(Math.max(0, index - 8), index + 1))) continue;
    parts.push(paragraph.slice(from, index + end.length));
    from = index + end.length;
  }
  parts.push(paragraph.slice(from));
  return parts.map((part) => part.trim());
}

function isQuotable({ text, isCode }: Sentence): boolean {
  if (text === "" || text.length > QUOTE_CHARS_MAX) return false;
  const words = text.replace(/\b\w+:\/\/\S+/g, "").match(/\p{L}{2,}/gu) ?? [];
  return words.length >= (isCode ? 2 : 3);
}
