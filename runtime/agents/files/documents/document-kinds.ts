/** Tells what a document is by its bytes. */
import { unzipSync } from "fflate";
import { filesError } from "../files-error.ts";
import type { PackagedKind } from "./document-packages.ts";

/** The kinds that a process of its own converts. */
export type ConvertedKind = PackagedKind | "pptx";

/** `text` is shown as it is. */
export type DocumentKind = ConvertedKind | "html" | "text";

/** The bytes that the files within a document may have, unpacked, in all. */
const UNPACKED_BYTES_MAX = 128 * 1024 * 1024;
/** Some writers put other bytes before the first line of a PDF. */
const PDF_START_BYTES = 1024;

/** Returns the kind of a document; its name only tells HTML from other texts. Throws M8327 for one that can't be converted. */
export function kindOf(path: string, bytes: Uint8Array): DocumentKind {
  const start = Buffer.from(bytes.subarray(0, PDF_START_BYTES)).toString("latin1");
  if (start.includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04")) return kindOfArchive(path, bytes);
  if (start.startsWith("\xd0\xcf\x11\xe0"))
    throw unreadable(path, "it is of the old form of Office, or has a password", {
      hint: "it can be saved anew as .docx, .xlsx or .pptx, without a password",
    });
  const isHtml = /\.x?html?$/i.test(path) || /^\s*(?:<!doctype html|<html)\b/i.test(start);
  return isHtml ? "html" : "text";
}

export function unreadable(
  path: string,
  reason: string,
  { hint, cause }: { hint?: string | undefined; cause?: unknown } = {},
): Error {
  return filesError("M8327", { message: `"${path}" can't be read: ${reason}`, hint, cause });
}

/** Looks at the list of an archive; nothing is unpacked. */
function kindOfArchive(path: string, bytes: Uint8Array): DocumentKind {
  const names = new Set<string>();
  let unpacked = 0;
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.add(name);
        unpacked += originalSize;
        return false;
      },
    });
  } catch (cause) {
    throw unreadable(path, "it is a damaged archive", { cause });
  }
  if (unpacked > UNPACKED_BYTES_MAX)
    throw unreadable(
      path,
      `unpacked it has ${unpacked} bytes, and ${UNPACKED_BYTES_MAX} are read at most`,
    );
  if (names.has("word/document.xml")) return "docx";
  if (names.has("xl/workbook.xml")) return "xlsx";
  if (names.has("ppt/presentation.xml")) return "pptx";
  throw unreadable(path, "it is an archive, and neither .docx nor .xlsx nor .pptx");
}
