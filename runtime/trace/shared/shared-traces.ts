/** What one process has to do with the traces of all others: it writes its ended runs as Parquet and reads theirs. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf } from "../../failure.ts";
import type { TraceDatabase } from "../database.ts";
import { queue } from "../queue.ts";
import type { SourcePosition } from "../source.ts";
import type { TraceWarning } from "../trace-files.ts";
import { Catalog } from "./catalog.ts";
import { exportRuns } from "./export-runs.ts";
import { type FilePart, NO_UNION_VIEWS, readThrough, unionViews } from "./parquet-sql.ts";
import { partsOf } from "./parts.ts";

/** A run's end is no moment to work in: its rows are written a little later, with those of others that ended meanwhile. */
const EXPORT_DELAY_MS = 250;

export const OWN_RUNS = `
SELECT run_id
FROM run_log`;

export const CATALOG_NAME = `
SELECT current_database()`;

export class SharedTraces {
  readonly catalog: Catalog;
  readonly #warnings: TraceWarning[];
  /** For looks at files, and for what is written: a transaction of the one holds up no other. */
  readonly #looking: DuckDBConnection;
  readonly #writing: DuckDBConnection;
  readonly #looks = queue();
  readonly #work = queue();
  /** What each connection sees of others, as text. */
  readonly #brought = new WeakMap<DuckDBConnection, string>();
  /** Files that could be read to their end, by their stamps. */
  readonly #sound = new Set<string>();
  /** Runs that are no more, whatever files say. */
  readonly #gone = new Set<string>();
  #exporting: NodeJS.Timeout | undefined;

  constructor(
    of: { readonly looking: DuckDBConnection; readonly writing: DuckDBConnection },
    folder: string,
    warnings: TraceWarning[],
  ) {
    this.#looking = of.looking;
    this.#writing = of.writing;
    this.#warnings = warnings;
    this.catalog = new Catalog(folder, warnings);
  }

  static async open(
    database: TraceDatabase,
    folder: string,
    warnings: TraceWarning[],
  ): Promise<SharedTraces> {
    const [looking, writing] = [await database.connect(), await database.connect()];
    const shared = new SharedTraces({ looking, writing }, folder, warnings);
    await shared.refresh();
    return shared;
  }

  /** Sees what other processes have written since. */
  refresh(): Promise<void> {
    return this.#looks(() => this.catalog.refresh(this.#looking));
  }

  /** Whether a file has the rows of a run up to there: then nobody need read its log. */
  has({ runId, lastSeq, logId }: SourcePosition): boolean {
    const there = this.catalog.held.get(runId)?.run;
    return there?.seq === lastSeq && there.logId === (logId ?? null);
  }

  /** Runs that were deleted: nothing of them is seen any more. */
  forget(runIds: readonly string[]): void {
    for (const runId of runIds) this.#gone.add(runId);
  }

  /** Shows a connection the runs of others beside its own, under the names of the tables. */
  async bring(connection: DuckDBConnection): Promise<void> {
    await this.refresh();
    const parts = await this.#looks(() => this.#picture());
    const picture = JSON.stringify(parts);
    const seen = this.#brought.get(connection) ?? "[]";
    if (picture === seen) return;
    const [[name] = []] = (await connection.runAndReadAll(CATALOG_NAME)).getRowsJS();
    const views = parts.length === 0 ? NO_UNION_VIEWS : unionViews(String(name), parts);
    this.#brought.set(connection, "");
    for (const statement of views) await connection.run(statement);
    this.#brought.set(connection, picture);
  }

  async #picture(): Promise<readonly FilePart[]> {
    if (this.catalog.files.length === 0) return [];
    const rows = (await this.#looking.runAndReadAll(OWN_RUNS)).getRowsJS();
    const own = new Set(rows.map(([runId]) => String(runId)));
    return partsOf(this.catalog, (runId) => !own.has(runId) && !this.#gone.has(runId));
  }

  /** After a query that failed: whether a file may have been the reason, which is there no more or is left out from now on. */
  async mend(): Promise<boolean> {
    const { version } = this.catalog;
    await this.refresh();
    await this.#looks(() => this.#readThrough());
    return this.catalog.version !== version;
  }

  /** What DuckDB says of a damaged page can be anything, so each file is read as a whole, once. */
  async #readThrough(): Promise<void> {
    for (const { path, stamp } of this.catalog.files) {
      if (this.#sound.has(stamp)) continue;
      try {
        await this.#looking.run(readThrough(path));
        this.#sound.add(stamp);
      } catch (cause) {
        this.catalog.refuse(path, cause);
      }
    }
  }

  /** Writes the runs that have ended, soon. */
  exportSoon(): void {
    this.#exporting ??= setTimeout(() => void this.exportNow(), EXPORT_DELAY_MS).unref();
  }

  /** Never rejects: what could not be written is a warning, and tried again. */
  exportNow(): Promise<void> {
    clearTimeout(this.#exporting);
    this.#exporting = undefined;
    return this.#work(async () => {
      try {
        await this.refresh();
        await exportRuns(this.#writing, this.catalog);
      } catch (cause) {
        this.#warn(cause);
      }
    });
  }

  #warn(cause: unknown): void {
    const [reason] = messageOf(cause).split("\n", 1);
    const message = `runs could not be written to ${this.catalog.folder}: ${reason}`;
    if (this.#warnings.some((warning) => warning.message === message)) return;
    const hint = "other processes read their logs instead; make room, or the folder writable";
    this.#warnings.push({ code: "M5412", message, hint });
  }

  /** Writes what is to be written and lets go of its connections. */
  async close(): Promise<void> {
    await this.exportNow();
    await this.#looks(async () => {});
    this.#looking.closeSync();
    this.#writing.closeSync();
  }
}
