/**
 * Records as the text of a segment: `{"records":[…]}`. A value above 256 KB stands in it as `{ "$artifact": sha256,
 * "bytes": n }`; an object or a long text that stood in the segment before, as `{ "$same": path }`, where it stood. So what
 * a step says three times (its output, its writes, its patches) is written once, and what a tool said is not written again
 * with the request that tells it to the model. Nothing else of a record changes; `unpack.ts` puts back what was packed.
 */
import { createHash } from "node:crypto";
import type { LogRecord } from "../../records/records.ts";

/** Both ways look at so many levels for either reference; look-alikes further inside stay as they are. */
export const LEVELS_MAX = 8;

const inlineBytesMax = 256 * 1024;
/** No shorter text, and no object of a shorter text, is worth a reference. */
const sharedLengthMin = 128;

export interface LargeValue {
  readonly hash: string;
  /** Its JSON text. */
  readonly bytes: Uint8Array;
}

export interface PackedRecord {
  readonly text: string;
  readonly large: readonly LargeValue[];
}

/** The text of a segment. */
export function segmentText(texts: readonly string[]): string {
  // Not joined: that would copy all of it once more.
  let text = "";
  for (const record of texts) text += text === "" ? record : `,${record}`;
  return `{"records":[${text}]}`;
}

/** The position of a value: its container, and its key in there. */
interface ValuePlace {
  readonly around: ValuePlace | undefined;
  readonly key: string | number;
  /** The text that is written where the value comes again. */
  again?: string;
}

/** The values that may come again, with their positions. */
interface Repeatable {
  readonly objects: (readonly [object, ValuePlace])[];
  readonly texts: (readonly [string, ValuePlace])[];
}

/** Long texts and where they stand. A map of them would read each to its end; of most, a few characters tell that they are new. */
class LongTexts {
  readonly #alike = new Map<number, [string, ValuePlace][]>();

  get(text: string): ValuePlace | undefined {
    return this.#alike.get(markOf(text))?.find(([known]) => known === text)?.[1];
  }

  set(text: string, place: ValuePlace): void {
    const mark = markOf(text);
    const alike = this.#alike.get(mark);
    if (alike === undefined) this.#alike.set(mark, [[text, place]]);
    else alike.push([text, place]);
  }
}

function markOf(text: string): number {
  const { length } = text;
  let mark = length;
  for (let at = 1; at < PLACES; at += 1)
    mark = (mark * 31 + text.charCodeAt(Math.floor((length * at) / PLACES))) | 0;
  return mark;
}

/** Into so many parts a text is cut to look at the character behind each. */
const PLACES = 9;

/** Packs the records of one segment, in their order. */
export class SegmentPacker {
  readonly #objects = new Map<object, ValuePlace>();
  readonly #texts = new LongTexts();
  readonly #keys = new Map<string, string>();
  #count = 0;
  #large: LargeValue[] = [];

