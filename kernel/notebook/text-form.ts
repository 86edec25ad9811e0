/**
 * Reads and writes a notebook as Markdown, which people review and merge: cells with their ids and metadata, no outputs. A line
 * `<!-- cell ID KIND {…} -->` stands before each cell.
 */
import { classify } from "../cells/kinds/classify.ts";
import { CommandError } from "../command-error.ts";
import { isCode, type NotebookCell, type NotebookFile } from "./notebook.ts";

/** The end of the name of such a file. */
export const TEXT_SUFFIX = ".madrigal.md";

export function isTextForm(file: string): boolean {
  return file.endsWith(TEXT_SUFFIX);
}

export function writeText({ metadata, cells }: NotebookFile): string {
  const head = `<!-- notebook ${jsonInComment(metadata)} -->\n\n`;
  return head + cells.map(writeCell).join("");
}

function writeCell(cell: NotebookCell): string {
  const { id, cell_type: kind, source, metadata } = cell;
  const attachments = "attachments" in cell && cell.attachments !== undefined;
  const about = {
    ...(ID.test(id) ? {} : { id }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(attachments ? { attachments: cell.attachments } : {}),
  };
  const facts = Object.keys(about).length === 0 ? "" : ` ${jsonInComment(about)}`;
  const body = isCode(cell) ? fenced(source) : escaped(source);
  return `<!-- cell ${ID.test(id) ? id : "named-so"} ${kind}${facts} -->\n${body}\n\n`;
}

/** The fence is longer than any row of such characters in the text. */
function fenced(source: string): string {
  const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${LANGUAGES[classify(source).kind]}\n${escaped(source)}\n${fence}`;
}

const LANGUAGES = {
  typescript: "ts",
  graph: "madrigal",
  sql: "sql",
  shell: "sh",
  python: "python",
  magic: "text",
};

/** A line that looks like ours gets a backslash, and one that has backslashes there one more. */
function escaped(source: string): string {
  return source.replaceAll(/^<!-- \\*cell /gm, (mark) => mark.replace("<!-- ", "<!-- \\"));
}

function unescaped(text: string): string {
  return text.replaceAll(/^<!-- \\+cell /gm, (mark) => mark.replace("\\", ""));
}

/** JSON in which nothing ends the comment. */
function jsonInComment(value: unknown): string {
  return JSON.stringify(value).replaceAll(">", "\\u003e");
}

const ID = /^[\w-]{1,64}$/;
const HEAD = /^<!-- notebook (\{[^\n]*\}) -->$/;
const CELL = /^<!-- cell ([\w-]{1,64}) (code|markdown|raw)(?: (\{[^\n]*\}))? -->$/;

/** Throws M7706 with the line for what is no notebook as text. */
export function readText(text: string): NotebookFile {
  // Line ends of Windows are those of the file, not of its cells.
  const isWindows = /^[^\n]*\r\n/.test(text);
  const lines = (isWindows ? text.replaceAll("\r\n", "\n") : text).split("\n");
  const [, metadata] = HEAD.exec(lines[0] ?? "") ?? [];
  if (metadata === undefined) throw wrongText(1, "it does not begin with `<!-- notebook {…} -->`");
  const starts = lines.flatMap((line, at) => (line.startsWith("<!-- cell ") ? [at] : []));
  const cells = starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    // An empty line stands between cells, and the file ends with one.
    const body = lines.slice(start + 1, end);
    const ours = index === starts.length - 1 ? 2 : 1;
    return readCell(lines[start] ?? "", body.slice(0, lastTextLine(body, ours)), start + 1);
  });
  return { metadata: readJson(metadata, 1), cells } as NotebookFile;
}

/** So many empty lines at the end are not the cell's. */
function lastTextLine(body: readonly string[], ours: number): number {
  let end = body.length;
  for (let left = ours; left > 0 && end > 0 && body[end - 1] === ""; left -= 1) end -= 1;
  return end;
}

function readCell(head: string, body: readonly string[], line: number): NotebookCell {
  const [, named = "", kind, json] = CELL.exec(head) ?? [];
  if (kind === undefined)
    throw wrongText(line, "a cell begins with `<!-- cell ID code|markdown|raw {…} -->`");
  const about = json === undefined ? {} : readJson(json, line);
  const { metadata = {}, attachments, id = named } = about;
  if (kind === "code") {
    const source = readFence(body, line);
    return {
      id,
      cell_type: kind,
      metadata,
      source,
      execution_count: null,
      outputs: [],
    } as NotebookCell;
  }
  const source = unescaped(body.join("\n"));
  const more = attachments === undefined ? {} : { attachments };
  return { id, cell_type: kind, metadata, source, ...more } as NotebookCell;
}

function readFence(body: readonly string[], line: number): string {
  const [, fence] = /^(`{3,})/.exec(body[0] ?? "") ?? [];
  const end = fence === undefined ? -1 : body.lastIndexOf(fence);
  if (fence === undefined || end < 1)
    throw wrongText(line + 1, "the code of a cell stands in a fence of ```");
  const rest = body.slice(end + 1).find((one) => one.trim() !== "");
  if (rest !== undefined)
    throw wrongText(line + 1, "behind the fence of a cell of code stands nothing more");
  return unescaped(body.slice(1, end).join("\n"));
}

function readJson(text: string, line: number): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw wrongText(line, `its JSON is wrong: ${(cause as Error).message}`);
  }
}

function wrongText(line: number, why: string): CommandError {
  return new CommandError("M7706", `this is no notebook as text: line ${line}: ${why}`, {
    hint: "`madrigal text NOTEBOOK.ipynb` writes one",
  });
}
