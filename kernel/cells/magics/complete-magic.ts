/** Completes and explains the line of a magic. Pure: worker 2 asks it. */
import { codes, languageWords } from "../../../dsl/index.ts";
import type { CellCursor, CompletionItem, Completions, Inspection } from "../../types/service.ts";
import { settingKinds } from "../settings.ts";
import { lineMagics, type Magic, magicHelp, magicOf, magics } from "./magic-table.ts";
import { type MagicWord, magicWords } from "./magic-words.ts";

/** Undefined where no magic's line is. */
export function completeMagic(at: CellCursor): Completions | undefined {
  const line = lineAt(at);
  if (line === undefined) return undefined;
  const { words, current } = line;
  const offered = current === words[0] || words.length === 0 ? names(at) : wordsThatMayFollow(line);
  const { text, start, end } = current ?? { text: "", start: at.offset, end: at.offset };
  const written = text.slice(0, at.offset - start);
  return { items: offered.filter((item) => item.text.startsWith(written)), start, end };
}

/** Returns the help on the magic, or on the option at the cursor; undefined outside of a magic. */
export function inspectMagic(at: CellCursor): Inspection | undefined {
  const line = lineAt(at);
  const magic = line && magicOf(line.words[0]?.text ?? "");
  if (magic === undefined) return undefined;
  const option = magic.options.find(({ name }) => name === line?.current?.text);
  if (option === undefined) return { plain: magicHelp(magic), markdown: magicHelp(magic) };
  const { name, value = "", values, says } = option;
  const text = `\`${`${name} ${value}`.trim()}\` ${says}${values === undefined ? "" : `: ${values.join(", ")}`}`;
  return { plain: text, markdown: text };
}

interface MagicLine {
  readonly words: readonly MagicWord[];
  /** The one that the cursor is in or behind. */
  readonly current: MagicWord | undefined;
  readonly before: readonly MagicWord[];
}

/** A line that begins with `%` and only has such lines and comments before it. */
function lineAt({ code, offset }: CellCursor): MagicLine | undefined {
  const start = code.lastIndexOf("\n", offset - 1) + 1;
  const isFirst = code.slice(0, start).split("\n").every(mayStandBefore);
  const [line = ""] = code.slice(start).split(/\r?\n/, 1);
  if (!isFirst || !/^\s*%/.test(line)) return undefined;
  const words = magicWords(line, start);
  const current = words.find((word) => word.start <= offset && offset <= word.end);
  return { words, current, before: words.filter(({ end }) => end < offset) };
}

/** Nothing, a comment, or another magic of a line. */
function mayStandBefore(line: string): boolean {
  return /^\s*(?:\/\/|%[^%]|$)/.test(line);
}

function names({ code, offset }: CellCursor): readonly CompletionItem[] {
  const isFirst =
    code
      .slice(0, offset)
      .trim()
      .replace(/^%+\w*$/, "") === "";
  return magics
    .filter(({ name }) => isFirst || lineMagics.includes(name))
    .map(({ name, usage }) => ({ text: name, type: "magic", signature: usage }));
}

function wordsThatMayFollow({ words, before }: MagicLine): readonly CompletionItem[] {
  const magic = magicOf(words[0]?.text ?? "");
  if (magic === undefined) return [];
  const option = magic.options.find(({ name }) => name === before.at(-1)?.text);
  if (option?.value !== undefined) {
    return (option.values ?? []).map((text) => ({ text, type: "value" }));
  }
  const options = magic.options.map(
    ({ name, value = "" }): CompletionItem => ({
      text: name,
      type: "option",
      signature: `${name} ${value}`.trim(),
    }),
  );
  return [...topics(magic, before), ...options];
}

function topics({ name }: Magic, before: readonly MagicWord[]): readonly CompletionItem[] {
  if (name === "%help") {
    const known = [...magics.map((one) => one.name), ...languageWords, ...Object.keys(codes)];
    return known.map((text) => ({ text, type: "topic" }));
  }
  if (name !== "%config") return [];
  const kind = settingKinds.find((one) => one.name === before[1]?.text);
  if (kind !== undefined) {
    return (kind.takes?.values ?? []).map((text) => ({ text, type: "value" }));
  }
  return settingKinds.map((one) => ({ text: one.name, type: "setting", signature: one.says }));
}
