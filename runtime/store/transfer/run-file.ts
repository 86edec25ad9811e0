/**
 * A run as one file of lines of JSON, in this order: `{ format, version, run, summary, hidden, leftOut }`, `{ ir }`,
 * `{ records }` in portions, `{ artifact, base64 }` for each of its files, and `{ end: { records, artifacts, sha256 } }`, the
 * hash being that of all bytes before the last line.
 */
import { createHash, type Hash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hashIr, type Ir } from "../../../dsl/index.ts";
import { systemClock } from "../../clock.ts";
import { messageOf, RunError } from "../../failure.ts";
import type { LogRecord } from "../../records/records.ts";
import { removeAbandoned, unfinishedName } from "../artifacts/unfinished.ts";
import type { ArtifactInfo, RunMeta, StoredRun, SummaryUpdate } from "../run-store.ts";
import { fileInZip, isZip } from "./zip.ts";

export interface Exported {
  readonly runId: string;
  readonly file: string;
  readonly records: number;
  /** The records in which something that looks like a secret was hidden. */
  readonly hidden: number;
  /** The hashes of artifacts that would have told one, or whose bytes are gone. */
  readonly leftOut: readonly string[];
}

const format = "madrigal-run";
const fileVersion = 1;
const recordsAPortion = 256;
const graceMs = 60_000;

/** The name of the file in an archive that was made for people. */
export const ARCHIVED_RUN_FILE = "run.madrigal-run";

export interface FileArtifact {
  readonly hash: string;
  readonly info: ArtifactInfo;
  readonly bytes: Uint8Array;
}

export interface RunFile {
  readonly run: StoredRun;
  /** In how many records something was hidden. */
  readonly hidden: number;
  /** The hashes of files that would have told a secret, or were not there. */
  readonly leftOut: readonly string[];
  readonly artifacts: Iterable<FileArtifact>;
}

/** Writes all of the file or nothing; closed to others, as the store is. M5116 where it can't. */
export function writeRunFile(path: string, content: RunFile): void {
  const unfinished = unfinishedName(path);
  try {
    removeAbandoned(path, systemClock.now() - graceMs);
    const file = openSync(unfinished, "w", 0o600);
    try {
      for (const line of hashedLines(content)) writeSync(file, line);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    discard(unfinished);
    throw error instanceof RunError ? error : fileError(path, "written", error);
  }
}

function discard(unfinished: string): void {
  try {
    rmSync(unfinished, { force: true });
  } catch {
    // What kept it from being written is told; below a file there is nothing to remove.
  }
}

/**
 * Reads a run from a file, or from the file in an archive, and checks its hashes. Throws M5112 where it is incomplete,
 * M5113 where it is too new.
 */
export function readRunFile(path: string): RunFile {
  const given = bytesOf(path);
  const bytes = isZip(given) ? unpacked(given, path) : given;
  const lines = linesOf(bytes);
  const head = jsonOf<RunFileHead>(lines[0], path);
  if (head.format !== format) throw notOurs(path, "it is no exported run");
  if (head.version > fileVersion) throw newerFile(path, head.version);
  const last = lines.at(-1);
  const { end } = jsonOf<Partial<RunFileEnd>>(last, path);
  if (end === undefined || last === undefined) throw notOurs(path, "it was cut off");
  const before = bytes.subarray(0, last.byteOffset - bytes.byteOffset);
  if (createHash("sha256").update(before).digest("hex") !== end.sha256) {
    throw notOurs(path, "it was changed since it was written");
  }
  return contentOf(path, { head, end, lines: lines.slice(1, -1) });
}

function unpacked(archive: Uint8Array, path: string): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = fileInZip(archive, ARCHIVED_RUN_FILE);
  } catch (cause) {
    throw notOurs(path, `it is a damaged archive: ${messageOf(cause)}`);
  }
  if (bytes !== undefined) return bytes;
  throw notOurs(path, `it is an archive without a \`${ARCHIVED_RUN_FILE}\``);
}

