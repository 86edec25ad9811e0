/** Ingests imported spans into the trace file, and makes the rows of a run again when its spans have changed. */
import { appendRows } from "../../columns/append.ts";
import type { TraceDatabase } from "../../database/database.ts";
import { inTransaction } from "../../database/transaction.ts";
import type { Ingested, RunFailure } from "../../ingest/ingest.ts";
import type { TraceSource } from "../../ingest/source.ts";
import { eventLog, graphLog, runLog } from "../../schema/tables.ts";
import { type ImportedSpan, SCOPE, type TakenRows } from "../span.ts";
import { foreignRows } from "./foreign-rows.ts";
import type { ImportedSpanFiles } from "./imported-span-files.ts";
import { ownRows } from "./own-rows.ts";

export const TAKEN_RUNS = `
SELECT run_id, last_seq::DOUBLE AS bytes
FROM run_log
WHERE origin IS NOT NULL`;

export const DROP_TAKEN_EVENTS = `
DELETE FROM event_log
WHERE run_id IN (SELECT run_id FROM run_log WHERE run_id = $1 AND origin IS NOT NULL)`;

export const DROP_TAKEN_RUN = `
DELETE FROM run_log
WHERE run_id = $1 AND origin IS NOT NULL`;

export const HAS_GRAPH = `
SELECT count(*)::INTEGER AS graphs
FROM graph_log
WHERE graph_hash = $1`;

/** Brings imported runs into the trace, each anew when more of it has come. A run that has a log here goes before its import. */
export class ImportedIngester {
  readonly #database: TraceDatabase;
  readonly #files: ImportedSpanFiles;
  /** The number of bytes read of each file; undefined before the first look. */
  #known: Map<string, number> | undefined;
  readonly #own = new Set<string>();

  constructor(database: TraceDatabase, files: ImportedSpanFiles) {
    this.#database = database;
    this.#files = files;
  }

  /** Looks for what is new; the runs of the source have logs here. Never rejects. */
  async ingest(source: Pick<TraceSource, "positions">): Promise<Ingested> {
    const failures: RunFailure[] = [];
    try {
      await this.#bring(source, failures);
    } catch (cause) {
      failures.push({ runId: "imported", cause });
    }
    return { records: 0, failures };
  }

  async #bring(source: Pick<TraceSource, "positions">, failures: RunFailure[]): Promise<void> {
    const files = this.#files.list();
    this.#known ??= await this.#read();
    if (files.length === 0 && this.#known.size === 0) return;
    for (const { runId } of await source.positions()) this.#own.add(runId);
    const wanted = files.filter(({ runId }) => !this.#own.has(runId));
    const there = new Set(wanted.map(({ runId }) => runId));
    for (const runId of [...this.#known.keys()]) if (!there.has(runId)) await this.#drop(runId);
    for (const { runId, bytes } of wanted) {
      if (this.#known.get(runId) === bytes) continue;
      try {
        await this.#write(runId, bytes);
      } catch (cause) {
        failures.push({ runId, cause });
      }
    }
  }

  /** The tables were emptied. */
  forget(): void {
    this.#known = undefined;
  }

  async #read(): Promise<Map<string, number>> {
    const rows = (await this.#database.writer.runAndReadAll(TAKEN_RUNS)).getRowsJS();
    return new Map(rows.map(([runId, bytes]) => [String(runId), Number(bytes)]));
  }

  async #drop(runId: string): Promise<void> {
    await inTransaction(this.#database.writer, async () => this.#dropRows(runId));
    this.#known?.delete(runId);
  }

  async #dropRows(runId: string): Promise<void> {
    for (const statement of [DROP_TAKEN_EVENTS, DROP_TAKEN_RUN])
      await this.#database.writer.run(statement, [runId]);
  }

  async #write(runId: string, bytes: number): Promise<void> {
    const { run, events, graphs } = takenRows(runId, this.#files.read(runId));
    const { writer: connection } = this.#database;
    const into = { ...this.#database, connection };
    await inTransaction(this.#database.writer, async () => {
      await this.#dropRows(runId);
      await appendRows(into, eventLog, events);
      await appendRows(into, runLog, [{ ...run, last_seq: bytes }]);
      for (const graph of graphs) {
        const [count] = (await connection.runAndReadAll(HAS_GRAPH, [graph.graph_hash])).getRowsJS();
        if (count?.[0] === 0) await appendRows(into, graphLog, [graph]);
      }
    });
    this.#known?.set(runId, bytes);
  }
}

/** The rows of all spans of one trace; of a span that came twice the later one counts. */
export function takenRows(runId: string, spans: readonly ImportedSpan[]): TakenRows {
  const unique = [...new Map(spans.map((span) => [span.spanId, span])).values()];
  const isOurs = unique.some(({ scope }) => scope === SCOPE);
  return isOurs ? ownRows(runId, unique) : foreignRows(runId, unique);
}
