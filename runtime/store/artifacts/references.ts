/** Collects the hashes of all artifacts that the logs of a store name. */

import type { Blobs, Tables } from "../database/tables.ts";
import type { SegmentForm } from "../log/segments.ts";

export interface ReferenceParts<Content> {
  readonly tables: Tables<Content>;
  readonly form: SegmentForm<Content>;
  readonly blobs: Blobs;
}

/** The hash of everything that a record may mean: large values, and each sha256 that stands in one of its texts. */
export function referencesIn<Content>({
  tables,
  form,
  blobs,
}: ReferenceParts<Content>): ReadonlySet<string> {
  const found = new Set<string>();
  const load = (hash: string): string => {
    found.add(hash);
    const bytes = blobs.get(hash);
    // A value that is gone is no reason to keep or to lose others.
    return bytes === undefined ? "null" : new TextDecoder().decode(bytes);
  };
  addHashes(tables.keptValues(), found);
  for (const { runId } of tables.positions()) {
    for (const { records } of tables.segmentsAfter(runId, -1)) {
      for (const record of form.read(records, load)) addHashes(record, found);
    }
  }
  return found;
}

/** Adds every sha256 in the texts of a value, however deep. */
export function addHashes(value: unknown, found: Set<string>): void {
  if (typeof value === "string") {
    if (value.length < HASH_LENGTH) return;
    for (const [hash] of value.matchAll(HASHES)) found.add(hash);
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) addHashes(part, found);
  }
}

const HASH_LENGTH = 64;
const HASHES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