function* hashedLines(content: RunFile): Generator<Buffer> {
  const hash = createHash("sha256");
  const counts = { records: content.run.records.length, artifacts: 0 };
  for (const part of partsOf(content)) {
    if ("artifact" in part) counts.artifacts += 1;
    yield hashed(part, hash);
  }
  const sha256 = hash.copy().digest("hex");
  yield hashed({ end: { ...counts, sha256 } }, hash);
}

function hashed(part: unknown, hash: Hash): Buffer {
  const line = Buffer.from(`${JSON.stringify(part)}\n`);
  hash.update(line);
  return line;
}

function* partsOf({ run, hidden, leftOut, artifacts }: RunFile): Generator<object> {
  const { ir, ...meta } = run.meta;
  yield { format, version: fileVersion, run: meta, summary: run.summary, hidden, leftOut };
  yield { ir };
  for (let from = 0; from < run.records.length; from += recordsAPortion) {
    yield { records: run.records.slice(from, from + recordsAPortion) };
  }
  for (const { hash, info, bytes } of artifacts) {
    yield { artifact: { hash, ...info }, base64: Buffer.from(bytes).toString("base64") };
  }
}

interface RunFileHead {
  readonly format: string;
  readonly version: number;
  readonly run: Omit<RunMeta, "ir">;
  readonly summary: SummaryUpdate;
  readonly hidden: number;
  readonly leftOut: readonly string[];
}

interface RunFileEnd {
  readonly end: { readonly records: number; readonly artifacts: number; readonly sha256: string };
}

type RunFilePart =
  | { readonly ir: Ir }
  | { readonly records: readonly LogRecord[] }
  | { readonly artifact: ArtifactInfo & { readonly hash: string }; readonly base64: string };

function contentOf(
  path: string,
  { head, end, lines }: { head: RunFileHead; end: RunFileEnd["end"]; lines: readonly Uint8Array[] },
): RunFile {
  const parts = lines.map((line) => jsonOf<RunFilePart>(line, path));
  const ir = parts.find((part) => "ir" in part)?.ir;
  if (ir === undefined || hashIr(ir) !== ir.hash || ir.hash !== head.run.graphHash) {
    throw notOurs(path, "its graph is not the one of the run");
  }
  const records = parts.flatMap((part) => ("records" in part ? part.records : []));
  const artifacts = parts.flatMap((part) => ("artifact" in part ? [artifactOf(part, path)] : []));
  if (records.length !== end.records || artifacts.length !== end.artifacts) {
    throw notOurs(path, "it lacks some of its lines");
  }
  const { hidden, leftOut, summary } = head;
  return { run: { meta: { ...head.run, ir }, summary, records }, hidden, leftOut, artifacts };
}

function artifactOf(
  { artifact: { hash, ...info }, base64 }: Extract<RunFilePart, { readonly base64: string }>,
  path: string,
): FileArtifact {
  const bytes = Buffer.from(base64, "base64");
  if (createHash("sha256").update(bytes).digest("hex") !== hash) {
    throw notOurs(path, `the bytes of artifact \`${hash}\` have another hash`);
  }
  return { hash, info, bytes };
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  const lineEnd = 0x0a;
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(lineEnd, from);
    const end = at === -1 ? bytes.length : at;
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return lines;
}

function jsonOf<T>(line: Uint8Array | undefined, path: string): T {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    if (typeof value === "object" && value !== null) return value as T;
  } catch {
    // Said below, as of any other line that is none of ours.
  }
  throw notOurs(path, "it is no exported run, or was cut off");
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileError(path, "read", error);
  }
}

function fileError(path: string, what: "read" | "written", cause: unknown): RunError {
  return new RunError("M5116", `\`${path}\` can't be ${what}: ${messageOf(cause)}`, {
    hint:
      what === "read"
        ? "is it there, and may you read it?"
        : "check that the folder can be written and has room",
    cause,
  });
}

function notOurs(path: string, what: string): RunError {
  return new RunError("M5112", `\`${path}\` can't be imported: ${what}`, {
    hint: "nothing of it was taken; export the run again with `madrigal export`",
  });
}

function newerFile(path: string, version: number): RunError {
  const text = `\`${path}\` was exported by a newer Madrigal (version ${version} of the file, this one knows ${fileVersion})`;
  return new RunError("M5113", text, { hint: "update madrigal" });
}
