/** Computes how wide a text is drawn, without a font. */

/** Returns the width of a text in pixels; bold is wider by a tenth. */
export function textWidth(
  text: string,
  size: number,
  options: { readonly bold?: boolean } = {},
): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * size * (options.bold === true ? 1.1 : 1);
}

/** `text` shortened with an ellipsis until it fits into `room` pixels. */
export function fitted(
  text: string,
  of: { readonly room: number; readonly size: number; readonly bold?: boolean },
): string {
  if (textWidth(text, of.size, of) <= of.room) return text;
  const characters = [...text];
  while (characters.length > 0 && textWidth(`${characters.join("")}…`, of.size, of) > of.room)
    characters.pop();
  return `${characters.join("")}…`;
}

/** `text` on lines of at most `room` pixels, broken at blanks where there are any; the last one is cut. */
export function wrapped(
  text: string,
  of: { readonly room: number; readonly size: number; readonly linesMax: number },
): readonly string[] {
  const { room, size, linesMax } = of;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || textWidth(longer, size) <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const kept = lines.slice(0, linesMax);
  const isCut = lines.length > linesMax;
  return kept.map((each, index) =>
    fitted(isCut && index === linesMax - 1 ? `${each} …` : each, { room, size }),
  );
}

const NARROW = new Map<string, number>([
  ..."iljI|'".split("").map((character) => [character, 0.3] as const),
  ...".,:; !".split("").map((character) => [character, 0.34] as const),
  ...'ft()[]r-`"/\\'.split("").map((character) => [character, 0.42] as const),
  ..."csvxyzk?J".split("").map((character) => [character, 0.59] as const),
  ..."mwMWQ@%&<>=+~#·…—".split("").map((character) => [character, 0.95] as const),
]);

function widthOf(character: string): number {
  const known = NARROW.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x1100 && !(code >= 0x2000 && code < 0x2e80)) return 1.15;
  return code >= 0x41 && code <= 0x5a ? 0.72 : 0.65;
}