  add(record: LogRecord): PackedRecord {
    const place = { around: undefined, key: this.#count };
    this.#count += 1;
    if (isSmall(record)) {
      const text = JSON.stringify(record);
      if (!text.includes('"$artifact"') && !text.includes('"$same"')) return { text, large: [] };
    }
    const plain = this.#plainText(record, place);
    if (plain !== undefined) return { text: plain, large: [] };
    this.#large = [];
    const text = this.#partsText(record, place, 0);
    return { text, large: this.#large };
  }

  /** That of a record in which nothing comes again or goes out, as of most that come from outside: all at once is cheaper. */
  #plainText(record: LogRecord, place: ValuePlace): string | undefined {
    if (sizeLeft(record, inlineBytesMax / 3) <= 0) return undefined;
    const found: Repeatable = { objects: [], texts: [] };
    if (!this.#isNew(record, place, 0, found)) return undefined;
    return this.#isNoted(found) ? JSON.stringify(record) : undefined;
  }

  /** Returns whether no part of a value has been there before, and collects the parts that may come again. */
  #isNew(value: object, place: ValuePlace, level: number, found: Repeatable): boolean {
    if (level > 0) {
      if (this.#objects.has(value) || "toJSON" in value) return false;
      found.objects.push([value, place]);
    }
    if (level === LEVELS_MAX) return true;
    for (const key of Object.keys(value)) {
      const part = (value as Readonly<Record<string, unknown>>)[key];
      if (key === "$artifact" || key === "$same") return false;
      if (typeof part === "string") {
        if (part.length < sharedLengthMin) continue;
        if (this.#texts.get(part) !== undefined) return false;
        found.texts.push([part, { around: place, key: keyIn(value, key) }]);
      } else if (typeof part === "object" && part !== null) {
        if (!this.#isNew(part, { around: place, key: keyIn(value, key) }, level + 1, found))
          return false;
      }
    }
    return true;
  }

  /** Notes where all of it stands; false, and nothing is noted, where some of it is there twice. */
  #isNoted({ objects, texts }: Repeatable): boolean {
    if (isTwice(objects) || isTwice(texts)) return false;
    for (const [object, place] of objects) this.#objects.set(object, place);
    for (const [text, place] of texts) this.#texts.set(text, place);
    return true;
  }

  /** Undefined where JSON leaves a value out. */
  #packedText(value: unknown, place: ValuePlace, level: number): string | undefined {
    if (typeof value === "string") return this.#stringText(value, place);
    if (typeof value === "number") return Number.isFinite(value) ? `${value}` : "null";
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const known = this.#objects.get(value);
    if (known !== undefined) return againText(known, value);
    const before = this.#large.length;
    const plain = jsonOf(value);
    const text =
      level === LEVELS_MAX ? JSON.stringify(plain) : this.#partsText(plain, place, level);
    this.#objects.set(value, place);
    if (isReference(plain) || isLarge(text)) {
      // What was taken out of it stands in it again.
      this.#large.length = before;
      return this.#referenceTo(JSON.stringify(plain));
    }
    return text;
  }

  #stringText(value: string, place: ValuePlace): string {
    if (value.length < sharedLengthMin) return JSON.stringify(value);
    const known = this.#texts.get(value);
    if (known !== undefined) return againText(known, value);
    this.#texts.set(value, place);
    const text = JSON.stringify(value);
    return isLarge(text) ? this.#referenceTo(text) : text;
  }

  #partsText(value: unknown, place: ValuePlace, level: number): string {
    if (typeof value !== "object" || value === null || isFlat(value)) return JSON.stringify(value);
    const texts: string[] = [];
    if (Array.isArray(value)) {
      for (let key = 0; key < value.length; key += 1) {
        texts.push(this.#packedText(value[key], { around: place, key }, level + 1) ?? "null");
      }
      return `[${texts.join(",")}]`;
    }
    for (const [key, part] of Object.entries(value)) {
      const text = this.#packedText(part, { around: place, key }, level + 1);
      if (text !== undefined) texts.push(`${this.#keyText(key)}:${text}`);
    }
    return `{${texts.join(",")}}`;
  }

  #keyText(key: string): string {
    const known = this.#keys.get(key) ?? JSON.stringify(key);
    this.#keys.set(key, known);
    return known;
  }

  #referenceTo(text: string): string {
    const bytes = Buffer.from(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.#large.push({ hash, bytes });
    return JSON.stringify({ $artifact: hash, bytes: bytes.length });
  }
}

function isTwice(found: readonly (readonly [unknown, ValuePlace])[]): boolean {
  return found.length > 1 && new Set(found.map(([value]) => value)).size < found.length;
}

function againText(place: ValuePlace, value: unknown): string {
  place.again ??= shortText(value) ?? `{"$same":${JSON.stringify(pathOf(place))}}`;
  return place.again;
}

/** Of what is shorter than a reference to it. */
function shortText(value: unknown): string | undefined {
  if (typeof value === "string") return undefined;
  const plain = jsonOf(value as object);
  const text = isFlat(plain) ? JSON.stringify(plain) : "";
  return text === "" || text.length >= sharedLengthMin || isReference(plain) ? undefined : text;
}

function keyIn(value: object, key: string): string | number {
  return Array.isArray(value) ? Number(key) : key;
}

function pathOf(place: ValuePlace): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: ValuePlace | undefined = place; at !== undefined; at = at.around) keys.push(at.key);
  return keys.reverse();
}

/** Returns the value that JSON writes for an object: the result of its `toJSON`, if it has one. */
function jsonOf(value: object): unknown {
  return "toJSON" in value ? JSON.parse(JSON.stringify(value)) : value;
}

/** A value that looks like a reference goes out, so that reading can't mistake it. */
function isReference(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "$artifact") || Object.hasOwn(value, "$same");
}

/** Returns whether no part of the value can be shared or moved out, so that its text is plain JSON. */
function isFlat(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof part === "string" && part.length >= sharedLengthMin) return false;
    if (typeof part === "object" && part !== null) return false;
  }
  return true;
}

function isLarge(text: string): boolean {
  // A UTF-16 unit is at most three bytes of UTF-8.
  return text.length * 3 > inlineBytesMax && Buffer.byteLength(text) > inlineBytesMax;
}

/** The size below which values are written as they are, since looking for shared parts would cost more than it saves. */
const sharingSizeMin = 1_024;
const partSize = 8;

function isSmall(record: LogRecord): boolean {
  return sizeLeft(record, sharingSizeMin) > 0;
}

/** Returns the size that is left after a value; stops once nothing is. */
function sizeLeft(value: unknown, size: number): number {
  if (typeof value === "string") return size - value.length;
  if (typeof value !== "object" || value === null) return size - partSize;
  let left = size - partSize;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    left = sizeLeft(part, left);
    if (left <= 0) return left;
  }
  return left;
}
