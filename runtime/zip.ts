/** Files as one zip archive, all of one time, so that the same files are the same archive. */
import { type Zippable, zipSync } from "fflate";

export interface ZipEntry {
  /** With `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The first day that the format knows. */
const TIME = new Date(1980, 0, 1);
/** What the format counts without extensions. */
const BYTES_MAX = 0xffff_ffff;
const ENTRIES_MAX = 0xffff;

/** The bytes of an archive; undefined where they are more than its format can count. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array | undefined {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
  if (entries.length > ENTRIES_MAX || bytes > BYTES_MAX) return undefined;
  const files: Zippable = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]));
  return zipSync(files, { mtime: TIME });
}
