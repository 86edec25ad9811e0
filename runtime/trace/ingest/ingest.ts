/** Reads what is new in the logs of a source into a trace file, in slices, and puts aside records that can't be traced. */
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../failure.ts";
import type { LogRecord } from "../../records/records.ts";
import { restrict, type TraceDatabase } from "../database/database.ts";
import { DERIVED_TABLES } from "../schema/schema.ts";
import type { EventRow, QuarantineRow, RunRow } from "../schema/tables.ts";
import {
  DROP_BLOB_ROWS,
  DROP_EVENT_ROWS,
  DROP_QUARANTINED,
  DROP_RUN_ROWS,
  emptyBatch,
  isRewind,
  type RowBatch,
  writeBatch,
} from "./batch.ts";
import { SLICE_RECORDS, slicesAfter } from "./read-slices.ts";
import { type RunTail, runTail, toGraphRow } from "./run-tail.ts";
import type { SourcePosition, TraceSource } from "./source.ts";
import { type Redact, toTraceJson } from "./trace-json.ts";

/** A transaction is written once it has so many rows: fewer would cost more, more would hold up the thread. */
const BATCH_ROWS = 4_096;
// Rows stay in memory until a checkpoint.
const CHECKPOINT_ROWS = 50_000;

export const POSITIONS = `
SELECT run_id, last_seq::DOUBLE AS last_seq, last_at, log_id
FROM run_log
WHERE origin IS NULL`;

export const KNOWN_GRAPHS = `
SELECT graph_hash
FROM graph_log`;

interface IngestPosition {
  readonly seq: number;
  readonly at: number | null;
  /** Of which log; that of a source that has one log a run has no number. */
  readonly logId: number | null;
}

/** A run, and up to which record of which log it is traced. */
interface TracedTo extends Pick<IngestPosition, "seq" | "logId"> {
  readonly runId: string;
}

/** A log to read, of a source. */
interface Log {
  readonly runId: string;
  /** The last record that was read; later ones are read the next time. */
  readonly lastSeq: number;
  readonly logId: number | null;
}

/** Of a slice: how many records it had, and how many of them the database had not. */
interface Slice {
  readonly read: number;
  readonly added: number;
}

/** The result of a pass over the logs; a run that can't be read stops no other. */
export interface Ingested {
  readonly records: number;
  readonly failures: readonly RunFailure[];
  /** Records that are kept aside, since nothing could be made of them. */
  readonly quarantined?: readonly QuarantineRow[];
}

export interface RunFailure {
  readonly runId: string;
  readonly cause: unknown;
}

/** Follows the logs of a source into one database; rows and positions land together, so each record lands once. */
export class Ingester {
  readonly #database: TraceDatabase;
  readonly #redact: Redact;
  /** The position of each run in the database. */
  readonly #positions = new Map<string, IngestPosition>();
  readonly #graphs = new Set<string>();
  /** Runs that are being followed; the others are read from their first record when they go on. */
  readonly #tails = new Map<string, RunTail>();
  /** The rows of the next transaction. */
  #batch = emptyBatch();
  #rowsSinceCheckpoint = 0;
  #quarantined: QuarantineRow[] = [];

  constructor(database: TraceDatabase, redact: Redact) {
    this.#database = database;
    this.#redact = redact;
  }

