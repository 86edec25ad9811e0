/** Describes the log of a run that continues: all of it, or a snapshot and what came after it. */
import type { LogRecord } from "../records/records.ts";
import { applyRecord } from "../scheduler/fold.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot, Trail } from "../scheduler/snapshot/snapshot.ts";
import {
  SNAPSHOT_LAYOUT,
  type SnapshotOfText,
  snapshotIn,
} from "../scheduler/snapshot/snapshot-text.ts";
import type { RunMeta, RunStore, StoredSnapshot } from "../store/run-store.ts";
import { Journal } from "./journal.ts";
import type { SnapshotAt } from "./keep-snapshots.ts";
import { isRewind } from "./log-path.ts";
import { lastProgram } from "./same-text.ts";
import { recordsUpTo, type StoredPast, StoredSteps } from "./stored-steps.ts";

export interface Past {
  /** All, or those behind the cut. */
  readonly records: readonly LogRecord[];
  readonly cut?: Cut;
}

/** The end of a stored log, with what it needs of the beginning. */
export interface RecentLog {
  readonly stored: StoredSnapshot;
  /** From the first on that a node run which was open then can ask for, if not from the snapshot's own. */
  readonly records: readonly LogRecord[];
}

/** The latest stored snapshot of a run, if the program of its start has folded it. */
export function recentLog(store: RunStore, meta: RunMeta): RecentLog | undefined {
  const stored = store.snapshots.get(meta.runId);
  if (stored?.layout !== SNAPSHOT_LAYOUT || stored.graphHash !== meta.graphHash) return undefined;
  const records = store.readAfter(meta.runId, Math.min(stored.since, stored.seq) - 1);
  const isThere = records.some(({ seq }) => seq === stored.seq);
  return isThere && lastProgram(records) === undefined ? { stored, records } : undefined;
}

/** The past with which a run of this program continues: the whole log where the snapshot can't be used. */
export function pastIn(
  log: readonly LogRecord[] | RecentLog,
  program: Program,
  past: StoredPast,
): Past {
  if (!("stored" in log)) return { records: log };
  const { stored, records } = log;
  const cut = Cut.at(stored, { program, records, past });
  // A rewind may go back to before the cut.
  const isWayBack = records.some(isRewind) && cut?.steps === undefined;
  if (cut === undefined || isWayBack) return { records: past.read() };
  return { cut, records: records.filter(({ seq }) => seq > stored.seq) };
}

interface CutParts {
  readonly program: Program;
  /** From `since` on. */
  readonly records: readonly LogRecord[];
  readonly past: StoredPast;
}

/** The place at which a log was cut: the records before it are read and folded when somebody asks for them. */
export class Cut {
  readonly seq: number;
  readonly snapshot: Snapshot;
  /** The steps before the cut, one by one; absent where a rewind before the cut has undone some of them. */
  readonly steps: StoredSteps | undefined;
  /** The chunks of long lists that are stored with it. */
  chunks: ReadonlySet<string> = new Set();
  readonly #parts: CutParts;
  #before: readonly LogRecord[] | undefined;
  #positions: readonly Snapshot[] | undefined;

  /** `steps` are those that stand behind the record `seq` where nothing was rewound. */
  private constructor(
    { seq, steps: straight }: Pick<StoredSnapshot, "seq" | "steps">,
    parts: CutParts,
    snapshotWith: (trail: Trail) => Snapshot,
  ) {
    const { program, past } = parts;
    this.#parts = parts;
    this.seq = seq;
    const trailAt = (at: number) => this.#trailAt(at);
    const steps = new StoredSteps({ program, past, upTo: seq, trailAt });
    const snapshot = snapshotWith(Trail.later({ read: () => trailAt(seq) }));
    const isStraight = snapshot.line === 0 && snapshot.steps === straight;
    this.steps = isStraight ? steps : undefined;
    const trail = steps.trailOf({ seq, steps: straight });
    this.snapshot = isStraight ? { ...snapshot, trail } : snapshot;
  }

  /** The cut behind a record of which this process has the snapshot. */
  static behind({ seq, snapshot }: SnapshotAt, parts: CutParts): Cut {
    return new Cut({ seq, steps: snapshot.steps }, parts, (trail) => ({ ...snapshot, trail }));
  }

  static at(stored: StoredSnapshot, parts: CutParts): Cut | undefined {
    try {
      const { program, past } = parts;
      const { chunk } = past;
      let found: SnapshotOfText | undefined;
      const cut = new Cut(stored, parts, (trail) => {
        found = snapshotIn(stored.text, { program, trail, chunk });
        return found?.snapshot ?? emptySnapshot();
      });
      cut.chunks = found?.chunks ?? cut.chunks;
      const last = parts.records.find(({ seq }) => seq === stored.seq);
      return cut.snapshot.lastAt === last?.at ? cut : undefined;
    } catch {
      // A snapshot is derived: where it can't be read, the log has everything.
      return undefined;
    }
  }

  /** The last ones up to it. */
  near(count: number): readonly LogRecord[] {
    return recordsUpTo(this.#parts.past, this.seq, count);
  }

  /** The records up to it. */
  before(): readonly LogRecord[] {
    this.#before ??= this.#parts.past.read().filter(({ seq }) => seq <= this.seq);
    return this.#before;
  }

  /** The snapshot after each record. */
  positions(): readonly Snapshot[] {
    if (this.#positions !== undefined) return this.#positions;
    let at = emptySnapshot();
    this.#positions = this.before().map((record) => {
      at = applyRecord(this.#parts.program, at, record, record.at);
      return at;
    });
    return this.#positions;
  }

  #trailAt(seq: number): Trail {
    const index = this.before().findIndex((record) => record.seq === seq);
    return this.positions()[index]?.trail ?? Trail.empty;
  }

  /** The journal; `news` are the records after the cut. */
  journal(news: readonly LogRecord[]): Journal {
    const { open, homes, next } = this.snapshot;
    const isWhole = (id: number) =>
      id >= next.run || open.get(id) !== undefined || homes.get(id) !== undefined;
    const near = this.#parts.records.filter(({ seq }) => seq <= this.seq);
    return Journal.behind({ records: [...near, ...news], isWhole, before: () => this.before() });
  }
}
