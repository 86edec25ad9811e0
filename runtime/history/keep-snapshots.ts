/** Stores a snapshot of a run now and then, so that opening the run need not fold its whole log. */

import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { SNAPSHOT_LAYOUT, snapshotText } from "../scheduler/snapshot/snapshot-text.ts";
import { packChunk } from "../store/log/chunk-bytes.ts";
import type { RunLog, RunMeta, Snapshots } from "../store/run-store.ts";
import type { Journal } from "./journal.ts";

/** Fewer records are read and folded in a few milliseconds. */
const RECORDS_MIN = 1_024;
/** The same for a run that comes to rest. */
const RECORDS_MIN_AT_REST = 512;
/** A longer one would hold up the process for longer than it saves. */
const LENGTH_MAX = 4_000_000;
/** The same for the chunks of long lists, of which most snapshots have few that are new. */
const CHUNKS_LENGTH_MAX = 64_000_000;
/** A long one comes when about as much has been logged: see the store, which lets others go. */
const LENGTH_A_RECORD = 64;

export interface KeepParts {
  readonly snapshots: Snapshots;
  readonly meta: Pick<RunMeta, "runId" | "graphHash">;
  readonly log: Pick<RunLog, "flushedSeq">;
  /** Returns whether the log has been folded by one program from its start, that of `meta`. */
  readonly isKept: () => boolean;
  /**
   * Called where the next snapshot was due, stored or too long for that, so that the records of the last decisions are always
   * behind this one.
   */
  readonly passed?: (earlier: SnapshotAt) => void;
}

/** The snapshot and the journal after one record, which is stored. */
export interface SnapshotAt {
  readonly snapshot: Snapshot;
  readonly seq: number;
  readonly since: number;
}

export class SnapshotKeeper {
  readonly #parts: KeepParts;
  #last: number;
  /** Waits for its records to be stored: what stands in no log must not stand in a snapshot. */
  #due: SnapshotAt | undefined;
  #distance = RECORDS_MIN;
  #passed: SnapshotAt | undefined;
  /** The chunks of the last one. */
  #chunks: ReadonlySet<string>;

  /** `last` is the record behind which the latest one stands, with these chunks, or with which this process began. */
  constructor(parts: KeepParts, last: number, chunks: ReadonlySet<string> = new Set()) {
    this.#parts = parts;
    this.#last = last;
    this.#chunks = chunks;
  }

  /** Called after each decision. */
  note(seq: number, snapshot: Snapshot, journal: Journal): void {
    if (this.#due === undefined && seq - this.#last < this.#distance) return;
    this.#due ??= snapshotAt(seq, snapshot, journal);
    if (this.#parts.log.flushedSeq >= this.#due.seq) this.#store(this.#due);
  }

  /** Once everything is stored, and nothing more comes for now. */
  rest(seq: number, snapshot: Snapshot, journal: Journal): void {
    // To fold a single record onto a list in chunks takes all of them.
    const least = this.#chunks.size > 0 ? 1 : RECORDS_MIN_AT_REST;
    if (seq - this.#last < least || this.#parts.log.flushedSeq < seq) return;
    this.#store(snapshotAt(seq, snapshot, journal));
  }

  #store(at: SnapshotAt): void {
    const { snapshots, meta, isKept } = this.#parts;
    const { seq, since, snapshot } = at;
    this.#due = undefined;
    this.#last = seq;
    if (!isKept()) return;
    const { runId, graphHash } = meta;
    const written = snapshotText(snapshot, {
      lengthMax: LENGTH_MAX,
      chunksLengthMax: CHUNKS_LENGTH_MAX,
      isStored: (hash) => this.#chunks.has(hash),
      pack: packChunk,
    });
    const length = written === undefined ? LENGTH_MAX : written.text.length + written.chunks.length;
    this.#distance = Math.max(RECORDS_MIN, Math.ceil(length / LENGTH_A_RECORD));
    if (written !== undefined) {
      const { text, chunks } = written;
      const { steps } = snapshot;
      const stored = { seq, steps, since, graphHash, layout: SNAPSHOT_LAYOUT, text };
      if (snapshots.put(runId, stored, chunks)) this.#chunks = chunks.named;
    }
    if (this.#passed !== undefined) this.#parts.passed?.(this.#passed);
    this.#passed = at;
  }
}

function snapshotAt(seq: number, snapshot: Snapshot, journal: Journal): SnapshotAt {
  const { open, homes } = snapshot;
  const ids = [...open.values().map(({ id }) => id), ...homes.entries().map(([id]) => id)];
  return { snapshot, seq, since: journal.since(ids) ?? seq };
}