  /** Learns what the database has; call it first. */
  async start(): Promise<void> {
    const { writer } = this.#database;
    this.#forget();
    for (const row of (await writer.runAndReadAll(POSITIONS)).getRowsJS()) {
      const [runId, seq, at, logId] = row;
      this.#positions.set(String(runId), {
        seq: Number(seq),
        at: numberOf(at),
        logId: numberOf(logId),
      });
    }
    for (const [hash] of (await writer.runAndReadAll(KNOWN_GRAPHS)).getRowsJS()) {
      this.#graphs.add(String(hash));
    }
  }

  /** Reads what the logs have beyond the database and writes its rows, but for new runs that are `elsewhere`. */
  async ingestOnce(
    source: TraceSource,
    isIngestedElsewhere: (position: SourcePosition) => boolean = () => false,
  ): Promise<Ingested> {
    const failures: RunFailure[] = [];
    let [records, readInTurn] = [0, 0];
    this.#quarantined = [];
    this.#batch = emptyBatch();
    await this.drop((await source.deleted?.()) ?? []);
    for (const found of await source.positions()) {
      const { runId, lastSeq, logId = null } = found;
      const position = this.#positions.get(runId);
      if (lastSeq === position?.seq && logId === position.logId) continue;
      if (position === undefined && isIngestedElsewhere(found)) continue;
      for await (const { read, added } of this.#read(source, { runId, lastSeq, logId }, failures)) {
        records += added;
        readInTurn += read;
        if (this.#batch.events.length >= BATCH_ROWS) await this.#write();
        else if (readInTurn < SLICE_RECORDS) continue;
        else await setImmediate();
        readInTurn = 0;
      }
    }
    await this.#write();
    const quarantined = this.#quarantined;
    return { records, failures, ...(quarantined.length === 0 ? {} : { quarantined }) };
  }

  /** Empties the derived tables and reads every log again; what people wrote in the others stays. */
  async rebuild(source: TraceSource): Promise<Ingested> {
    for (const statement of DERIVED_TABLES) await this.#database.writer.run(statement);
    this.#forget();
    const ingested = await this.ingestOnce(source);
    await this.#checkpoint();
    return ingested;
  }

  #forget(): void {
    this.#positions.clear();
    this.#graphs.clear();
    this.#tails.clear();
  }

  /** Takes out the rows of the runs that are as far as is asked for. */
  async dropWhere(isGone: (run: TracedTo) => boolean): Promise<void> {
    const all = [...this.#positions].map(([runId, { seq, logId }]) => ({ runId, seq, logId }));
    await this.drop(all.filter(isGone).map(({ runId }) => runId));
  }

  /** Takes out the rows of runs that are no more. */
  async drop(runIds: readonly string[]): Promise<void> {
    const gone = runIds.filter((runId) => this.#positions.has(runId));
    if (gone.length === 0) return;
    const { writer } = this.#database;
    try {
      await writer.run("BEGIN");
      for (const statement of [DROP_EVENT_ROWS, DROP_BLOB_ROWS, DROP_RUN_ROWS, DROP_QUARANTINED]) {
        await writer.run(statement, [JSON.stringify(gone)]);
      }
      await writer.run("COMMIT");
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
    for (const runId of gone) {
      this.#positions.delete(runId);
      this.#tails.delete(runId);
    }
  }

  /** Adds what is new of one run to the batch, slice by slice. */
  async *#read(source: TraceSource, log: Log, failures: RunFailure[]): AsyncGenerator<Slice, void> {
    const { runId, lastSeq } = log;
    try {
      const { tail, after, known, begin } = await this.#open(source, log);
      let isBegun = false;
      for await (const slice of slicesAfter(source, { runId, after, upTo: lastSeq })) {
        const news = slice.filter(({ seq }) => seq > known);
        for (const record of slice) if (record.seq <= known) this.#rowsOf(tail, record);
        // With the rows of those, the database has what they refer to.
        if ((slice[0]?.seq ?? 0) <= known) tail.takeBlobs();
        if (news.length > 0) {
          this.#add(tail, news, log);
          if (!isBegun) begin();
          isBegun = true;
        }
        yield { read: slice.length, added: news.length };
      }
      if (isBegun) return;
      this.#add(tail, [], log);
      begin();
      yield { read: 0, added: 0 };
    } catch (cause) {
      // Its rows so far are whole slices; from there it is read anew.
      this.#tails.delete(runId);
      failures.push({ runId, cause });
    }
  }

  /** Opens a run at its position; `begin` is called when its first slice could be read. */
  async #open(source: TraceSource, { runId, logId }: Log) {
    const position = this.#positions.get(runId);
    const followed = this.#tails.get(runId);
    // Only a tail whose rows are all in the batch is followed further.
    this.#tails.delete(runId);
    const isIt = position?.logId === logId;
    if (followed !== undefined && position !== undefined && isIt) {
      return { tail: followed, after: position.seq, known: position.seq, begin: () => {} };
    }
    const traced = await source.meta(runId);
    const tail = runTail(traced, this.#redact);
    const known = position !== undefined && isIt && (await isAt(source, runId, position));
    const begin = () => {
      const { dropped, graphs } = this.#batch;
      if (position !== undefined && !known) dropped.push(runId);
      if (!this.#graphs.has(traced.graphHash))
        graphs.set(traced.graphHash, toGraphRow(traced, this.#redact));
    };
    return { tail, after: -1, known: known ? position.seq : -1, begin };
  }

  /** Adds the rows of records; a record of which no row can be made is put aside. */
  #add(tail: RunTail, records: readonly LogRecord[], { runId, logId }: Log): void {
    const batch = this.#batch;
    for (const record of records) {
      const rows = this.#rowsOf(tail, record);
      if (!Array.isArray(rows)) batch.quarantined.push(this.#aside(runId, record, rows.cause));
      else for (const row of rows) batch.events.push(row);
      if (isRewind(record)) batch.rewinds.push({ runId, record });
      this.#noteGraph(record, batch);
    }
    for (const row of tail.takeBlobs()) batch.blobs.push(row);
    batch.runs.set(runId, { ...tail.run, log_id: logId });
    this.#tails.set(runId, tail);
  }

  #rowsOf(tail: RunTail, record: LogRecord): EventRow[] | { readonly cause: unknown } {
    try {
      return tail.read(record);
    } catch (cause) {
      tail.skip(record);
      return { cause };
    }
  }

  #aside(runId: string, record: LogRecord, cause: unknown): QuarantineRow {
    const { seq, at: ts, kind } = record;
    const reason = messageOf(cause);
    return {
      run_id: runId,
      seq,
      ts,
      kind,
      reason,
      record: toTraceJson(record, { redact: this.#redact }),
    };
  }

  /** A run that is resumed may go on with another program than it began with. */
  #noteGraph(record: LogRecord, { graphs }: RowBatch): void {
    if (record.kind !== "control" || record.verb !== "resume" || record.ir === undefined) return;
    const { ir } = record;
    if (!this.#graphs.has(ir.hash)) {
      graphs.set(ir.hash, toGraphRow({ graph: ir.name, graphHash: ir.hash, ir }, this.#redact));
    }
  }

  async #write(): Promise<void> {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    if (batch.runs.size === 0) return;
    try {
      await writeBatch(this.#database, batch, (runId) => this.#positions.has(runId));
    } catch (error) {
      // What was read is not written: it is read again, from the first record, by the next pass.
      for (const runId of batch.runs.keys()) this.#tails.delete(runId);
      await this.#rollBack();
      throw error;
    }
    restrict(this.#database.file);
    this.#rowsSinceCheckpoint += batch.events.length;
    for (const hash of batch.graphs.keys()) this.#graphs.add(hash);
    for (const [runId, run] of batch.runs) this.#settle(runId, run);
    this.#quarantined.push(...batch.quarantined);
    if (this.#rowsSinceCheckpoint >= CHECKPOINT_ROWS) await this.#checkpoint();
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#database.writer.run("ROLLBACK");
    } catch {
      // The transaction is gone already; the first error says why.
    }
  }

  #settle(runId: string, run: RunRow): void {
    this.#positions.set(runId, { seq: run.last_seq ?? -1, at: run.last_at, logId: run.log_id });
    if (run.ended_at !== null) this.#tails.delete(runId);
  }

  async #checkpoint(): Promise<void> {
    await this.#database.writer.run("CHECKPOINT");
    this.#rowsSinceCheckpoint = 0;
  }
}

/**
 * Returns whether the log still has the last record of the database; after a power failure the log may end before its
 * trace, and continue differently.
 */
async function isAt(
  source: TraceSource,
  runId: string,
  { seq, at }: IngestPosition,
): Promise<boolean> {
  const [record] = await source.readAfter(runId, seq - 1, 1);
  return record?.seq === seq && record.at === at;
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}
