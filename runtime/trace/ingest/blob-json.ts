/** Writes the JSON of a payload with each long text replaced by its hash between two characters that JSON never has. */
import { stringify } from "./json-size.ts";
import { type RunBlobs, TEXT_LENGTH_MIN } from "./run-blobs.ts";

/** Raw, it is in no JSON text: there it would be an escape. As SQL has it: `chr(1)`. */
const MARK = "\u0001";

/** What is stored of a payload, the blobs that it refers to, and how many bytes of JSON it stands for. */
export interface BlobJson {
  readonly text: string;
  readonly hashes: ReadonlySet<string>;
  readonly bytes: number;
}

/** Undefined for a value without a long text. */
export function toBlobJson(value: unknown, blobs: RunBlobs): BlobJson | undefined {
  if (!hasLongText(value)) return undefined;
  let inBlobs = 0;
  const hashes = new Set<string>();
  const refer = (long: string): string => {
    const { hash, bytes } = blobs.ofText(long);
    const text = `${MARK}${hash}${MARK}`;
    hashes.add(hash);
    inBlobs += bytes - text.length;
    return text;
  };
  const text = referringText(value, refer);
  return { text, hashes, bytes: Buffer.byteLength(text) + inBlobs };
}

function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length >= TEXT_LENGTH_MIN;
  if (!isComposite(value)) return false;
  for (const key of Object.keys(value)) if (hasLongText(memberOf(value, key))) return true;
  return false;
}

function referringText(value: unknown, refer: (long: string) => string): string {
  if (typeof value === "string" && value.length >= TEXT_LENGTH_MIN) return refer(value);
  if (!isComposite(value)) return stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => referringText(item, refer)).join(",")}]`;
  const members = Object.keys(value).flatMap((key) => {
    const member = memberOf(value, key);
    return member === undefined ? [] : [`${keyText(key)}:${referringText(member, refer)}`];
  });
  return `{${members.join(",")}}`;
}

/** Most names are plain, and are written as they are. */
function keyText(key: string): string {
  return /^\w+$/.test(key) ? `"${key}"` : stringify(key);
}

/** An object whose JSON is made of its parts. */
function isComposite(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("toJSON" in value);
}

function memberOf(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}
