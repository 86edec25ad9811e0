/** Documents of PDF, Office and HTML become Markdown, which is read in stretches and looked through. */
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import {
  docxOf,
  drawn,
  opening,
  pageObjects,
  paragraph,
  pdfOf,
  pptxOf,
  shape,
  slideParagraph,
  textCell,
  usePackages,
  xlsxOf,
} from "./written-documents.ts";

beforeEach(() => {
  usePackages();
  return () => vi.restoreAllMocks();
});

const song = drawn(["The Silver Swan", "who living had no note"]);
const PRICES = `<row r="1">${textCell("A1", "Fruit")}${textCell("B1", "Price | kilo")}</row><row r="2">${textCell("A2", "Plum")}<c r="B2"><v>2.5</v></c></row>`;
const LETTER = [
  paragraph("Songs", "Heading1"),
  paragraph("Sicut cervus"),
  `<w:tbl><w:tr><w:tc>${paragraph("a")}</w:tc><w:tc>${paragraph("b")}</w:tc></w:tr></w:tbl>`,
].join("");

const cellOf = (text: string) => `<a:tc><a:txBody>${slideParagraph(text)}</a:txBody></a:tc>`;
const SLIDES = [
  [
    shape('<p:ph type="ctrTitle"/>', "The &amp; Silver", "Swan"),
    shape('<p:ph idx="1"/>', "who living", ["had no note", 1]),
    shape('<p:ph type="sldNum"/>', "1"),
    `<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="a swan"/></p:nvPicPr></p:pic>`,
  ].join(""),
  `${shape("", "A box")}<p:graphicFrame><a:graphic><a:tbl><a:tr>${cellOf("Fruit")}${cellOf("a | b")}</a:tr><a:tr>${cellOf("Plum")}${cellOf("2")}</a:tr></a:tbl></a:graphic></p:graphicFrame>
  <mc:AlternateContent><mc:Choice>${shape("", "once")}</mc:Choice><mc:Fallback>${shape("", "once")}</mc:Fallback></mc:AlternateContent>`,
];

test.each<[string, Uint8Array | string, { kind: string; text: string }]>([
  [
    "song.pdf",
    pdfOf(pageObjects(song)),
    { kind: "pdf", text: "## Page 1\n\nThe Silver Swan\nwho living had no note" },
  ],
  ["song.docx", docxOf(LETTER), { kind: "docx", text: "# Songs\n\nSicut cervus\n\na | b" }],
  [
    "fruit.xlsx",
    xlsxOf(PRICES),
    {
      kind: "xlsx",
      text: "## Prices\n\n| Fruit | Price \\| kilo |\n| --- | --- |\n| Plum | 2.5 |",
    },
  ],
  [
    "song.pptx",
    pptxOf(SLIDES, {
      attributes: ' show="0"',
      notes: `${shape('<p:ph type="sldImg"/>', "1")}${shape('<p:ph type="body"/>', "Sing it.")}`,
    }),
    {
      kind: "pptx",
      text: "## Slide 1 (hidden): The & Silver Swan\n\n- who living\n  - had no note\n\n[picture: a swan]\n\n### Notes\n\n- Sing it.\n\n## Slide 2\n\nA box\n\n| Fruit | a \\| b |\n| --- | --- |\n| Plum | 2 |\n\nonce",
    },
  ],
  [
    "song.html",
    `<title>t</title><h2>Songs</h2><p>One <a href="https://example.org/a">link</a> and <a href="/etc">another</a></p>`,
    { kind: "html", text: "## Songs\n\nOne [link](https://example.org/a) and another" },
  ],
  ["song.txt", "one\r\ntwo\n", { kind: "text", text: "one\ntwo" }],
])("M40 %s is opened as Markdown", async (name, bytes, expected) => {
  expect(await opening(name, bytes)()).toMatchObject({ ...expected, from: 1 });
});

test("M40 a document is read on from a line, and words are found with wildcards, the next ones too", async () => {
  const open = opening(
    "long.docx",
    docxOf(Array.from({ length: 500 }, (_, at) => paragraph(`Line ${at} of the Song`)).join("")),
  );
  expect(await open()).toMatchObject({ from: 1, to: 400, of: 999 });
  expect(await open({ from: 401 })).toMatchObject({ from: 401, to: 800 });
  const first = await open({ find: "LINE 3* song" });
  expect([first.from, first.text.slice(0, 18)]).toEqual([7, "Line 3 of the Song"]);
  const next = await open({ find: "LINE 3* song", from: first.from + 1 });
  expect(next.text).toMatch(/^Line 30 of/);
  await expect(open({ find: "song*line" })).rejects.toMatchObject({ code: "M8322" });
});

test("a paragraph that is longer than a stretch is broken, and none of it is lost", async () => {
  const words = Array.from({ length: 9_000 }, (_, at) => `w${at}`).join(" ");
  const open = opening("long.txt", `${words}${"x".repeat(3_000)}`);
  let text = "";
  for (let from = 1, of = 1; from <= of; ) {
    const shown = await open({ from });
    text += shown.text.replaceAll("\n", "");
    of = shown.of;
    from = shown.to + 1;
  }
  expect(text.length).toBe(words.length + 3_000);
});

test("a .pptx needs no package", async () => {
  vi.mocked(process.cwd).mockReturnValue(temporaryFolder());
  expect(await opening("a.pptx", pptxOf([shape("", "plain words")]))()).toMatchObject({
    text: "## Slide 1\n\nplain words",
  });
});

test.each([
  ["a.pdf", pdfOf(pageObjects(song)), "npm install unpdf@^1.7.0"],
  ["a.docx", docxOf(LETTER), "npm install mammoth@^1.13.0"],
  ["a.xlsx", xlsxOf(PRICES), "npm install read-excel-file@^9.3.0"],
])("the command that installs the package for %s is told", async (name, bytes, command) => {
  vi.mocked(process.cwd).mockReturnValue(temporaryFolder());
  await expect(opening(name, bytes)()).rejects.toMatchObject({
    code: "M8326",
    message: expect.stringContaining(command),
  });
});
