/** Collects the long texts and values of a run's payloads that are stored once, by the hash of their JSON. */
import { hash } from "node:crypto";
import { isFrozenJson } from "../../state/json.ts";
import type { BlobRow } from "../schema/tables.ts";
import { stringify } from "./json-size.ts";

/**
 * A shorter text stands in its row. Of one that two rows have, as of most of what tools say, a blob takes as long to write
 * from about here on (8 kB: a fifth less) and half the bytes; views have the fewer to put back the longer they are.
 */
export const TEXT_LENGTH_MIN = 2_048;
/** A value that was cut is kept whole up to here; a longer one would hold up the thread. */
export const WHOLE_BYTES_MAX = 8_388_608;
/** So much of them a run: a list that grows by a step would otherwise be written whole with each of its steps. */
const WHOLE_BYTES_OF_RUN = 33_554_432;
/** The number of characters of long texts that are remembered; the hashes of all blobs are. */
const KNOWN_LENGTH_MAX = 1_000_000;

/** A blob as its run refers to it. */
export interface Blob {
  readonly hash: string;
  /** Of its JSON. */
  readonly bytes: number;
}

/** The blobs of one run, in the order of its records. */
export class RunBlobs {
  readonly #runId: string;
  /** Those that have a row, by hash. */
  readonly #stored = new Set<string>();
  readonly #texts = new Map<string, Blob>();
  #textsLength = 0;
  readonly #values = new WeakMap<object, Blob>();
  #wholeBytes = 0;
  #rows: BlobRow[] = [];

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The blob of a long text. */
  ofText(text: string): Blob {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const blob = this.#keep(stringify(text));
    this.#textsLength += text.length;
    if (this.#textsLength > KNOWN_LENGTH_MAX) {
      this.#texts.clear();
      this.#textsLength = text.length;
    }
    this.#texts.set(text, blob);
    return blob;
  }

  /** The blob of a redacted value that is cut where it stands, `bytes` long; none where it is too long, or the run has too many. */
  ofCut(value: unknown, bytes: number): Blob | undefined {
    if (bytes > WHOLE_BYTES_MAX) return undefined;
    const known = isObject(value) ? this.#values.get(value) : undefined;
    if (known !== undefined) return known;
    if (this.#wholeBytes + bytes > WHOLE_BYTES_OF_RUN) return undefined;
    this.#wholeBytes += bytes;
    const blob = this.#keep(stringify(value));
    if (isObject(value) && isFrozenJson(value)) this.#values.set(value, blob);
    return blob;
  }

  /** The rows that are new since the last call. */
  take(): readonly BlobRow[] {
    const rows = this.#rows;
    if (rows.length > 0) this.#rows = [];
    return rows;
  }

  #keep(json: string): Blob {
    const blob = { hash: hash("sha256", json), bytes: Buffer.byteLength(json) };
    if (this.#stored.has(blob.hash)) return blob;
    this.#stored.add(blob.hash);
    this.#rows.push({ run_id: this.#runId, ...blob, data: json });
    return blob;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
