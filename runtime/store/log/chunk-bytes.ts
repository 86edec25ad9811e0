/** Converts the text of a chunk of a long list into the bytes that a store keeps under their hash, and back. */
import { createHash } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Chunk } from "../../scheduler/snapshot/long-lists.ts";

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function packChunk(text: string): Chunk {
  const bytes = new Uint8Array(zstdCompressSync(text, compression));
  return { hash: chunkHash(bytes), bytes };
}

export function unpackChunk(bytes: Uint8Array): string {
  return zstdDecompressSync(bytes).toString();
}

/** The name of a chunk: the sha256 of its bytes, as base64url. */
export function chunkHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
