/** Finds what a rewind leaves of a log, for the journal, without reading the whole log at once. */
import { innermost, type LogRecord, type RecordBody } from "../records/records.ts";
import type { JournalCut } from "./journal.ts";
import { isRewind } from "./log-path.ts";

/** The number of records to search back for the start of a node run; behind that, the whole path is read instead. */
const NEAR = 512;

/** A path that ends in a rewind. */
export interface RewoundPath {
  all(): readonly LogRecord[];
  /** The last ones of it, so many at least where it has them. */
  near(count: number): readonly LogRecord[];
}

/** One that is at hand. It grows with the log, and is shortened by the next rewind alone, behind which nobody asks this one. */
export function pathAtHand(path: readonly LogRecord[]): RewoundPath {
  const { length } = path;
  return {
    all: () => path.slice(0, length),
    near: (count) => path.slice(Math.max(0, length - count), length),
  };
}

/** Behind a path that ends in a rewind; node runs from `nextRun` on begin behind it. */
export function rewoundCut(path: RewoundPath, nextRun: number, near = NEAR): JournalCut {
  return {
    records: [],
    isWhole: (id) => id >= nextRun,
    before: () => path.all(),
    of: (id) => recordsOf(path.near(near), id),
  };
}

/** The records of one node run from its activation on; undefined where that is further back. */
function recordsOf(near: readonly LogRecord[], id: number): readonly LogRecord[] | undefined {
  const found: LogRecord[] = [];
  let name = id;
  for (const record of near.toReversed()) {
    const inner = innermost(record);
    const renumbered = isRewind(inner) ? inner.renumbered : [];
    // The node run continued under another number.
    if (renumbered.some(({ from }) => from === name)) return [];
    const before = renumbered.find((one) => one.id === name);
    if (before !== undefined) name = before.from;
    if (before !== undefined || ("id" in inner && inner.id === name)) found.push(record);
    else if (activates(inner, name)) return found.reverse();
  }
  return undefined;
}

function activates(record: RecordBody, id: number): boolean {
  const flow = "flow" in record ? (record.flow ?? []) : [];
  return flow.some((op) => op.op === "activate" && op.id === id);
}
