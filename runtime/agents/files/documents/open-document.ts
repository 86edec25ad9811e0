/** Opens documents as Markdown. PDF and Office are converted by a process with limits, for a document can be made to take any time and memory. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../../failure.ts";
import { type CodeLimits, USUAL_LIMITS } from "../../code/code-limits.ts";
import { type EndedCommand, runCommand } from "../../code/run-command.ts";
import { openWorkFolder } from "../../code/work-folder.ts";
import { withoutUnseen } from "../../values/unseen-characters.ts";
import { extractPage } from "../../web/read-page.ts";
import { decodeText, readBytes } from "../read-file.ts";
import type { RootedFiles } from "../rooted-files.ts";
import { type ConvertedKind, type DocumentKind, kindOf, unreadable } from "./document-kinds.ts";
import { documentPackage } from "./document-packages.ts";

/** A document as a person reads it. */
export interface OpenedDocument {
  readonly kind: DocumentKind;
  readonly lines: readonly string[];
}

const MIB = 1024 * 1024;
const DOCUMENT_BYTES_MAX = 32 * MIB;
/** A line of Markdown is a paragraph, which may be longer than what is shown at once. */
const LINE_CHARS_MAX = 2_000;

const LIMITS: CodeLimits = {
  ...USUAL_LIMITS,
  diskBytesMax: MIB,
  fileBytesMax: 0,
  outputBytesMax: 8 * MIB,
};

/** V8 ends the process before the kernel's limit, which counts all else too. */
const HEAP_MIB = 384;

/** Opens a document. Throws M8323 for one that is too large, M8324 for no text, M8326 without its package, M8327 for an unreadable one. */
export async function openDocument(
  files: RootedFiles,
  path: string,
  signal: AbortSignal,
): Promise<OpenedDocument> {
  const bytes = await readBytes(files, path, DOCUMENT_BYTES_MAX);
  const hash = createHash("sha256").update(path).update(bytes).digest("hex");
  const known = last.get(files);
  if (known?.hash === hash) return known.opened;
  const opened = await openBytes(path, bytes, signal);
  last.set(files, { hash, opened });
  return opened;
}

/** The document that was opened last: most calls ask for the next stretch of it. */
const last = new WeakMap<RootedFiles, { readonly hash: string; readonly opened: OpenedDocument }>();

async function openBytes(
  path: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<OpenedDocument> {
  const kind = kindOf(path, bytes);
  const text = withoutUnseen(await toMarkdown(path, kind, bytes, signal));
  const lines = text.split(/\r?\n/).flatMap(brokenLine);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return { kind, lines };
}

async function toMarkdown(
  path: string,
  kind: DocumentKind,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<string> {
  if (kind === "text") return decodeText(bytes, path);
  if (kind === "html") return htmlToMarkdown(path, decodeText(bytes, path), signal);
  const converted = await convert(path, kind, bytes, signal);
  return kind === "docx" ? htmlToMarkdown(path, converted, signal) : converted;
}

async function htmlToMarkdown(path: string, html: string, signal: AbortSignal): Promise<string> {
  // Links to other files of the folder are no addresses for an agent.
  const page = { html, url: "file:///", isWhole: true };
  const { text } = await extractPage(page, signal).catch((cause) => {
    signal.throwIfAborted();
    throw unreadable(path, messageOf(cause), { cause });
  });
  return text;
}

/** Returns Markdown of a PDF, a sheet or a presentation, and HTML of a .docx. */
async function convert(
  path: string,
  kind: ConvertedKind,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<string> {
  const library = kind === "pptx" ? "" : documentPackage(kind);
  const folder = await openWorkFolder({ cwd: undefined, isSandboxed: false });
  try {
    const copy = join(folder.path, "document");
    await writeFile(copy, bytes);
    const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const program = fileURLToPath(new URL(`./convert-document.${ending}`, import.meta.url));
    const node = [process.execPath, `--max-old-space-size=${HEAP_MIB}`];
    const ended = await runCommand({
      ...{ command: [...node, program, kind, library, copy], sandbox: "open", signal },
      ...{ folder: folder.path, user: folder.user, limits: LIMITS, leftMs: LIMITS.timeoutMs },
    });
    if (ended.exitCode === 0 && ended.notes.length === 0) return ended.stdout;
    throw unreadable(path, failureReason(ended));
  } finally {
    await folder.end();
  }
}

/** Returns in words why a conversion failed. */
function failureReason({ exitCode, stderr, notes }: EndedCommand): string {
  if (notes.some((note) => / bytes of stdout | wrote more than /.test(note)))
    return `it has more than ${LIMITS.outputBytesMax} bytes of text`;
  const reason = notes[0] ?? /^madrigal: (.+)$/m.exec(stderr)?.[1];
  if (reason !== undefined) return reason;
  // V8 aborts, or traps, when its memory is at an end, and often says so.
  return exitCode === 134 || exitCode === 133 || /out of memory|bad_alloc/.test(stderr)
    ? "its reader had no memory left"
    : `its reader ended with exit code ${exitCode}`;
}

function brokenLine(line: string): readonly string[] {
  if (line.length <= LINE_CHARS_MAX) return [line];
  return line.match(PARTS) ?? [];
}

/** Up to the last space that fits, or else as much as fits. */
const PARTS = new RegExp(`.{1,${LINE_CHARS_MAX}}(?:\\s|$)|.{1,${LINE_CHARS_MAX}}`, "gu");
