/** Runs as a process of its own: writes the text of a PDF, a sheet or a presentation as Markdown, of a .docx as HTML, to its output. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [kind, library = "", path = ""] = process.argv.slice(2);

/** The parts of the three packages that are used here. */
interface Unpdf {
  getDocumentProxy(bytes: Uint8Array, options: object): Promise<PdfDocument>;
}

interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly PdfItem[] }>;
  }>;
}

interface PdfItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

interface Mammoth {
  readonly images: { imgElement(make: () => Promise<{ src: string }>): unknown };
  convertToHtml(
    input: { readonly buffer: Buffer },
    options: object,
  ): Promise<{ readonly value: string }>;
}

type ReadSheets = (
  bytes: Buffer,
) => Promise<readonly { readonly sheet: string; readonly data: readonly (readonly unknown[])[] }[]>;

try {
  const bytes = readFileSync(path);
  process.stdout.write(await convert(bytes));
} catch (thrown) {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  process.stderr.write(`\nmadrigal: ${message.replace(/\s+/g, " ").slice(0, 300)}\n`);
  process.exitCode = 1;
}

async function convert(bytes: Buffer): Promise<string> {
  if (kind === "pptx") return (await import("./convert-slides.ts")).slidesToMarkdown(bytes);
  const loaded = await import(pathToFileURL(library).href);
  if (kind === "pdf") return textOfPdf(loaded, bytes);
  return kind === "docx" ? htmlOfWord(loaded, bytes) : tablesOfSheets(loaded, bytes);
}

/** One page after another: the number of pages that a document declares may be any. */
async function textOfPdf({ getDocumentProxy }: Unpdf, bytes: Buffer): Promise<string> {
  const quiet = { verbosity: 0, isEvalSupported: false, stopAtErrors: true };
  const pdf = await getDocumentProxy(new Uint8Array(bytes), quiet);
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    const text = items.map(({ str = "", hasEOL }) => (hasEOL ? `${str}\n` : str)).join("");
    pages.push(`## Page ${number}\n\n${text.trim()}\n`);
  }
  return pages.join("\n");
}

/** No picture is read, and none is fetched: its description stays. */
async function htmlOfWord({ convertToHtml, images }: Mammoth, bytes: Buffer): Promise<string> {
  const convertImage = images.imgElement(async () => ({ src: "" }));
  const { value } = await convertToHtml(
    { buffer: bytes },
    { convertImage, externalFileAccess: false },
  );
  return value;
}

async function tablesOfSheets(
  loaded: { readonly default: ReadSheets | { readonly default: ReadSheets } },
  bytes: Buffer,
): Promise<string> {
  const read = typeof loaded.default === "function" ? loaded.default : loaded.default.default;
  return (await read(bytes))
    .map(({ sheet, data: [head = [], ...rows] }) =>
      [`## ${sheet}\n`, row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n"),
    )
    .join("\n\n");
}

function row(cells: readonly unknown[]): string {
  return `| ${cells.map(cell).join(" | ")} |`;
}

function cell(value: unknown): string {
  const text = value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? "");
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
