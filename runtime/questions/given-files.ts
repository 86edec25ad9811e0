/** Takes files that people give as answers: their bytes are kept as artifacts of the run, and the answer has references to them. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { FILE_SCHEMA, isRecord, type JsonSchema } from "../../dsl/index.ts";
import { type KeepArtifact, makeArtifact } from "../agents/values/make-artifact.ts";
import type { Made } from "../artifact.ts";
import { messageOf, RunError } from "../failure.ts";
import { misfits } from "../state/json-schema.ts";

/**
 * Bytes of all files of one answer together. They are in memory as a whole, a few times over while they are uploaded, and models
 * take requests of 20 to 50 MB at most.
 */
export const ANSWER_BYTES_MAX = 25 * 1024 * 1024;

/** Files of one answer: each is a record of the log and an artifact of its own. */
export const ANSWER_FILES_MAX = 100;

/** Bytes of a file's name, as UTF-8: file systems take 255, and a number may come behind it. */
const NAME_BYTES_MAX = 200;

/** A file as somebody gives it. Its media type is told by how its name ends. */
export interface GivenFile {
  readonly name: string;
  /** Bytes, or a text. */
  readonly data: Uint8Array | string;
}

/** Returns whether a question for a value of this schema asks for one file, for several, or for something else (undefined). */
export function asksForFiles(schema: JsonSchema | undefined): "one" | "several" | undefined {
  if (schema === undefined) return undefined;
  if (isFile(schema)) return "one";
  const list = alternatives(schema).find(({ type }) => type === "array");
  return isRecord(list?.items) && isFile(list.items) ? "several" : undefined;
}

/** Returns the references to files in a value, at the places where its schema has files. */
export function filesIn(value: unknown, schema: JsonSchema | undefined): readonly Made[] {
  const found: Made[] = [];
  eachFile(value, schema, (file) => {
    if (isReference(file)) found.push(file);
    return file;
  });
  return found;
}

export interface Keeping {
  /** The node run that asked. */
  readonly by: string;
  /** Absent where nothing of the run is stored. */
  readonly keep: KeepArtifact | undefined;
  /** Returns what the run has under a reference that somebody gives: a name or type of theirs counts for nothing. */
  readonly known?: (reference: Made) => Made;
}

/** Keeps the files in a value and returns it with a reference in the place of each. Throws M5317 before anything is kept. */
export function keepFiles(
  value: unknown,
  schema: JsonSchema | undefined,
  { by, keep, known = (reference) => reference }: Keeping,
): unknown {
  const kind = asksForFiles(schema);
  const listed = kind === "several" && isGivenFile(value) ? [value] : value;
  let count = 0;
  let bytes = 0;
  eachFile(listed, schema, (file) => {
    if (!isGivenFile(file)) return file;
    const size = sizeOf(file);
    if (size === 0)
      throw untaken(`\`${safeName(file.name)}\` is empty`, "give a file that has something in it");
    count += 1;
    bytes += size;
    return file;
  });
  if (bytes > ANSWER_BYTES_MAX) throw tooLarge();
  if (count > ANSWER_FILES_MAX) throw tooMany();
  return eachFile(listed, schema, (file) => {
    if (!isGivenFile(file)) return isReference(file) ? known(file) : file;
    const { name, data } = file;
    return makeArtifact({ name: safeName(name), kind: "file", data }, by, keep);
  });
}

/**
 * Reads a file to be given as an answer; a relative path is one of `folder`, the working folder unless said. Throws M5317 for
 * what is not there, no file, empty or too large.
 */
