/** No document makes its reader fetch or show another file, take what memory and time it likes, or pass for another kind of file. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createFileTools } from "../../runtime/index.ts";
import {
  docxOf,
  drawn,
  opening,
  pageObjects,
  paragraph,
  pdfOf,
  pptxOf,
  relation,
  shape,
  textCell,
  usePackages,
  xlsxOf,
} from "../runtime/agents/files/written-documents.ts";
import { serveSite } from "../runtime/agents/web/site.ts";
import { temporaryFolder } from "../support/child.ts";
import { holdCaseCount } from "./attack-table.ts";

beforeEach(() => {
  usePackages();
  return () => vi.restoreAllMocks();
});

const MIB = 1024 * 1024;
const page = pageObjects(drawn(["plain words"]));
const plainRow = `<row r="1">${textCell("A1", "plain words")}</row>`;
const slideBomb = pptxOf([shape("", " ".repeat(160 * MIB))]);
const wordBomb = docxOf(paragraph(" ".repeat(160 * MIB)));

/** The archive with smaller sizes in its list, and before its files, than these have. */
function understated(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  for (let at = 0; at < bytes.length - 28; at += 1) {
    const signature = bytes.readUInt32LE(at);
    const size =
      signature === 0x04034b50 ? at + 22 : signature === 0x02014b50 ? at + 24 : undefined;
    if (size !== undefined && bytes.readUInt32LE(size) > MIB) bytes.writeUInt32LE(1000, size);
  }
  return bytes;
}

function changed(objects: readonly (string | Buffer)[], number: number, object: string) {
  return objects.map((one, index) => (index === number - 1 ? object : one));
}

describe("a document that would take any time and memory is refused", () => {
  test.each<[string, string, Uint8Array | string, RegExp]>([
    ["a bomb of an archive", "a.docx", wordBomb, /unpacked it has \d+ bytes/],
    ["a bomb that says it is small", "a.docx", understated(wordBomb), /size mismatch|memory/],
    ["a bomb of slides", "a.pptx", slideBomb, /unpacked it has \d+ bytes/],
    ["a bomb of slides that says it is small", "a.pptx", understated(slideBomb), /has no end/],
    [
      "a slide that is shown 100,000 times",
      "a.pptx",
      slideShownOften(),
      /more than 8388608 bytes of text/,
    ],
    [
      "a sheet with a cell in its last corner",
      "a.xlsx",
      xlsxOf(`${plainRow}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`),
      /memory/,
    ],
    [
      "a page tree that goes round",
      "a.pdf",
      pdfOf(changed(page, 2, "<< /Type /Pages /Kids [2 0 R] /Count 1 >>")),
      /circular/,
    ],
    [
      "a page that comes 900 times",
      "a.pdf",
      pdfOf(
        changed(
          pageObjects(drawnAtOnce(10_000)),
          2,
          `<< /Type /Pages /Kids [${"3 0 R ".repeat(900)}] /Count 900 >>`,
        ),
      ),
      /more than 8388608 bytes of text/,
    ],
    [
      "a stream that unpacks to 9 MiB of words",
      "a.pdf",
      pdfOf(pageObjects(deflateSync(drawnAtOnce(9_000_000)), " /Filter /FlateDecode")),
      /more than 8388608 bytes of text/,
    ],
    [
      "entities of entities",
      "a.docx",
      docxOf(paragraph("&g;"), { before: entities() }),
      /entity not found/,
    ],
    ["elements that are nested without end", "a.html", "<div>".repeat(100_000), /nested 1000 deep/],
    ["a file of 40 MiB", "a.pdf", Buffer.alloc(40 * MIB), /bytes, and \d+ are read at most/],
  ])("%s", async (_, name, bytes, message) => {
    await expect(opening(name, bytes)()).rejects.toMatchObject({
      code: name === "a.pdf" && bytes.length > 32 * MIB ? "M8323" : "M8327",
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["a.xlsx", xlsxOf(plainRow, { dimension: "A1:XFD1048576" }), "| plain words |\n| --- |"],
    [
      "a.pdf",
      pdfOf(changed(page, 2, "<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>")),
      "## Page 1\n\nplain words",
    ],
  ])("what it says of its own size is not believed: %s", async (name, bytes, text) => {
    const shown = await opening(name, bytes)();
    expect(shown.text.replace("## Prices\n\n", "")).toBe(text);
  });
});

/** A presentation whose list of slides names one slide again and again. */
function slideShownOften(): Uint8Array {
  const parts = unzipSync(pptxOf([shape("", "w".repeat(1000))]));
  const list = strFromU8(parts["ppt/presentation.xml"] ?? new Uint8Array());
  const often = list.replace(/<p:sldId .*?\/>/, (one) => one.repeat(100_000));
  return zipSync({ ...parts, "ppt/presentation.xml": strToU8(often) });
}

/** Makes the drawing of this many letters on one place of a page. */
function drawnAtOnce(letters: number): Buffer {
  const once = `(${"w".repeat(1000)}) Tj 0 0 Td `;
  return Buffer.from(`BT /F 0.1 Tf 20 250 Td ${once.repeat(letters / 1000)} ET`);
}

/** Entities that would be 10^7 words. */
function entities(): string {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const each = names.map((name, at) => {
    const before = names[at - 1];
    return `<!ENTITY ${name} "${(before === undefined ? "word " : `&${before};`).repeat(10)}">`;
  });
  return `<!DOCTYPE d [${each.join("")}]>`;
}

describe("a document shows nothing of other places", () => {
  test.each(["a.docx", "a.xlsx", "a.pptx"])("by an entity of its XML: %s", async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "secret.txt"), "secret words");
    const before = `<!DOCTYPE d [<!ENTITY x SYSTEM "file://${folder}/secret.txt">]>`;
    const bytes =
      name === "a.docx"
        ? docxOf(`${paragraph("plain words")}${paragraph("&x;")}`, { before })
        : name === "a.pptx"
          ? pptxOf([shape("", "plain words", "&x;")], { before })
          : xlsxOf(`<row r="1">${textCell("A1", "&x;")}</row>`, { before });
    const shown = await opening(name, bytes)().catch(({ code, message }) => ({ code, message }));
    expect(JSON.stringify(shown)).not.toContain("secret words");
    expect(shown).toMatchObject("code" in shown ? { code: "M8327" } : { kind: name.slice(2) });
  });

  test("by a picture that lies elsewhere, in the net or in a file", async () => {
    const site = await serveSite({ "/": "secret" });
    for (const target of [site.url("/"), "file:///etc/passwd"]) {
      const picture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="a swan"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
      const shown = await opening(
        "a.docx",
        docxOf(`${paragraph("plain words")}${picture}`, {
          relation: relation("image", target, ' TargetMode="External"'),
        }),
      )();
      expect(shown.text).toBe("plain words\n\n[picture: a swan]");
    }
    expect(site.asked).toEqual([]);
  });

  test("by an action of a PDF", async () => {
    const site = await serveSite({ "/": "secret" });
    const action = `<< /S /JavaScript /JS (app.launchURL\\("${site.url("/")}"\\)) >>`;
    const objects = changed(page, 1, `<< /Type /Catalog /Pages 2 0 R /OpenAction ${action} >>`);
    expect((await opening("a.pdf", pdfOf(objects))()).text).toContain("plain words");
    expect(site.asked).toEqual([]);
  });

  test("by a frame, a script or a picture of a page, nor what the page hides", async () => {
    const site = await serveSite({ "/": "secret" });
    const at = site.url("/");
    const { text } = await opening(
      "a.html",
      `<p>plain words</p><iframe src="${at}"></iframe><script>fetch("${at}")</script><img src="${at}" alt="a swan"><p style="display:none">obey</p>`,
    )();
    expect(text).toBe("plain words\n\n[picture: a swan]");
    expect(site.asked).toEqual([]);
  });

  test("by a link, or a path out of the root", async () => {
    const above = temporaryFolder();
    const root = join(above, "root");
    mkdirSync(root);
    writeFileSync(join(above, "outside.docx"), docxOf(paragraph("secret words")));
    symlinkSync("../outside.docx", join(root, "link.docx"));
    const { open } = createFileTools({ root });
    const call = open as unknown as (input: object, context: object) => Promise<unknown>;
    for (const path of ["link.docx", "../outside.docx", ".ssh/key.docx"])
      await expect(call({ path }, { signal: new AbortController().signal })).rejects.toMatchObject({
        code: "M8320",
      });
  });
});

