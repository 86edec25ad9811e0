/** Reads the options and words of a magic, or says where they are wrong. */
import { type Code, type Framed, nearest, positionAt, type Source } from "../../../dsl/index.ts";
import { WrongText } from "../notebook.ts";
import { framesOutput } from "../output/frame-output.ts";
import type { Magic, MagicOption } from "./magic-table.ts";
import { type MagicWord, magicWords } from "./magic-words.ts";

export interface MagicCall {
  readonly source: Source;
  readonly magic: Magic;
  /** The magic's own name, where it stands. */
  readonly name: MagicWord;
  readonly words: readonly MagicWord[];
  /** By name; of a switch, the switch itself. */
  readonly options: ReadonlyMap<string, MagicWord>;
}

/**
 * Reads the line that begins at `start` with the magic's name. Throws `WrongText` with the place
 * for a wrong option.
 */
export function readMagic(source: Source, magic: Magic, start: number): MagicCall {
  const [line = ""] = source.text.slice(start).split(/\r?\n/, 1);
  const [name = { text: magic.name, start, end: start }, ...rest] = magicWords(line, start);
  if (magic.takesLine === true) return { source, magic, name, ...wholeLine(line, name, start) };
  const words: MagicWord[] = [];
  const options = new Map<string, MagicWord>();
  const left = [...rest];
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (!next.text.startsWith("--")) {
      words.push(next);
      continue;
    }
    const option = optionOf(next, { source, magic });
    options.set(
      option.name,
      option.value === undefined ? next : optionValue(option, next, left, source),
    );
  }
  const tooMany = words[magic.words?.max ?? 0];
  if (tooMany !== undefined) throw unknownWord(tooMany, { source, magic });
  return { source, magic, name, words, options };
}

function wholeLine(
  line: string,
  name: MagicWord,
  start: number,
): Pick<MagicCall, "words" | "options"> {
  const behind = line.slice(name.end - start);
  const text = behind.trim();
  const begin = name.end + behind.length - behind.trimStart().length;
  const words = text === "" ? [] : [{ text, start: begin, end: begin + text.length }];
  return { words, options: new Map() };
}

/** The whole number behind an option, from 1; undefined without it. */
export function countOption(call: MagicCall, name: string): number | undefined {
  const word = call.options.get(name);
  if (word === undefined) return undefined;
  const count = Number(word.text);
  if (/^\d+$/.test(word.text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw wrongAt(call.source, word, {
    code: "M7510",
    message: `\`${name} ${word.text}\` is no number`,
    hint: `a whole number from 1, as \`${name} 50\``,
  });
}

/** Ends the cell with a frame at a word of its magic. */
export function wrongAt(
  source: Source,
  word: MagicWord,
  what: { readonly code: Code; readonly message: string; readonly hint: string },
): WrongText {
  const { line, column } = positionAt(source, word.start);
  const end = positionAt(source, word.end);
  const place = { line, column, endLine: end.line, endColumn: end.column };
  const framed: Framed = { ...what, severity: "error", file: source.file, ...place };
  return new WrongText(framesOutput([framed], source));
}

interface MagicPlace {
  readonly source: Source;
  readonly magic: Magic;
}

function optionOf(word: MagicWord, { source, magic }: MagicPlace): MagicOption {
  const found = magic.options.find(({ name }) => name === word.text);
  if (found !== undefined) return found;
  const names = magic.options.map(({ name }) => name);
  const meant = nearest(word.text, names);
  throw wrongAt(source, word, {
    code: "M7504",
    message: `\`${magic.name}\` has no option \`${word.text}\``,
    hint: meant === undefined ? optionsHint(magic) : `did you mean \`${meant}\`?`,
  });
}

function optionValue(
  { name, value = "", values }: MagicOption,
  option: MagicWord,
  left: MagicWord[],
  source: Source,
): MagicWord {
  const word = left.shift();
  const example = values === undefined ? `\`${name} ${value}\`` : `one of ${values.join(", ")}`;
  if (word === undefined || word.text.startsWith("--")) {
    throw wrongAt(source, option, {
      code: "M7510",
      message: `\`${name}\` needs a value`,
      hint: `${values === undefined ? "as in " : ""}${example}`,
    });
  }
  if (values === undefined || values.includes(word.text)) return word;
  const meant = nearest(word.text, values);
  throw wrongAt(source, word, {
    code: "M7510",
    message: `\`${name}\` can't be \`${word.text}\``,
    hint: meant === undefined ? example : `did you mean \`${meant}\`? It is ${example}`,
  });
}

function unknownWord(word: MagicWord, { source, magic }: MagicPlace): WrongText {
  const isKind = magic.name.startsWith("%%");
  const below = isKind ? "; the text of the cell begins on the next line" : "";
  return wrongAt(source, word, {
    code: "M7504",
    message: `\`${magic.name}\` has no place for \`${word.text}\``,
    hint: `${optionsHint(magic)}${below}`,
  });
}

function optionsHint({ name, usage, options }: Magic): string {
  return options.length === 0 && usage === name ? `\`${name}\` has no options` : `\`${usage}\``;
}
