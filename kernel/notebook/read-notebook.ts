/** Reads the text of a `.ipynb` file as a Notebook, or reports the code and line of what is wrong. */

import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { isRecord } from "../is-record.ts";
import type { MimeData, NotebookCell, NotebookFile, Output } from "./notebook.ts";

type NotebookJson = Readonly<Record<string, unknown>>;

export function readNotebook(text: string, file: string): NotebookFile {
  const json = parse(text, file);
  const complain = (what: string) => notNotebook(what, { file });
  if (!isRecord(json)) throw complain("the JSON is no object");
  assertFormat(json, complain);
  if (!Array.isArray(json.cells)) throw complain("it has no list `cells`");
  const taken = new Set(json.cells.map((cell) => isRecord(cell) && cell.id));
  const cells = json.cells.map((cell: unknown, index) => {
    try {
      return toCell(cell, freeId(index, taken));
    } catch (thrown) {
      throw complain(
        `cell ${index + 1} ${thrown instanceof NotebookMisfit ? thrown.message : "is wrong"}`,
      );
    }
  });
  return { metadata: objectOf(json.metadata), cells };
}

function parse(given: string, file: string): unknown {
  const text = given.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    const why = message.replace(/ in JSON at position.*|, (?:\.\.\.)?"[\s\S]*| \(line.*/, "");
    throw notNotebook(`it is not JSON: ${why}`, { file, ...placeOfFault(text) }, cause);
  }
}

/**
 * Returns the line and column at which a text stops being the beginning of JSON; the engine gives
 * them for some errors only.
 */
function placeOfFault(text: string): { readonly line: number; readonly column: number } {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const before = text.slice(0, good).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "";
    const at = / at position (\d+)/.exec(message)?.[1];
    return /^Unexpected end|^Unterminated/.test(message) || Number(at) >= text.length;
  }
}

interface NotebookPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

function notNotebook(what: string, place: NotebookPlace, cause?: unknown): CommandError {
  return new CommandError("M7701", `\`${place.file}\` is no notebook: ${what}`, {
    hint: "`madrigal explain M7701` describes the format",
    place,
    exitCode: EXIT.wrong,
    cause,
  });
}

function assertFormat(json: NotebookJson, complain: (what: string) => CommandError): void {
  const { nbformat, nbformat_minor } = json;
  if (nbformat === 4 && typeof nbformat_minor === "number") return;
  throw complain(
    nbformat === undefined
      ? "it does not say its `nbformat`"
      : `its format is ${String(nbformat)}.${String(nbformat_minor)}, and we read 4.0 to 4.5`,
  );
}

/** A cell that does not have the form of a notebook's; the message continues after "cell 3". */
class NotebookMisfit extends Error {}

function toCell(json: unknown, newId: () => string): NotebookCell {
  if (!isRecord(json)) throw new NotebookMisfit("is no object");
  const { cell_type } = json;
  const shared = {
    id: typeof json.id === "string" && json.id !== "" ? json.id : newId(),
    metadata: objectOf(json.metadata),
    source: joined(json.source),
  };
  if (cell_type === "code") {
    if (!Array.isArray(json.outputs)) throw new NotebookMisfit("has no list `outputs`");
    const execution_count = countOf(json.execution_count);
    return { ...shared, cell_type, execution_count, outputs: json.outputs.map(toOutput) };
  }
  if (cell_type === "markdown" || cell_type === "raw") {
    const { attachments } = json;
    return { ...shared, cell_type, ...(isRecord(attachments) ? toAttachments(attachments) : {}) };
  }
  throw new NotebookMisfit(`has an unknown type: ${String(cell_type)}`);
}

function toAttachments(json: NotebookJson): { attachments: Record<string, MimeData> } {
  const entries = Object.entries(json).map(([name, data]) => [name, toData(data)] as const);
  return { attachments: Object.fromEntries(entries) };
}

function toOutput(json: unknown): Output {
  if (!isRecord(json)) throw new NotebookMisfit("has an output that is no object");
  const { output_type } = json;
  switch (output_type) {
    case "stream":
      return { output_type, name: String(json.name), text: joined(json.text) };
    case "display_data":
      return { output_type, data: toData(json.data), metadata: objectOf(json.metadata) };
    case "execute_result": {
      const execution_count = countOf(json.execution_count);
      const metadata = objectOf(json.metadata);
      return { output_type, execution_count, data: toData(json.data), metadata };
    }
    case "error": {
      const traceback = Array.isArray(json.traceback) ? json.traceback.map(String) : [];
      return { output_type, ename: String(json.ename), evalue: String(json.evalue), traceback };
    }
    default:
      throw new NotebookMisfit(`has an output of an unknown type: ${String(output_type)}`);
  }
}

function toData(json: unknown): MimeData {
  const entries = Object.entries(objectOf(json)).map(([mime, value]) => [
    mime,
    isJsonMime(mime) || !isLines(value) ? value : value.join(""),
  ]);
  return Object.fromEntries(entries);
}

/** Returns whether values of this mime type are JSON and never split into lines. */
export function isJsonMime(mime: string): boolean {
  return mime === "application/json" || /^application\/.*\+json$/.test(mime);
}

function joined(value: unknown): string {
  if (isLines(value)) return value.join("");
  if (typeof value === "string") return value;
  throw new NotebookMisfit("has a text that is neither a string nor a list of them");
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === "string");
}

function countOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** Before 4.5 cells had no id; the ones we give are the same each time the file is read. */
function freeId(index: number, taken: ReadonlySet<unknown>): () => string {
  return () => {
    let id = `cell-${index + 1}`;
    while (taken.has(id)) id += "-";
    return id;
  };
}

function objectOf(value: unknown): NotebookJson {
  return isRecord(value) ? value : {};
}