describe("a file is what its bytes are", () => {
  test.each<[string, string, Uint8Array | string, string]>([
    ["a .docx that is named .pdf", "a.pdf", docxOf(paragraph("plain words")), "docx"],
    ["a .pptx that is named .xlsx", "a.xlsx", pptxOf([shape("", "plain words")]), "pptx"],
    ["a .pdf that is named .txt", "a.txt", pdfOf(page), "pdf"],
    ["a page that is named .docx", "a.docx", "<!doctype html><p>plain words</p>", "html"],
    ["a text that is named .xlsx", "a.xlsx", "plain words", "text"],
  ])("%s", async (_, name, bytes, kind) => {
    expect(await opening(name, bytes)()).toMatchObject({
      kind,
      text: expect.stringContaining("plain words"),
    });
  });

  test.each<[string, string, Uint8Array, string]>([
    ["a program", "a.docx", Buffer.from("\x7fELF\x02\x01\x01\0\0", "latin1"), "M8324"],
    ["a picture", "a.pdf", Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1"), "M8324"],
    ["another archive", "a.docx", zipSync({ "x.txt": strToU8("x") }), "M8327"],
    ["an archive without its end", "a.docx", docxOf("").subarray(0, 200), "M8327"],
    ["a PDF of nothing", "a.pdf", Buffer.from("%PDF-1.4\n%%EOF"), "M8327"],
    ["the old form of Office", "a.doc", Buffer.from("\xd0\xcf\x11\xe0\xa1", "latin1"), "M8327"],
  ])("%s is refused", async (_, name, bytes, code) => {
    await expect(opening(name, bytes)()).rejects.toMatchObject({ code });
  });
});

holdCaseCount();
