/** Reads one document, or one section of it, as it is on the disk. */
import { constants, realpathSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, sep } from "node:path";
import { nearest } from "../../../dsl/index.ts";
import type { RunError } from "../../failure.ts";
import { docsError } from "./docs-error.ts";
import type { DocumentFile } from "./docs-files.ts";
import { splitSections } from "./docs-sections.ts";

/** A document or section with where it is from; `text` is literal. */
export interface DocsReading {
  readonly package: string;
  readonly file: string;
  readonly heading: string;
  readonly text: string;
  /** The number of characters of the whole document, when `text` is only its beginning. */
  readonly chars?: number;
  /** The headings of the document, when `text` is only its beginning. */
  readonly headings?: readonly string[];
}

/** More than a model should be given of one section; a longer one is cut at a line. */
const TEXT_CHARS_MAX = 8_000;

/** Reads `file`, or of it the section under `heading`. `documents` are the ones that may be read. */
export async function readDocument(
  root: string,
  asked: { readonly file: string; readonly heading?: string | undefined },
  documents: ReadonlyMap<string, DocumentFile>,
): Promise<DocsReading> {
  const document = documents.get(asked.file.replace(/^\.?\//, ""));
  if (document === undefined) throw noSuchDocument(asked.file, documents);
  const text = await readLiteral(root, document.file);
  const { heading = "" } = asked;
  const place = { package: document.package, file: document.file, heading };
  if (heading === "") return cut({ ...place, text }, text);
  const section = sectionOf(text, heading);
  if (section === undefined) throw noSuchHeading(asked.file, heading, text);
  return cut({ ...place, text: section }, text);
}

/** The whole text of a listed document. A link is refused even if it took the file's place a moment ago. */
export async function readLiteral(root: string, file: string): Promise<string> {
  const path = join(root, file);
  try {
    if (!realpathSync(path).startsWith(realpathSync(root) + sep)) throw new Error("it leads out");
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw docsError("M8401", { message: `the document "${file}" cannot be read`, cause });
  }
}

/** The text under `heading`, and under the headings below it when it has none of its own. */
function sectionOf(text: string, heading: string): string | undefined {
  const sections = splitSections(text);
  const at = sections.findIndex((section) => section.heading === heading);
  const section = sections[at];
  if (section === undefined || section.text.trim() !== "") return section?.text;
  const next = sections.slice(at + 1);
  const end = next.findIndex((below) => !below.heading.startsWith(`${heading} > `));
  const last = next.at(end < 0 ? -1 : end - 1);
  if (end === 0 || last === undefined) return section.text;
  const lastLine = last.line - 1 + last.text.split("\n").length;
  return text
    .split("\n")
    .slice(section.line - 1, lastLine)
    .join("\n");
}

function cut(reading: DocsReading, document: string): DocsReading {
  const { text } = reading;
  if (text.length <= TEXT_CHARS_MAX) return reading;
  const end = text.lastIndexOf("\n", TEXT_CHARS_MAX);
  return {
    ...reading,
    text: text.slice(0, end > 0 ? end : TEXT_CHARS_MAX),
    chars: text.length,
    ...(reading.heading === "" ? { headings: headingsOf(document) } : {}),
  };
}

function headingsOf(text: string): string[] {
  return splitSections(text).map(({ heading }) => heading);
}

function noSuchDocument(file: string, documents: ReadonlyMap<string, DocumentFile>): RunError {
  const near = nearest(file, [...documents.keys()]);
  const hint =
    near === undefined ? "take `file` from a hit of docs.search" : `did you mean "${near}"?`;
  return docsError("M8401", { message: `there is no document "${file}"`, hint });
}

function noSuchHeading(file: string, heading: string, text: string): RunError {
  const near = nearest(heading, headingsOf(text));
  const hint =
    near === undefined ? "leave `heading` out to read the document" : `did you mean "${near}"?`;
  return docsError("M8402", { message: `"${file}" has no heading "${heading}"`, hint });
}
