/** Reads a long log in slices, with a turn for other work between two of them. */
import type { LogRecord } from "../../records/records.ts";
import type { TraceSource } from "./source.ts";

/** The maximal number of records of a slice. */
export const SLICE_RECORDS = 128;
/** So many are read back from a store at once, or as many more as were flushed with them. */
const READ_RECORDS = 256;

interface SliceRange {
  readonly runId: string;
  readonly after: number;
  readonly upTo: number;
}

/** The records of a run behind `after`; of those behind `upTo` it may have some. */
export async function* slicesAfter(
  source: TraceSource,
  part: SliceRange,
): AsyncGenerator<readonly LogRecord[], void> {
  for await (const records of piecesAfter(source, part)) {
    for (let first = 0; first < records.length; first += SLICE_RECORDS) {
      yield records.slice(first, first + SLICE_RECORDS);
    }
  }
}

async function* piecesAfter(
  source: TraceSource,
  { runId, after, upTo }: SliceRange,
): AsyncGenerator<readonly LogRecord[], void> {
  for (let last = after; last < upTo; ) {
    const records = await source.readAfter(runId, last, READ_RECORDS);
    yield records;
    last = records.at(-1)?.seq ?? upTo;
  }
}
