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

/** The bytes of a piece. */
export function bytesOf({ text, base64 }: RawPiece): Buffer {
  return base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64");
}
