/** Writes files as a zip archive that depends on their bytes alone, and reads one file out of an archive. */
import { createRequire } from "node:module";
import type { Zippable } from "fflate";

const require = createRequire(import.meta.url);
/** Loaded with the first archive: few sessions have one. */
const fflate = () => require("fflate") as typeof import("fflate");

export interface ZipEntry {
  /** With `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The first day that the format knows. */
const TIME = new Date(1980, 0, 1);
/** The limits of the format without extensions. */
const BYTES_MAX = 0xffff_ffff;
const ENTRIES_MAX = 0xffff;

/** The bytes of an archive; undefined where they are more than its format can count. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array | undefined {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
  if (entries.length > ENTRIES_MAX || bytes > BYTES_MAX) return undefined;
  const files: Zippable = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]));
  return fflate().zipSync(files, { mtime: TIME });
}

/** Returns whether a file's bytes begin like an archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** The bytes of one file; undefined where the archive has none of this name. Throws what is wrong with a damaged one. */
export function fileInZip(bytes: Uint8Array, wanted: string): Uint8Array | undefined {
  return fflate().unzipSync(bytes, { filter: ({ name }) => name === wanted })[wanted];
}
