/** A place in a query is a place in the cell that asks it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { holeText, offsetInText } from "../../../kernel/library/template-place.ts";

interface Piece {
  readonly raw: string;
  readonly hole: string;
}

/** What JavaScript makes of the parts, and the text of a cell that has them. */
function template(pieces: readonly Piece[], last: string) {
  const raw = [...pieces.map((piece) => piece.raw), last];
  const holes = pieces.map(({ hole }) => hole);
  const parts = raw.map((one) => new Function(`return \`${one}\``)() as string);
  const text = `const x = 1;\nawait sql\`${raw.map((one, at) => (at < holes.length ? `${one}\${${holes[at]}}` : one)).join("")}\`;`;
  const query = parts.reduce((before, part, at) => `${before}${holeText(at)}${part}`);
  return { text, query, parts, raw };
}

const raw = fc
  .array(
    fc.constantFrom(
      "SELECT ",
      "node",
      "\n",
      "\\n",
      "\\u{1F600}",
      "\\x41",
      "é",
      "'",
      "{",
      "}",
      "\\`",
      "\\${",
    ),
  )
  .map((units) => units.join(""));
const hole = fc.constantFrom("x", "{ a: 1 }.a", "f(`}`)", "`${x}`", "x /* } */");

test("law: the place of a word in a query is the place of that word in the cell", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ raw, hole }), { maxLength: 3 }), raw, (pieces, last) => {
      const { text, query, ...of } = template(pieces, `${last}MARK`);
      const found = offsetInText(text, text.indexOf("sql"), of, query.lastIndexOf("MARK"));
      // Where a hole looks like the text behind it nobody can tell, and then nothing is said.
      if (found !== undefined && pieces.every((piece) => !piece.hole.includes("}")))
        expect(text.slice(found, found + 4)).toBe("MARK");
      if (pieces.every((piece) => piece.hole === "x")) expect(found).toBe(text.lastIndexOf("MARK"));
    }),
  );
});

test("a text that holds another template has no place for it", () => {
  const { parts, raw: written } = template([], "SELECT 1");
  expect(offsetInText("sql`SELECT 2`", 0, { parts, raw: written }, 7)).toBeUndefined();
  expect(offsetInText("no template", 0, { parts, raw: written }, 7)).toBeUndefined();
});
