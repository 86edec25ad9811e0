/** Turns terminal text into HTML: colours become spans, other control characters are shown or dropped. */
import { escapeMarkup } from "../../display/escape.ts";

interface AnsiLook {
  readonly colour?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isQuiet?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
}

export function ansiToHtml(text: string): string {
  let look: AnsiLook = {};
  let html = "";
  let end = 0;
  for (const match of text.matchAll(SEQUENCE)) {
    html += spanned(text.slice(end, match.index), look);
    end = match.index + match[0].length;
    if (match[1] !== undefined) look = changed(look, match[1]);
  }
  return html + spanned(text.slice(end), look);
}

// Group 1: the numbers of a sequence that changes colours. Others move a cursor or set a title, which a page has not.
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin and end with them.
  /\u001b\[([\d;]*)m|\u001b\[[\d;?]*[A-Za-ln-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

function spanned(text: string, look: AnsiLook): string {
  const html = escapeMarkup(text);
  const classes = classesOf(look);
  if (html === "" || classes.length === 0) return html;
  return `<span class="${classes.join(" ")}">${html}</span>`;
}

function classesOf({ colour, background, isBold, isQuiet, isItalic, isUnderlined }: AnsiLook) {
  return [
    ...(colour === undefined ? [] : [`nb-${colour}`]),
    ...(background === undefined ? [] : [`nb-on-${background}`]),
    ...(isBold === true ? ["nb-bold"] : []),
    ...(isQuiet === true ? ["nb-quiet"] : []),
    ...(isItalic === true ? ["nb-italic"] : []),
    ...(isUnderlined === true ? ["nb-underlined"] : []),
  ];
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function changed(look: AnsiLook, numbers: string): AnsiLook {
  const codes = numbers.split(";").map(Number);
  // Colours out of 256 or 16 million have no name here: text keeps the page's own.
  if (codes[0] === 38 || codes[0] === 48) return look;
  return codes.reduce(withCode, look);
}

function withCode(look: AnsiLook, code: number): AnsiLook {
  const named = COLOURS[code % 10];
  const tens = Math.floor(code / 10);
  if (named !== undefined && (tens === 3 || tens === 9)) return { ...look, colour: named };
  if (named !== undefined && (tens === 4 || tens === 10)) return { ...look, background: named };
  return CHANGES[code]?.(look) ?? look;
}

const CHANGES: Readonly<Record<number, (look: AnsiLook) => AnsiLook>> = {
  0: () => ({}),
  1: (look) => ({ ...look, isBold: true }),
  2: (look) => ({ ...look, isQuiet: true }),
  3: (look) => ({ ...look, isItalic: true }),
  4: (look) => ({ ...look, isUnderlined: true }),
  22: (look) => ({ ...look, isBold: false, isQuiet: false }),
  23: (look) => ({ ...look, isItalic: false }),
  24: (look) => ({ ...look, isUnderlined: false }),
  39: ({ colour: _, ...look }) => look,
  49: ({ background: _, ...look }) => look,
};