export function readGivenFile(path: string, folder = process.cwd()): GivenFile {
  const place = resolve(folder, path);
  try {
    // A device or a pipe could give bytes for ever.
    const found = statSync(place);
    if (!found.isFile()) {
      const what = found.isDirectory() ? "a folder" : "no file";
      throw untaken(`\`${path}\` is ${what}`, "name a file; a folder can be given as an archive");
    }
    if (found.size > ANSWER_BYTES_MAX) throw tooLarge(path);
    const data = bytesOf(place);
    if (data.length === 0)
      throw untaken(`\`${path}\` is empty`, "give a file that has something in it");
    if (data.length > ANSWER_BYTES_MAX) throw tooLarge(path);
    return { name: basename(place), data };
  } catch (thrown) {
    if (thrown instanceof RunError) throw thrown;
    throw untaken(
      `\`${path}\` can't be read: ${messageOf(thrown)}`,
      `a relative path is one of ${folder}`,
      thrown,
    );
  }
}

/** The last part of a name that somebody else chose, without what a terminal or a file system takes for something else. */
export function safeName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const name = last.replaceAll(UNSAFE, "").trim();
  if (/^\.*$/.test(name)) return "file";
  const [, stem = name, ending = ""] = /^(.+?)(\.[^.]{1,20})?$/u.exec(name) ?? [];
  const characters = [...stem].slice(0, NAME_BYTES_MAX);
  while (Buffer.byteLength(characters.join("") + ending) > NAME_BYTES_MAX) characters.pop();
  return characters.join("") + ending;
}

/** Control characters, and those that change how the others are shown. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function isGivenFile(value: unknown): value is GivenFile {
  if (!isRecord(value) || typeof value.name !== "string" || "hash" in value) return false;
  return typeof value.data === "string" || value.data instanceof Uint8Array;
}

/** The error for more bytes than an answer may have. */
export function tooLarge(path?: string): RunError {
  const what = path === undefined ? "the files of this answer are" : `\`${path}\` is`;
  return untaken(`${what} larger than 25 MB`, "give a part of it, or a text that says where it is");
}

/** The error for a reference to a file that the run does not have. */
export function strangeFile(id: string, runId: string): RunError {
  return new RunError("M5317", `the run has no file \`${safeName(id)}\``, {
    hint: "give the name and the bytes of the file: { name, data }",
    runId,
  });
}

/** Returns the value with what `change` makes of each part for which the schema has a file. */
function eachFile(value: unknown, schema: unknown, change: (file: unknown) => unknown): unknown {
  if (!isRecord(schema) || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const list = alternatives(schema).find(({ type }) => type === "array");
    return list === undefined ? value : value.map((item) => eachFile(item, list.items, change));
  }
  if (isFile(schema)) return change(value);
  const form = alternatives(schema).find(({ type }) => type === "object");
  const properties = isRecord(form?.properties) ? form.properties : undefined;
  if (properties === undefined) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, eachFile(member, of, change)] as const;
  });
  return Object.fromEntries(members);
}

function isReference(value: unknown): value is Made {
  return misfits(value, FILE_SCHEMA).length === 0;
}

function isFile(schema: JsonSchema): boolean {
  return alternatives(schema).some(
    ({ contentMediaType }) => contentMediaType === FILE_SCHEMA.contentMediaType,
  );
}

/** A schema, or those of a union. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf.filter(isRecord) : [])];
}

function tooMany(): RunError {
  return untaken(`an answer has at most ${ANSWER_FILES_MAX} files`, "give an archive of them");
}

function untaken(message: string, hint: string, cause?: unknown): RunError {
  return new RunError("M5317", message, { hint, ...(cause === undefined ? {} : { cause }) });
}

function sizeOf({ data }: GivenFile): number {
  return typeof data === "string" ? Buffer.byteLength(data) : data.length;
}

/** Reads a byte more than is taken at most: a file may grow meanwhile. */
function bytesOf(place: string): Uint8Array {
  const room = Buffer.alloc(Math.min(statSync(place).size, ANSWER_BYTES_MAX) + 1);
  const file = openSync(place, "r");
  try {
    let length = 0;
    for (;;) {
      const read = readSync(file, room, length, room.length - length, null);
      if (read === 0) return room.subarray(0, length);
      length += read;
    }
  } finally {
    closeSync(file);
  }
}
