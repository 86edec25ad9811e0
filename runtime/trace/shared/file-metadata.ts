/** Reads and writes the metadata of a Parquet file: which runs it has, and up to which record of their logs. */
import { systemClock } from "../../clock.ts";
import { rowsVersion } from "./parquet-sql.ts";

/** A run as one file tells it. */
export interface HeldRun {
  readonly runId: string;
  readonly seq: number;
  readonly logId: number | null;
  /** The time at which its rows were first written, in milliseconds since the epoch: of two files, the later one counts. */
  readonly written: number;
  /** In which it began: `2026-03`. */
  readonly month: string;
}

export interface TraceFile {
  readonly path: string;
  /** The stamp of the file when it was read: a changed file of the same path is read again. */
  readonly stamp: string;
  readonly bytes: number;
  /**
   * The time at which it was made, in milliseconds since the epoch: of equal rows in two files, those of the later one
   * count.
   */
  readonly made: number;
  readonly runs: readonly HeldRun[];
}

/** A run and the file that counts for it. */
export interface HeldIn {
  readonly run: HeldRun;
  readonly file: TraceFile;
}

/** Returns the metadata of a new file. */
export function toMetadata(runs: readonly HeldRun[]): string {
  const list = runs.map(({ runId, seq, logId, written, month }) => [
    runId,
    seq,
    logId,
    written,
    month,
  ]);
  return JSON.stringify({ rows: rowsVersion, made: systemClock.now(), runs: list });
}

/** None when the file is of another layout, or not ours. */
export function readMetadata(
  text: string | undefined,
): Pick<TraceFile, "made" | "runs"> | undefined {
  if (text === undefined) return undefined;
  try {
    const { rows, made, runs } = JSON.parse(text);
    if (rows !== rowsVersion) return undefined;
    const list = runs as readonly [string, number, number | null, number, string][];
    return {
      made,
      runs: list.map(([runId, seq, logId, written, month]) => ({
        runId,
        seq,
        logId,
        written,
        month,
      })),
    };
  } catch {
    return undefined;
  }
}

/** Each run with the file that counts for it. Every process says the same of the same files. */
export function heldIn(files: Iterable<TraceFile>): ReadonlyMap<string, HeldIn> {
  const held = new Map<string, HeldIn>();
  for (const file of files) {
    for (const run of file.runs) {
      const other = held.get(run.runId);
      if (other === undefined || counts({ run, file }, other)) held.set(run.runId, { run, file });
    }
  }
  return held;
}

function counts(one: HeldIn, other: HeldIn): boolean {
  if (one.run.written !== other.run.written) return one.run.written > other.run.written;
  if (one.file.made !== other.file.made) return one.file.made > other.file.made;
  return one.file.path > other.file.path;
}
