import { tokenize } from "../../../dsl/syntax/lexer.ts";

/** The tokens of a text, by what is written. */
export function imagesOf(text: string): readonly string[] {
  return tokenize(text).tokens.map((token) => token.image);
}

/** How many tokens must be put in, taken out or replaced to turn one text into the other. */
export function editsBetween(from: readonly string[], to: readonly string[]): number {
  let row = to.map((_, index) => index + 1);
  for (const [index, token] of from.entries()) {
    let diagonal = index;
    let left = index + 1;
    row = to.map((other, column) => {
      const above = row[column] ?? 0;
      left = Math.min(above + 1, left + 1, diagonal + (token === other ? 0 : 1));
      diagonal = above;
      return left;
    });
  }
  return row.at(-1) ?? from.length;
}
