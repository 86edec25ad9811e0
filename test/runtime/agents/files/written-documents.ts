/** Writes small documents of PDF and Office by hand, and opens them with the packages that read them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { vi } from "vitest";
import { createFileTools } from "../../../../runtime/index.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { folderWith } from "../../../support/providers/installed.ts";

/** The result of `files.open`. */
export interface ShownDocument {
  readonly text: string;
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

/** Makes the packages be found as in the project of a user. */
export function usePackages(): void {
  const folder = folderWith(["unpdf@1.7.0", "mammoth@1.13.0", "read-excel-file@9.3.17"]);
  vi.spyOn(process, "cwd").mockReturnValue(folder);
}

/** Returns a call of `files.open` on a folder with one document. */
export function opening(name: string, bytes: Uint8Array | string) {
  const root = temporaryFolder();
  writeFileSync(join(root, name), bytes);
  const { open } = createFileTools({ root });
  const context = { signal: new AbortController().signal };
  const call = open as unknown as (input: object, context: object) => Promise<ShownDocument>;
  return (where: { readonly from?: number; readonly find?: string } = {}) =>
    call({ path: name, ...where }, context);
}

/** A PDF of objects from 1 on; its first is the catalog. */
export function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const places: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    const begin = `${index + 1} 0 obj\n`;
    const part = Buffer.concat([
      Buffer.from(begin),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    places.push(at);
    parts.push(part);
    at += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`));
  return Buffer.concat(parts);
}

/** The objects of a PDF of one page; `content` is what the page draws. */
export function pageObjects(content: Buffer, filter = ""): readonly (string | Buffer)[] {
  const length = `<< /Length ${content.length}${filter} >>\nstream\n`;
  return [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    Buffer.concat([Buffer.from(length), content, Buffer.from("\nendstream")]),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
}

/** Makes the drawing of lines of text. */
export function drawn(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line}) Tj 0 -20 Td`).join(" ");
  return Buffer.from(`BT /F 12 Tf 20 250 Td ${shown} ET`);
}

const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** One relation of a document to a part of it. */
export function relation(type: string, target: string, more = ""): string {
  return `<Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"${more}/>`;
}

function relations(all: string): string {
  return `<Relationships xmlns="${RELATIONS}">${all}</Relationships>`;
}

function archive(files: Readonly<Record<string, string>>): Uint8Array {
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`;
  const all = Object.entries({ "[Content_Types].xml": types, ...files });
  return zipSync(Object.fromEntries(all.map(([name, text]) => [name, strToU8(text)])));
}

/** A .docx with this body; `before` stands in front of its root element. */
export function docxOf(
  body: string,
  {
    before = "",
    relation: one = "",
  }: { readonly before?: string; readonly relation?: string } = {},
): Uint8Array {
  return archive({
    "_rels/.rels": relations(relation("officeDocument", "word/document.xml")),
    "word/_rels/document.xml.rels": relations(one),
    "word/document.xml": `<?xml version="1.0"?>${before}<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
  });
}

export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A .xlsx with one sheet, of these rows of XML. */
export function xlsxOf(
  rows: string,
  {
    before = "",
    dimension = "A1:B2",
  }: { readonly before?: string; readonly dimension?: string } = {},
): Uint8Array {
  return archive({
    "_rels/.rels": relations(relation("officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(relation("worksheet", "worksheets/sheet1.xml")),
    "xl/worksheets/sheet1.xml": `<?xml version="1.0"?>${before}<worksheet xmlns="${SHEET}"><dimension ref="${dimension}"/><sheetData>${rows}</sheetData></worksheet>`,
  });
}

/** A cell of text. */
export function textCell(place: string, text: string): string {
  return `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

const SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";

/** A .pptx of slides of XML, shown in this order; its files are numbered from the last slide on. `notes` are those of the first. */
export function pptxOf(
  slides: readonly string[],
  {
    before = "",
    notes,
    attributes = "",
  }: {
    readonly before?: string;
    readonly notes?: string;
    /** Attributes of the first slide. */
    readonly attributes?: string;
  } = {},
): Uint8Array {
  const names = `xmlns:p="${SLIDES}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}"`;
  const numberOf = (at: number) => slides.length - at;
  const files = slides.map((slide, at) => [
    `ppt/slides/slide${numberOf(at)}.xml`,
    `<?xml version="1.0"?>${before}<p:sld ${names}${at === 0 ? attributes : ""}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
  ]);
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("");
  const targets = slides.map((_, at) =>
    relation("slide", `slides/slide${numberOf(at)}.xml`).replace("rId1", `rId${at + 1}`),
  );
  const ofNotes: readonly (readonly [string, string])[] =
    notes === undefined
      ? []
      : [
          [
            `ppt/slides/_rels/slide${numberOf(0)}.xml.rels`,
            relations(relation("notesSlide", "../notesSlides/notesSlide1.xml")),
          ],
          ["ppt/notesSlides/notesSlide1.xml", `<p:notes ${names}>${notes}</p:notes>`],
        ];
  return archive({
    "_rels/.rels": relations(relation("officeDocument", "ppt/presentation.xml")),
    "ppt/presentation.xml": `<p:presentation ${names}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(targets.join("")),
    ...Object.fromEntries([...files, ...ofNotes]),
  });
}

/** A shape with paragraphs, given as texts with their levels; `placeholder` is the element that makes it one. */
export function shape(placeholder: string, ...paragraphs: readonly (string | [string, number])[]) {
  const all = paragraphs.map((one) => {
    const [text, level] = typeof one === "string" ? [one, 0] : one;
    return slideParagraph(text, level);
  });
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${all.join("")}</p:txBody></p:sp>`;
}

export function slideParagraph(text: string, level = 0): string {
  return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
}
