/** Writes a Notebook as Jupyter lays it out: keys sorted, texts as lists of lines. */
import type { MimeData, NotebookCell, NotebookFile, Output } from "./notebook.ts";
import { isJsonMime } from "./read-notebook.ts";

export function writeNotebook({ metadata, cells }: NotebookFile): string {
  const file = { metadata, nbformat: 4, nbformat_minor: 5, cells: cells.map(toFile) };
  return `${JSON.stringify(sorted(file), null, 1)}\n`;
}

function toFile(cell: NotebookCell): object {
  const source = lines(cell.source);
  return cell.cell_type === "code"
    ? { ...cell, source, outputs: cell.outputs.map(outputToFile) }
    : { ...cell, source, ...attachmentsToFile(cell.attachments) };
}

function attachmentsToFile(attachments: Readonly<Record<string, MimeData>> | undefined): object {
  if (attachments === undefined) return {};
  const entries = Object.entries(attachments).map(([name, data]) => [name, dataToFile(data)]);
  return { attachments: Object.fromEntries(entries) };
}

function outputToFile(output: Output): object {
  switch (output.output_type) {
    case "stream":
      return { ...output, text: lines(output.text) };
    case "display_data":
    case "execute_result":
      return { ...output, data: dataToFile(output.data) };
    case "error":
      return output;
  }
}

function dataToFile(data: MimeData): object {
  const entries = Object.entries(data).map(([mime, value]) => [
    mime,
    typeof value === "string" && isText(mime) ? lines(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Pictures in base64 stay one string. */
function isText(mime: string): boolean {
  const isSplit = mime.startsWith("text/") || SPLIT.includes(mime);
  return isSplit && !isJsonMime(mime);
}

const SPLIT = ["application/javascript", "image/svg+xml"];

/** The lines of a text, each with what ends it, as Python's `splitlines(True)` divides them. */
function lines(text: string): readonly string[] {
  return text.match(LINE) ?? [];
}

const ENDS = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
const LINE = new RegExp(`[^${ENDS}]*(?:\\r\\n|[${ENDS}])|[^${ENDS}]+$`, "g");

/** With the keys of every object in the order of their code points. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key as keyof typeof value])]));
}
