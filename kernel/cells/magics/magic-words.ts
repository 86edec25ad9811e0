/** Splits the line of a magic into words with their places. Pure: completion reads lines that are not finished. */

export interface MagicWord {
  /** Without its quotes. */
  readonly text: string;
  /** In the text that the line was taken from. */
  readonly start: number;
  readonly end: number;
}

/** The words of `line`, which begins at `at` in its cell; one in quotes may hold spaces. `--a=b` is two of them. */
export function magicWords(line: string, at: number): readonly MagicWord[] {
  return [...line.matchAll(WORD)].flatMap((match) => {
    const [whole] = match;
    const start = at + match.index;
    const [, option, value] = /^(--[\w-]+)=(.*)$/s.exec(whole) ?? [];
    if (option === undefined || value === undefined) return [word(whole, start)];
    return [word(option, start), word(value, start + option.length + 1)];
  });
}

const WORD = /(?:--[\w-]+=)?(?:"[^"\n]*"?|'[^'\n]*'?)|\S+/g;

function word(written: string, start: number): MagicWord {
  const text = written.replace(/^(["'])(.*?)\1?$/s, "$2");
  return { text, start, end: start + written.length };
}
