/**
 * JSON as it travels to Restate and is kept there. A long text is a file of the folder of blobs, and stands in its place as
 * `{ "$blob": HASH }`. What is too large all the same is refused: Restate would try to send it for ever.
 */
import { createHash } from "node:crypto";
import { RunError } from "../failure.ts";
import type { Blobs } from "../store/database/tables.ts";

/** A text of more characters is a file. */
const TEXT_MAX = 256 * 1024;
/** Restate takes 32 MB; a message has other things in it, too. */
const BYTES_MAX = 8 * 1024 * 1024;

const REFERENCE = "$blob";

/** A codec that the SDK of Restate takes for messages and for state. */
export interface WireValues {
  readonly contentType: string;
  /** Throws M5804 where the value is too large. */
  serialize<T>(value: T): Uint8Array;
  deserialize<T>(bytes: Uint8Array): T;
}

export function wireValues(blobs: Pick<Blobs, "put" | "get" | "syncNow">): WireValues {
  return {
    contentType: "application/json",
    serialize(value) {
      const text = JSON.stringify(value) ?? "null";
      const isSmall = text.length <= TEXT_MAX && !text.includes(REFERENCE);
      const bytes = Buffer.from(isSmall ? text : JSON.stringify(packed(value, blobs)));
      if (bytes.length > BYTES_MAX) throw tooLarge(bytes.length);
      return bytes;
    },
    deserialize<T>(bytes: Uint8Array) {
      const text = Buffer.from(bytes).toString();
      if (text === "") return undefined as T;
      const value: unknown = JSON.parse(text);
      return (text.includes(REFERENCE) ? unpacked(value, blobs) : value) as T;
    },
  };
}

function packed(value: unknown, blobs: Pick<Blobs, "put" | "syncNow">): unknown {
  if (typeof value === "string" && value.length > TEXT_MAX)
    return { [REFERENCE]: referenceTo(value, blobs) };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => packed(item, blobs));
  const members = Object.entries(value).map(([key, part]) => [key, packed(part, blobs)]);
  const object = Object.fromEntries(members);
  // A value of a program may have the form of a reference: it is wrapped, so that it is not taken for one.
  return REFERENCE in object ? { [REFERENCE]: null, value: object } : object;
}

function unpacked(value: unknown, blobs: Pick<Blobs, "get">): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => unpacked(item, blobs));
  if (REFERENCE in value) {
    const { [REFERENCE]: hash } = value as { readonly [REFERENCE]: string | null };
    if (hash !== null) return textOfBlob(hash, blobs);
    const { value: inner } = value as unknown as { readonly value: object };
    return Object.fromEntries(membersOf(inner, blobs));
  }
  return Object.fromEntries(membersOf(value, blobs));
}

function membersOf(value: object, blobs: Pick<Blobs, "get">) {
  return Object.entries(value).map(([key, part]) => [key, unpacked(part, blobs)] as const);
}

function referenceTo(text: string, blobs: Pick<Blobs, "put" | "syncNow">): string {
  const bytes = Buffer.from(text);
  const hash = createHash("sha256").update(bytes).digest("hex");
  blobs.put(hash, bytes);
  blobs.syncNow();
  return hash;
}

function textOfBlob(hash: string, blobs: Pick<Blobs, "get">): string {
  const bytes = blobs.get(hash);
  if (bytes !== undefined) return Buffer.from(bytes).toString();
  throw new RunError("M5805", `the folder of blobs has no \`${hash}\``, {
    hint: "all workers, and whoever pulls a run, need the same folder: `--blobs FOLDER`",
  });
}

function tooLarge(bytes: number): RunError {
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  return new RunError("M5804", `a message of ${megabytes} MB is too large for a run on Restate`, {
    hint: "8 MB is the most; write what is large to an artifact or a file, and pass its name",
  });
}
