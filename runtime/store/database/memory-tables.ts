/** Keeps the rows of a store in memory, with the interface of the SQLite tables; they end with their process. */
import { createHash } from "node:crypto";
import type { Clock } from "../../clock.ts";
import type { LogRecord } from "../../records/records.ts";
import { MemoryIndex } from "../memories/memory-index.ts";
import type { RunFilter, StoredRunPosition } from "../run-store.ts";
import { openMemoryDatabase } from "./open-database.ts";
import type {
  ArtifactRow,
  Blobs,
  CacheRow,
  KeptRow,
  LeaseRow,
  NoteRow,
  RunChange,
  SegmentRow,
  SnapshotChunkRow,
  SnapshotLength,
  SnapshotPlace,
  SnapshotRow,
  StoredRunRow,
  Tables,
  TransactionOptions,
} from "./tables.ts";
import type { WritableRow, WritableTable, WritableValues } from "./writable-columns.ts";

/** The rows of a store that ends with its process. */
export class MemoryTables implements Tables<readonly LogRecord[]> {
  readonly memories: MemoryIndex = new MemoryIndex(openMemoryDatabase);
  readonly #runs = new Map<string, StoredRunRow>();
  readonly #irs = new Map<string, string>();
  readonly #segments = new Map<string, SegmentRow<readonly LogRecord[]>[]>();
  /** By rising number. */
  readonly #snapshots = new Map<string, readonly SnapshotRow[]>();
  /** By run and hash. */
  readonly #chunks = new Map<string, Map<string, SnapshotChunkRow>>();
  readonly #leases = new Map<string, LeaseRow>();
  readonly #kept = new Map<string, KeptRow>();
  readonly #notes: NoteRow[] = [];
  readonly #outcomes = new Map<number, string>();
  /** The epochs of deleted runs. */
  readonly #deleted = new Map<string, number>();
  readonly #artifacts = new Map<string, ArtifactRow>();
  readonly #cache = new Map<string, CacheRow>();
  readonly #writable: Record<WritableTable, WritableRow[]> = {
    scores: [],
    model_prices: [],
    model_contexts: [],
  };
  #lastId = 0;
  // Never empty: what lies in a folder's files is not taken over into memory.
  #writableRevision = "memory";

  scrub(body: () => void): void {
    body();
  }

  /** Nothing here fails half-way, so there is nothing to undo. */
  transact<T>(_options: TransactionOptions, body: () => T): T {
    return body();
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  syncNow(): void {}

  insertRun(run: StoredRunRow, ir: string): void {
    this.#runs.set(run.runId, run);
    this.#irs.set(run.irKey, ir);
    this.#segments.set(run.runId, []);
    this.#deleted.delete(run.runId);
  }

  deleteRun(runId: string): void {
    this.#deleted.delete(runId);
    this.#deleted.set(runId, this.#leases.get(runId)?.epoch ?? 0);
    for (const { number } of this.pendingNotes(runId)) this.settleNote(number, "deleted");
    const all = [this.#segments, this.#snapshots, this.#chunks, this.#leases, this.#runs];
    for (const rows of all) rows.delete(runId);
  }

  deletedEpoch(runId: string): number | undefined {
    return this.#deleted.get(runId);
  }

  deletedRuns(): string[] {
    return [...this.#deleted.keys()];
  }

  deleteUnusedIrs(): void {
    const used = new Set([...this.#runs.values()].map(({ irKey }) => irKey));
    for (const key of this.#irs.keys()) if (!used.has(key)) this.#irs.delete(key);
  }

  changeRun(runId: string, change: RunChange): void {
    const run = this.#runs.get(runId);
    if (run !== undefined) this.#runs.set(runId, { ...run, ...change });
  }

  run(runId: string): StoredRunRow | undefined {
    return this.#runs.get(runId);
  }

  ir(key: string): string | undefined {
    return this.#irs.get(key);
  }

  runs({ graph, status, thread, until, limit }: RunFilter): StoredRunRow[] {
    return this.#newestFirst()
      .filter(
        (run) =>
          (graph === undefined || run.graph === graph) &&
          (status === undefined || run.status === status) &&
          (thread === undefined || run.threadId === thread) &&
          (until === undefined || run.createdAt <= until),
      )
      .slice(0, limit);
  }

  runsLeft(at: number): StoredRunRow[] {
    return this.#left().filter(({ dueAt }) => dueAt === null || dueAt <= at);
  }

  nextDue(after: number): number | undefined {
    const times = this.#left().flatMap(({ dueAt }) =>
      (dueAt ?? after) > after ? [dueAt ?? 0] : [],
    );
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #left(): StoredRunRow[] {
    return [...this.#runs.values()].filter(({ status }) => LEFT.includes(status));
  }

  runIdsLike(word: string): string[] {
    return this.#newestFirst()
      .map((run) => run.runId)
      .filter((runId) => runId.startsWith(word) || runId.endsWith(word));
  }

  positions(): StoredRunPosition[] {
    return [...this.#runs.values()].map(({ runId, lastSeq, logId }) => ({ runId, lastSeq, logId }));
  }

  insertSegment(runId: string, segment: SegmentRow<readonly LogRecord[]>): void {
    this.#segments.get(runId)?.push(segment);
  }

  segmentsAfter(runId: string, seq: number): SegmentRow<readonly LogRecord[]>[] {
    const segments = this.#segments.get(runId) ?? [];
    return segments.filter((segment) => segment.lastSeq > seq);
  }

  snapshot(runId: string): SnapshotRow | undefined {
    return this.#snapshots.get(runId)?.at(-1);
  }

  snapshotBefore(runId: string, { step, upTo }: SnapshotPlace): SnapshotRow | undefined {
    const rows = this.#snapshots.get(runId) ?? [];
    return rows.findLast(({ seq, steps }) => steps < step && seq <= upTo);
  }

  snapshotLengths(runId: string): readonly SnapshotLength[] {
    const rows = this.#snapshots.get(runId) ?? [];
    const last = rows.slice(-2).reverse();
    return last.map(({ seq, content }) => {
      const lengths = this.#chunksFirstIn(runId, seq).map((chunk) => chunk.content.length);
      return { seq, length: lengths.reduce((sum, length) => sum + length, content.length) };
    });
  }

  putSnapshot(snapshot: SnapshotRow): void {
    const { runId, seq } = snapshot;
    this.deleteSnapshot(runId, seq);
    const rows = [...(this.#snapshots.get(runId) ?? []), snapshot];
    this.#snapshots.set(
      runId,
      rows.sort((a, b) => a.seq - b.seq),
    );
  }

  deleteSnapshot(runId: string, seq: number): void {
    const rows = this.#snapshots.get(runId) ?? [];
    this.#snapshots.set(
      runId,
      rows.filter((row) => row.seq !== seq),
    );
  }

  #chunksFirstIn(runId: string, seq: number): readonly SnapshotChunkRow[] {
    return [...(this.#chunks.get(runId)?.values() ?? [])].filter((chunk) => chunk.seq === seq);
  }

  snapshotChunk(runId: string, hash: string): Uint8Array | undefined {
    return this.#chunks.get(runId)?.get(hash)?.content;
  }

  chunksOfSnapshot(runId: string, seq: number): readonly string[] {
    return this.#chunksFirstIn(runId, seq).map(({ hash }) => hash);
  }

  putSnapshotChunk(chunk: SnapshotChunkRow): void {
    const { runId, hash } = chunk;
    const chunks = this.#chunks.get(runId) ?? new Map<string, SnapshotChunkRow>();
    const seq = chunks.get(hash)?.seq ?? chunk.seq;
    this.#chunks.set(runId, chunks.set(hash, { ...chunk, seq }));
  }

  moveSnapshotChunk({ runId, hash, seq }: Omit<SnapshotChunkRow, "content">): void {
    const chunk = this.#chunks.get(runId)?.get(hash);
    if (chunk !== undefined) this.#chunks.get(runId)?.set(hash, { ...chunk, seq });
  }

  deleteSnapshotChunk(runId: string, hash: string): void {
    this.#chunks.get(runId)?.delete(hash);
  }

  lease(runId: string): LeaseRow | undefined {
    return this.#leases.get(runId);
  }

  putLease(lease: LeaseRow): void {
    this.#leases.set(lease.runId, lease);
  }

  renewLease(runId: string, epoch: number, expiresAt: number): boolean {
    const lease = this.#leases.get(runId);
    if (lease?.epoch !== epoch) return false;
    this.#leases.set(runId, { ...lease, expiresAt });
    return true;
  }

  keptRows(scope: string, owner: string): KeptRow[] {
    return [...this.#kept.values()].filter((row) => row.scope === scope && row.owner === owner);
  }

  keptOwners(scope: string): string[] {
    const rows = [...this.#kept.values()].filter((row) => row.scope === scope);
    const last = rows.toSorted((a, b) => b.updatedAt - a.updatedAt);
    return [...new Set(last.map(({ owner }) => owner))];
  }

  keptValues(): string[] {
    return [...this.#kept.values()].map(({ value }) => value);
  }

  putKept(row: KeptRow): void {
    this.#kept.set(JSON.stringify([row.scope, row.owner, row.field, row.graph]), row);
  }

  cached(key: string): CacheRow | undefined {
    return this.#cache.get(key);
  }

  putCached(row: CacheRow): void {
    this.#cache.set(row.key, row);
  }

  writableRows(table: WritableTable): readonly WritableRow[] {
    return this.#writable[table];
  }

  insertWritable(table: WritableTable, values: WritableValues): void {
    this.#lastId += 1;
    this.#writable[table].push({ id: this.#lastId, values });
  }

  deleteWritable(table: WritableTable, id: number): void {
    this.#writable[table] = this.#writable[table].filter((row) => row.id !== id);
  }

  writableRevision(): string {
    return this.#writableRevision;
  }

  setWritableRevision(revision: string): void {
    this.#writableRevision = revision;
  }

  insertNote(note: Omit<NoteRow, "number">): number {
    const number = this.#notes.length + 1;
    this.#notes.push({ ...note, number });
    return number;
  }

  pendingNotes(runId: string): NoteRow[] {
    return this.#notes.filter((note) => note.runId === runId && !this.#outcomes.has(note.number));
  }

  settleNote(number: number, outcome: string): void {
    if (!this.#outcomes.has(number)) this.#outcomes.set(number, outcome);
  }

  noteOutcome(number: number): string | undefined {
    return this.#outcomes.get(number);
  }

  deleteKept(scope: string, owner: string): void {
    for (const [key, row] of this.#kept) {
      if (row.scope === scope && row.owner === owner) this.#kept.delete(key);
    }
  }

  putArtifact(artifact: ArtifactRow): void {
    if (!this.#artifacts.has(artifact.hash)) this.#artifacts.set(artifact.hash, artifact);
  }

  artifactRow(hash: string): ArtifactRow | undefined {
    return this.#artifacts.get(hash);
  }

  deleteArtifact(hash: string): void {
    this.#artifacts.delete(hash);
  }

  shrink(): void {}

  close(): void {}

  #newestFirst(): StoredRunRow[] {
    return [...this.#runs.values()].reverse().sort((a, b) => b.createdAt - a.createdAt);
  }
}

/** Content that ends with its process. */
export function memoryBlobs(clock: Pick<Clock, "now">): Blobs {
  const contents = new Map<string, { readonly content: Uint8Array; readonly putAt: number }>();
  const put = (hash: string, bytes: Uint8Array) =>
    void contents.set(hash, { content: bytes.slice(), putAt: clock.now() });
  return {
    put,
    putPieces: async (pieces) => {
      const content = Buffer.concat([...pieces]);
      const hash = createHash("sha256").update(content).digest("hex");
      put(hash, content);
      return { hash, bytes: content.length };
    },
    touch: (hash) => {
      const found = contents.get(hash);
      if (found !== undefined) contents.set(hash, { ...found, putAt: clock.now() });
      return found !== undefined;
    },
    synced: () => undefined,
    syncNow: () => {},
    get: (hash) => contents.get(hash)?.content.slice(),
    list: () => [...contents].map(([hash, { content }]) => ({ hash, bytes: content.length })),
    remove: (hash, before) =>
      (contents.get(hash)?.putAt ?? before) < before && contents.delete(hash),
    removeAbandoned: () => {},
  };
}

const LEFT: readonly string[] = ["running", "waiting", "paused"];
