/** Whatever the text is: checking ends, throws nothing, and what it says stands in the text, in order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, parse } from "../../../dsl/index.ts";
import { programs } from "./reading.ts";

const texts = programs.map(({ text }) => text);

/** What is wrong with what is said about a text. */
function faultsOf(text: string): readonly string[] {
  const { findings } = parse({ file: "fuzz.madrigal", text });
  const outside = findings.filter(
    ({ span: { start, end } }) => start < 0 || end < start || end > text.length,
  );
  const { diagnostics } = check({ file: "fuzz.madrigal", text }, { allowUnreadPrograms: true });
  const places = diagnostics.map(({ line, column }) => line * 1e6 + column);
  const isSorted = places.every((place, index) => place >= (places[index - 1] ?? 0));
  const lines = text.split(/\r\n|\n|\r/);
  const beyond = diagnostics.filter(
    ({ line, column, endLine, endColumn }) =>
      isBeyond(lines, line, column) || isBeyond(lines, endLine, endColumn),
  );
  return [
    ...outside.map(({ code }) => `${code} leaves the text`),
    ...beyond.map(({ code, line, column }) => `${code} at ${line}:${column} is nowhere`),
    ...(isSorted ? [] : ["out of order"]),
  ];
}

// A place may be inside the two characters that end a line.
function isBeyond(lines: readonly string[], line: number, column: number): boolean {
  return line < 1 || column < 1 || column > (lines[line - 1]?.length ?? -1) + 2;
}

function expectSound(text: fc.Arbitrary<string>, numRuns: number): void {
  fc.assert(
    fc.property(text, (found) => {
      expect(faultsOf(found)).toEqual([]);
    }),
    { numRuns },
  );
}

const anyProgram = fc.constantFrom(...texts);
const signs = fc.constantFrom(..."{}()[]`$\"'\\/*-=><|&?!.,:;#\n\r\t\0 ", "```", "${", "//", "/*");
const odd = fc.constantFrom("\u2028", "\uFEFF", "\u00A0", "\u{1F600}", "\uD800", "é", "→", "“");

test("random bytes", () => {
  expectSound(fc.string({ unit: "binary", maxLength: 300 }), 300);
});

test("random signs and words", () => {
  const words = fc.constantFrom("graph", "agent", "state", "test", "start", "each", "x", "1", "3m");
  const parts = fc.array(fc.oneof(signs, odd, words, fc.constant(" ")), { maxLength: 200 });
  expectSound(
    parts.map((each) => each.join("")),
    500,
  );
});

test("programs that end too early", () => {
  const cut = fc.tuple(anyProgram, fc.nat()).map(([text, at]) => text.slice(0, at % text.length));
  expectSound(cut, 300);
});

test("programs that begin too late", () => {
  const cut = fc.tuple(anyProgram, fc.nat()).map(([text, at]) => text.slice(at % text.length));
  expectSound(cut, 300);
});

test("programs put together from two", () => {
  const spliced = fc
    .tuple(anyProgram, anyProgram, fc.nat(), fc.nat())
    .map(([a, b, from, to]) => a.slice(0, from % a.length) + b.slice(to % b.length));
  expectSound(spliced, 300);
});

test("programs with a few characters too many", () => {
  const dotted = fc
    .tuple(anyProgram, fc.array(fc.tuple(fc.nat(), fc.oneof(signs, odd)), { maxLength: 5 }))
    .map(([text, additions]) =>
      additions.reduce((changed, [at, sign]) => {
        const place = at % changed.length;
        return changed.slice(0, place) + sign + changed.slice(place);
      }, text),
    );
  expectSound(dotted, 300);
});
