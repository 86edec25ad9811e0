/** Puts a checksum over all bytes of a Parquet file into its metadata: a file that decodes may still have been changed. */
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";

const MARK = "madrigal-seal:";
const EMPTY = "00000000";

/** The last entry of a new file's metadata; `seal` fills it in. */
export const SEAL_METADATA = `madrigal_seal: '${MARK}${EMPTY}'`;

const CHUNK_BYTES = 1024 * 1024;
/** The length of the footer and `PAR1`. */
const TAIL_BYTES = 8;
const FOOTER_MAX = 256 * 1024 * 1024;

/** Writes the checksum into a file that has room for it. */
export async function seal(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const place = await findChecksum(file);
    if (place === undefined) throw new Error(`${path} has no room for its checksum`);
    await file.write(checksum(await sumOf(file, place)), place);
  } finally {
    await file.close();
  }
}

/** Returns whether every byte of a file is as it was sealed. */
export async function isWhole(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const place = await findChecksum(file);
    if (place === undefined) return false;
    const { buffer } = await file.read(Buffer.alloc(EMPTY.length), 0, EMPTY.length, place);
    return buffer.toString("latin1") === checksum(await sumOf(file, place));
  } finally {
    await file.close();
  }
}

function checksum(sum: number): string {
  return sum.toString(16).padStart(EMPTY.length, "0");
}

/** Finds the checksum behind the last mark in the footer, since the names of runs precede it. */
async function findChecksum(file: FileHandle): Promise<number | undefined> {
  const { size } = await file.stat();
  if (size < TAIL_BYTES) return undefined;
  const tail = await read(file, size - TAIL_BYTES, TAIL_BYTES);
  const length = tail.readUInt32LE(0);
  const from = size - TAIL_BYTES - length;
  if (from < 0 || length > FOOTER_MAX) return undefined;
  const at = (await read(file, from, length)).lastIndexOf(MARK);
  return at < 0 ? undefined : from + at + MARK.length;
}

/** The checksum of a file whose place for it is empty. */
async function sumOf(file: FileHandle, place: number): Promise<number> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let [sum, at] = [0, 0];
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return sum;
    const chunk = buffer.subarray(0, bytesRead);
    blank(chunk, place - at);
    sum = crc32(chunk, sum);
    at += bytesRead;
  }
}

/** Empties the part of the place, which may lie across two chunks, that is in this one. */
function blank(chunk: Buffer, from: number): void {
  const [start, end] = [Math.max(0, from), Math.min(chunk.length, from + EMPTY.length)];
  if (start < end) chunk.fill(EMPTY.charCodeAt(0), start, end);
}

async function read(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer;
}
