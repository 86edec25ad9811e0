/** What holds for every text: nothing is lost, a second time changes nothing, the tree is the same. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPieces } from "../../../dsl/format/pieces.ts";
import { format, print } from "../../../dsl/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { compiled } from "../report.ts";
import { mutants } from "../syntax/mutations.ts";
import { formatted, treeOf, written } from "./formatting.ts";
import { type Draw, scrambled } from "./scrambled.ts";

describe.each(written)("$file", ({ text }) => {
  test("is written as the formatter writes it", () => {
    expect(treeOf(text).isRight).toBe(true);
    expect(formatted(text)).toBe(text);
  });

  test("is restored from any other white space", () => {
    fc.assert(
      fc.property(fc.gen(), (gen) => {
        const draw: Draw = (below) => gen(fc.nat, { max: below - 1 });
        expect(formatted(scrambled(text, draw))).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  test("with CRLF it stays so", () => {
    const crlf = text.replaceAll("\n", "\r\n");
    expect(formatted(crlf)).toBe(crlf);
  });
});

describe("random graphs", () => {
  test("keep their tokens and their tree, and formatting twice is formatting once", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), (text) => {
        const once = formatted(text);
        expect(imagesOf(once)).toEqual(imagesOf(text));
        expect(formatted(once)).toBe(once);
        expect(treeOf(once)).toEqual(treeOf(text));
        expect(compiled(once).hash).toBe(compiled(text).hash);
      }),
      { numRuns: 100 },
    );
  });

  test("have no line that is too long and could be broken", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), (text) => {
        const long = formatted(text)
          .split("\n")
          .filter((line) => line.length > 100);
        expect(long.filter((line) => !/[`"]/.test(line))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("keep each comment, wherever it stands", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), fc.gen(), (text, gen) => {
        const commented = withComments(text, (below) => gen(fc.nat, { max: below - 1 }));
        if (!treeOf(commented).isRight) return;
        const once = formatted(commented);
        expect(imagesOf(once)).toEqual(imagesOf(commented));
        expect(formatted(once)).toBe(once);
        expect(treeOf(once)).toEqual(treeOf(text));
      }),
      { numRuns: 100 },
    );
  });

  test("are restored from any other white space", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), fc.gen(), (text, gen) => {
        const once = formatted(text);
        expect(formatted(scrambled(once, (below) => gen(fc.nat, { max: below - 1 })))).toBe(once);
      }),
      { numRuns: 30 },
    );
  });

  test("are printed as the formatter writes them", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), (text) => {
        const printed = print(compiled(text));
        expect(formatted(printed)).toBe(printed);
      }),
      { numRuns: 60 },
    );
  });
});

test("any text at all: nothing is lost, and formatting twice is formatting once", () => {
  fc.assert(
    fc.property(arbitraryText(), (text) => void outcomeOf(text)),
    { numRuns: 2000 },
  );
});

test("3,000 mutants: at most 5 % are refused, and none for a fault of ours", () => {
  // A fixed seed: of other seeds some lie above and some below, by chance.
  const reasons = [...mutants(7, 3000)].map(({ text }) => outcomeOf(text, { readsTree: false }));
  expect(reasons.filter((reason) => reason === "changed")).toEqual([]);
  expect(reasons.filter((reason) => reason !== "formatted").length).toBeLessThanOrEqual(150);
});

/** Formats, checks the laws, and says how it went. */
function outcomeOf(text: string, { readsTree } = { readsTree: true }): string {
  const result = format({ file: "test.madrigal", text });
  if (!("text" in result)) return result.refused.reason;
  const { text: once } = result;
  expect(imagesOf(once)).toEqual(imagesOf(text));
  expect(formatted(once)).toBe(once);
  if (!readsTree) return "formatted";
  const before = treeOf(text);
  if (before.isRight) expect(treeOf(once)).toEqual(before);
  return "formatted";
}

/**
 * Everything that is no white space between tokens; a comment's own lines may have moved, and the
 * signs between items may be left out.
 */
function imagesOf(text: string): readonly string[] {
  const images = toPieces(text).pieces.map(({ text: image }) => image);
  return images
    .filter((image) => !/^[,;|]$/.test(image))
    .map((image) => image.replace(/\n[ \t]*\*/g, "\n*"));
}

/** The text with comments of three kinds between some of its tokens. */
function withComments(text: string, draw: Draw): string {
  let count = 0;
  const comments = [() => " /* c */ ", () => ` // c${count}\n`, () => `\n// own ${count}\n`];
  return toPieces(text)
    .pieces.map((piece, index) => {
      const gap = index === 0 ? "" : piece.breaks > 0 ? "\n" : piece.isTight ? "" : " ";
      if (draw(12) > 0) return `${gap}${piece.text}`;
      count += 1;
      return `${comments[draw(3)]?.() ?? ""}${gap}${piece.text}`;
    })
    .join("");
}

function arbitraryText(): fc.Arbitrary<string> {
  const snippets = [
    ...[
      "graph G {",
      "agent a {",
      "state {",
      "}",
      "(",
      ")",
      "[",
      "]",
      "{",
      "->",
      "|",
      "||",
      "=",
      "==",
    ],
    ...[
      "=>",
      ":",
      "?",
      "?.",
      "??",
      ".",
      "..",
      ",",
      ";",
      "-",
      "!",
      "<",
      ">",
      ">=",
      "*",
      "/",
      "$",
      "§",
    ],
    ...[
      "`a`",
      "```\n b\n```",
      "`${x}`",
      "`",
      "${",
      "// c",
      "/* d */",
      "/*\n * e\n */",
      '"s"',
      '"u',
      "'",
    ],
    ...[
      "1",
      "2s",
      "40k",
      "$3",
      "1.5",
      "x",
      "model",
      "writes",
      "via",
      "when",
      "else",
      "each",
      "match",
    ],
    ...[
      "set",
      "max",
      "on",
      "true",
      "\n",
      "\n",
      "\n\n\n",
      " ",
      " ",
      "   ",
      "\t",
      "\r\n",
      "\r",
      "\uFEFF",
    ],
  ];
  return fc.array(fc.constantFrom(...snippets), { maxLength: 60 }).map((parts) => parts.join(""));
}
