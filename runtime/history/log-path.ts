/** Selects the part of a log that counts: without what rewinds undid. */
import type { RewindRecord } from "../records/control-records.ts";
import { innermost, type LogRecord, type RecordBody } from "../records/records.ts";

/** A call to the outside world that a rewind undid in the run, but not out there. */
export interface EffectLeftBehind {
  readonly node: string;
  /** The tool's name. */
  readonly name: string;
  readonly at: number;
  /** The request, where the log has it. */
  readonly request?: unknown;
}

/** The records on the way from the start of the run to where it stands, rewinds and changes of the program among them. */
export function pathOf(records: readonly LogRecord[]): readonly LogRecord[] {
  const path: LogRecord[] = [];
  for (const record of records) extendPath(path, record);
  return path;
}

/** Takes the next record of the log into the path that led to it. */
export function extendPath(path: LogRecord[], record: LogRecord): void {
  if (isRewind(record)) {
    const left = path.findLastIndex(({ seq }) => seq <= record.to) + 1;
    for (const other of path.splice(left).filter(isOtherProgram)) path.push(other);
  }
  path.push(record);
}

/** The end of a path whose beginning is not at hand: nothing was rewound in the log up to `upTo`, and it goes on with `records`. */
export interface PathEnd {
  readonly upTo: number;
  readonly records: readonly LogRecord[];
}

/** The end of the path of a log of which only the records after `behind` are at hand. */
export function pathEndOf(records: readonly LogRecord[], behind: number): PathEnd {
  const path: LogRecord[] = [];
  let upTo = behind;
  for (const record of records) {
    if (isRewind(record)) upTo = Math.min(upTo, record.to);
    extendPath(path, record);
  }
  return { upTo, records: path };
}

export function isRewind<R extends RecordBody>(record: R): record is R & RewindRecord {
  return record.kind === "control" && record.verb === "rewind";
}

/** A rewind brings back no program: the run goes on with the one that it had last. */
function isOtherProgram(record: LogRecord): boolean {
  return record.kind === "control" && record.verb === "resume" && record.ir !== undefined;
}

/** External calls that were begun on paths which rewinds left, oldest first. */
export function leftBehind(records: readonly LogRecord[]): readonly EffectLeftBehind[] {
  const kept = new Set(pathOf(records));
  return records.flatMap((record) => {
    const made = innermost(record);
    if (made.kind !== "intent" || made.external !== true || kept.has(record)) return [];
    const { node, name, request } = made;
    return [{ node, name, at: record.at, ...(request === undefined ? {} : { request }) }];
  });
}
