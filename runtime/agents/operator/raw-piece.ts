/** Encodes pieces of a controller's bytes for the log. */
import type { RawPiece } from "../../records/controller-values.ts";

/** Bytes of a raw stream as the log keeps them: without known secrets, as text where they are UTF-8. */
export function rawPiece(
  raw: string | Uint8Array,
  from: number,
  redact: (text: string) => string,
): { readonly piece: RawPiece; readonly to: number } {
  const text = typeof raw === "string" ? raw.toWellFormed() : utf8(raw);
  if (text !== undefined) {
    const kept = redact(text);
    return { piece: { from, text: kept }, to: from + Buffer.byteLength(kept) };
  }
  // One character a byte: secrets are found, and every byte comes back.
  const kept = Buffer.from(redact(Buffer.from(raw).toString("latin1")), "latin1");
  return { piece: { from, base64: kept.toString("base64") }, to: from + kept.length };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Stores bytes of a raw stream outside of the log, and finds them again; without a store they stay in the log. */
export interface RawStore {
  readonly put: (bytes: Uint8Array) => string;
  readonly get: (hash: string) => Uint8Array;
}

/** More bytes than so many that came with one event are an artifact. */
const LOGGED_BYTES_MAX = 16 * 1024;

/** An artifact of them has at least so many bytes where more follow. */
const STORED_BYTES_MIN = 256 * 1024;

/** Gathers what comes until the next event: texts that follow each other as one, and what is large out of memory. */
export class RawPieces {
  readonly #store: RawStore | undefined;
  readonly #done: RawPiece[] = [];
  #texts: string[] = [];
  #from = 0;
  #length = 0;

  constructor(store: RawStore | undefined) {
    this.#store = store;
  }

  add(piece: RawPiece, length: number): void {
    if (piece.text === undefined) {
      this.#endText();
      this.#keep(piece, length);
      return;
    }
    if (this.#length === 0) this.#from = piece.from;
    this.#texts.push(piece.text);
    this.#length += length;
    if (this.#store !== undefined && this.#length >= STORED_BYTES_MIN) this.#endText();
  }

  end(): readonly RawPiece[] {
    this.#endText();
    return this.#done;
  }

  #endText(): void {
    if (this.#length === 0) return;
    this.#keep({ from: this.#from, text: this.#texts.join("") }, this.#length);
    [this.#texts, this.#length] = [[], 0];
  }

  #keep(piece: RawPiece, length: number): void {
    const isLarge = this.#store !== undefined && length > LOGGED_BYTES_MAX;
    const hash = isLarge ? this.#store?.put(bytesOf(piece)) : undefined;
    this.#done.push(hash === undefined ? piece : { from: piece.from, hash, bytes: length });
  }
}

/** The bytes of a piece. */
export function bytesOf({ text, base64, hash }: RawPiece, store?: RawStore): Uint8Array {
  if (hash !== undefined) return store?.get(hash) ?? new Uint8Array();
  return base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64");
}

/** The place behind a piece. */
export function endOf(piece: RawPiece): number {
  return piece.from + (piece.bytes ?? bytesOf(piece).length);
}
