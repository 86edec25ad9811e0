/** Folds a step of a stored log from the nearest snapshot when somebody asks for it. */
import type { LogRecord } from "../records/records.ts";
import { applyRecord } from "../scheduler/fold.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { ReadsChunk } from "../scheduler/snapshot/long-lists.ts";
import {
  emptySnapshot,
  type LaterTrail,
  placeText,
  type Snapshot,
  Trail,
} from "../scheduler/snapshot/snapshot.ts";
import { SNAPSHOT_LAYOUT, snapshotIn } from "../scheduler/snapshot/snapshot-text.ts";
import { unpackChunk } from "../store/log/chunk-bytes.ts";
import type { RunMeta, RunStore, StoredSnapshot } from "../store/run-store.ts";
import { stateOf } from "./state-of.ts";
import { RunStep } from "./step.ts";

/** The number of records read at once: the most that are flushed together. */
const RECORDS_AT_ONCE = 256;

/** The reads that a store of runs answers. */
export interface StoredPast {
  /** All of its log. */
  read(): readonly LogRecord[];
  /** The records after `seq`, read until there are `enough` of them or the log ends. */
  readAfter(seq: number, enough: number): readonly LogRecord[];
  /** The latest snapshot before a step, and no later than the record `upTo`. */
  snapshotBefore(place: {
    readonly step: number;
    readonly upTo: number;
  }): StoredSnapshot | undefined;
  /** A chunk of its snapshots. */
  readonly chunk: ReadsChunk;
}

export function storedPast(store: RunStore, { runId, graphHash }: RunMeta): StoredPast {
  return {
    read: () => store.read(runId),
    readAfter: (seq, enough) => store.readAfter(runId, seq, enough),
    snapshotBefore: (place) => {
      const stored = store.snapshots.before(runId, place);
      const isOurs = stored?.layout === SNAPSHOT_LAYOUT && stored.graphHash === graphHash;
      return isOurs ? stored : undefined;
    },
    chunk: (hash) => {
      const bytes = store.snapshots.chunk(runId, hash);
      return bytes && (() => unpackChunk(bytes));
    },
  };
}

/** Up to so many records, of which that is the last. */
export function recordsUpTo(past: StoredPast, seq: number, count: number): readonly LogRecord[] {
  return past.readAfter(seq - count, count).filter((record) => record.seq <= seq);
}

/** The record of a step, or the first one, and where the run stood around it. */
export interface StoredStep {
  readonly record: LogRecord;
  readonly before: Snapshot;
  readonly snapshot: Snapshot;
}

interface StepsParts {
  readonly program: Program;
  readonly past: StoredPast;
  /** The last record that belongs to them. */
  readonly upTo: number;
  /** The trail that a fold of all of the log has behind a record. */
  readonly trailAt: (seq: number) => Trail;
}

export class StoredSteps {
  readonly #parts: StepsParts;
  /** A rewind asks for its step more than once. */
  #last: { readonly step: number; readonly found: StoredStep | undefined } | undefined;

  constructor(parts: StepsParts) {
    this.#parts = parts;
  }

  /** 0 is the start; undefined where there is no such step. */
  at(step: number): StoredStep | undefined {
    if (this.#last?.step !== step) this.#last = { step, found: this.#folded(step) };
    return this.#last.found;
  }

  /** Returns the positions to which a snapshot behind a record can be rewound. */
  trailOf({ seq, steps }: Pick<StoredSnapshot, "seq" | "steps">): Trail {
    const at = (step: number) => (step <= steps ? this.at(step)?.snapshot : undefined);
    return Trail.later({ read: () => this.#parts.trailAt(seq), at });
  }

  /** Reads the positions to which a step can be rewound. */
  trailBefore(step: number): LaterTrail {
    return {
      read: () => this.at(step)?.snapshot.trail ?? Trail.empty,
      at: (earlier) => (earlier < step ? this.at(earlier)?.snapshot : undefined),
    };
  }

  /** Up to so many records, of which that is the last. */
  near(seq: number, count: number): readonly LogRecord[] {
    return recordsUpTo(this.#parts.past, seq, count);
  }

  #folded(step: number): StoredStep | undefined {
    const { past, upTo } = this.#parts;
    const stored = past.snapshotBefore({ step, upTo });
    const readSnapshot = stored && this.#readSnapshot(stored);
    if (stored !== undefined && readSnapshot !== undefined) {
      const records = this.#recordsAfter(stored.seq - 1);
      const last = records.next().value;
      const isOfThisLog = last?.seq === stored.seq && last.at === readSnapshot.lastAt;
      if (isOfThisLog) return this.#foldedOver(records, { from: readSnapshot, step });
    }
    return this.#foldedOver(this.#recordsAfter(-1), { from: emptySnapshot(), step });
  }

  #foldedOver(
    records: Iterable<LogRecord>,
    { from, step }: { readonly from: Snapshot; readonly step: number },
  ): StoredStep | undefined {
    let before = from;
    for (const record of records) {
      const snapshot = applyRecord(this.#parts.program, before, record, record.at);
      if (snapshot.isStep && snapshot.steps === step) return { record, before, snapshot };
      before = snapshot;
    }
    return undefined;
  }

  *#recordsAfter(seq: number): Generator<LogRecord, undefined> {
    const { past, upTo } = this.#parts;
    for (let last = seq; last < upTo; ) {
      const records = past.readAfter(last, RECORDS_AT_ONCE);
      if (records.length === 0) return;
      for (const record of records) {
        if (record.seq > upTo) return;
        yield record;
        last = record.seq;
      }
    }
  }

  #readSnapshot(stored: StoredSnapshot): Snapshot | undefined {
    try {
      const trail = this.trailOf(stored);
      const { program, past } = this.#parts;
      const snapshot = snapshotIn(stored.text, { program, trail, chunk: past.chunk })?.snapshot;
      return snapshot?.line === 0 && snapshot.steps === stored.steps ? snapshot : undefined;
    } catch {
      // A snapshot is derived: where it can't be read, the log has everything.
      return undefined;
    }
  }
}

/** The step as people look at it; the first record is none. */
export function stepIn(
  { record, before, snapshot }: StoredStep,
  of: { readonly program: Program; readonly runId: string },
): RunStep | undefined {
  if (record.kind !== "commit") return undefined;
  const { step, node, attempt, output, patches, seq, id } = record;
  const run = before.open.get(id);
  if (run === undefined) return undefined;
  const nodeRunId = `${of.runId}/${placeText(run)}`;
  return new RunStep(
    { step, node, nodeRunId, attempt, patches, seq, ...(output === undefined ? {} : { output }) },
    stateOf(of.program, snapshot),
  );
}
