/** Shares the traces of one process with all others: writes its ended runs as Parquet, and reads theirs. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf, RunError } from "../../failure.ts";
import { type AgentQuestion, answerAgent } from "../agent-sql/agent-traces.ts";
import type { Selected } from "../agent-sql/select-once.ts";
import type { TraceDatabase } from "../database/database.ts";
import { queue } from "../database/queue.ts";
import type { TraceWarning } from "../database/trace-files.ts";
import { DATABASE_NAME } from "../database/writable-copy.ts";
import type { SourcePosition } from "../ingest/source.ts";
import { publishRuns, type RunsPublished } from "../published/publish-runs.ts";
import { publishedCatalog } from "../published/published-catalog.ts";
import { checkPublished, type PublishedTraces } from "../published/published-files.ts";
import { isOwnFault } from "../sql/sql-error.ts";
import { Catalog } from "./catalog.ts";
import { bytesOf, type Compacted, compact, compactedBy, sweep } from "./compact.ts";
import { takeOverAll } from "./dead-owners.ts";
import { exportAgain, exportLeft, exportRuns } from "./export-runs.ts";
import type { TraceFile } from "./file-metadata.ts";
import { type FilePart, NO_UNION_VIEWS, unionViews } from "./parquet-sql.ts";
import { removeUnfinished } from "./place-file.ts";
import {
  oldRuns,
  removeFiles,
  setAside,
  type TracePruneOptions,
  type TracesPruned,
} from "./prune.ts";
import { notePruned, unprune } from "./pruned-runs.ts";

/** A run's end is no moment to work in: its rows are written a little later, with those of others that ended meanwhile. */
const EXPORT_DELAY_MS = 2_000;
/** A published folder may lie on another machine: it is looked at again when a question comes so much later. */
const PUBLISHED_LOOK_MS = 5_000;
/** More files than that make queries slow: they are merged by whoever writes the next one. */
const FILES_MAX = 64;
const ATTEMPTS_MAX = 5;

export const OWN_RUNS = `
SELECT run_id
FROM run_log`;

/** The same as long as the runs are the same: all of their ids are much to read for every question. */
export const OWN_MARK = `
SELECT concat(count(*), ' ', bit_xor(hash(run_id)))
FROM run_log`;

export interface CompactOptions {
  /** Returns the plan, and changes nothing. */
  readonly isTrial?: boolean;
  /** A folder of published traces, in the place of the own ones. */
  readonly published?: string;
}

/** The view of other processes' files, valid until their runs or the own ones change. */
interface Picture {
  readonly mark: string;
  readonly parts: readonly FilePart[];
}

const NO_PICTURE: Picture = { mark: "", parts: [] };

export class SharedTraces {
  readonly catalog: Catalog;
  readonly #tracesDir: string;
  readonly #database: TraceDatabase;
  readonly #name: string;
  readonly #warnings: TraceWarning[];
  /** For looks at files, and for what is written: a long one of these holds up none of those. */
  readonly #looking: DuckDBConnection;
  readonly #writing: DuckDBConnection;
  readonly #work = queue();
  /** The published traces that are read as well, in their order: of a run in two of them the first one's counts. */
  #published: readonly Catalog[] = [];
  #publishedLook = Number.NEGATIVE_INFINITY;
  /** The text of the views that each connection has of others. */
  readonly #brought = new WeakMap<DuckDBConnection, string>();
  #pictured: Picture = NO_PICTURE;
  #exporting: NodeJS.Timeout | undefined;

  private constructor(of: OpenedTraces) {
    this.#database = of.database;
    this.#name = of.name;
    this.#looking = of.looking;
    this.#writing = of.writing;
    this.#warnings = of.warnings;
    this.#tracesDir = of.tracesDir;
    this.catalog = new Catalog(join(of.tracesDir, "runs"), of.warnings);
  }

  /** For a process that has a trace file of its own in the folder. */
  static async open(
    database: TraceDatabase,
    tracesDir: string,
    warnings: TraceWarning[],
  ): Promise<SharedTraces> {
    const [looking, writing] = [await database.connect(), await database.connect()];
    const [[name] = []] = (await looking.runAndReadAll(DATABASE_NAME)).getRowsJS();
    const names = { name: String(name), tracesDir };
    const parts = { database, ...names, looking, writing, warnings };
    const shared = new SharedTraces(parts);
    await shared.refresh();
    return shared;
  }

  /** Sees what other processes have written since. */
  refresh(): Promise<void> {
    return this.catalog.refresh(this.#looking);
  }

  /** Reads these beside the own runs, in the place of those before. Throws M5417 for a folder that has none. */
  async readPublished(wanted: readonly PublishedTraces[]): Promise<void> {
    for (const one of wanted) checkPublished(one);
    this.#published = wanted.map((one) => publishedCatalog(one, this.#warnings));
    this.#pictured = NO_PICTURE;
    await this.#lookAtPublished();
  }

  async #lookAtPublished(): Promise<void> {
    for (const catalog of this.#published) await catalog.refresh(this.#looking);
    this.#publishedLook = performance.now();
  }

  /** Writes the ended runs of the workspace into a folder of published traces that does not have them yet. */
  async publish(folder: string): Promise<RunsPublished> {
    await this.exportNow();
    const catalog = publishedCatalog({ folder }, this.#warnings);
    const connection = await this.#database.connect();
    try {
      return await this.#work(() =>
        this.#orMended(async () => {
          await catalog.refresh(connection);
          await this.refresh();
          await this.#show(connection, (await this.#picture([])).parts);
          return await publishRuns(connection, catalog);
        }),
      );
    } catch (cause) {
      throw notPublished(folder, cause);
    } finally {
      connection.closeSync();
    }
  }

  /** Returns whether a run's log need not be read up to there: a file has its rows, or they are hidden. */
  has({ runId, lastSeq, logId }: SourcePosition): boolean {
    const position = { runId, seq: lastSeq, logId: logId ?? null };
    const there = this.catalog.held.get(runId)?.run;
    const isThere = there?.seq === position.seq && there.logId === position.logId;
    return isThere || this.catalog.isGone(position);
  }

  /** Shows a connection the runs of others beside its own, under the names of the tables. */
  async bring(connection: DuckDBConnection): Promise<void> {
    await this.refresh();
    if (performance.now() - this.#publishedLook > PUBLISHED_LOOK_MS) await this.#lookAtPublished();
    await this.#show(connection, (await this.#picture(this.#published)).parts);
  }

  async #show(connection: DuckDBConnection, parts: readonly FilePart[]): Promise<void> {
    const views = parts.length === 0 ? NO_UNION_VIEWS : unionViews(this.#name, parts);
    const text = views.join(";");
    const before = this.#brought.get(connection) ?? NO_UNION_VIEWS.join(";");
    if (before === text) return;
    // Made again by the next question where one of these fails.
    this.#brought.set(connection, "");
    for (const statement of views) await connection.run(statement);
    this.#brought.set(connection, text);
  }

  /** Answers an agent from what has ended, its own run beside it. */
  async answer(connection: DuckDBConnection, question: AgentQuestion): Promise<Selected> {
    await this.exportNow();
    return await this.#orMended(async () => {
      await this.bring(connection);
      const seen = question.seen && new Set(question.seen);
      const isSeen = (runId: string) =>
        seen?.has(runId) !== false || this.catalog.held.get(runId)?.run.logId === null;
      const parts = chooseFiles(this.catalog, (runId) => runId !== question.runId && isSeen(runId));
      return await answerAgent(connection, parts, question);
    });
  }

  async #picture(published: readonly Catalog[]): Promise<Picture> {
    const catalogs = [this.catalog, ...published];
    if (catalogs.every(({ files }) => files.length === 0)) return NO_PICTURE;
    const [[own = ""] = []] = (await this.#looking.runAndReadAll(OWN_MARK)).getRowsJS();
    const mark = [...catalogs.map(({ version }) => version), own].join(" ");
    if (this.#pictured.mark !== mark) {
      const rows = (await this.#looking.runAndReadAll(OWN_RUNS)).getRowsJS();
      const runs = new Set(rows.map(([runId]) => String(runId)));
      const parts = catalogs.flatMap((catalog, at) => {
        const before = catalogs.slice(0, at);
        return chooseFiles(
          catalog,
          (runId) => !runs.has(runId) && !before.some(({ held }) => held.has(runId)),
        );
      });
      this.#pictured = { mark, parts };
    }
    return this.#pictured;
  }

  /** After a query that failed: whether a file may have been the reason, which is there no more or is left out from now on. */
  async mend(): Promise<boolean> {
    const catalogs = [this.catalog, ...this.#published];
    const versions = catalogs.map(({ version }) => version);
    for (const catalog of catalogs) {
      await catalog.refresh(this.#looking);
      await catalog.verify(this.#looking);
    }
    return catalogs.some(({ version }, at) => version !== versions[at]);
  }

  /** Writes the runs that have ended, soon. */
  exportSoon(): void {
    this.#exporting ??= setTimeout(() => void this.exportNow(), EXPORT_DELAY_MS).unref();
  }

  /** Never rejects: what could not be written is a warning, and tried again. */
  exportNow(): Promise<void> {
    clearTimeout(this.#exporting);
    this.#exporting = undefined;
    return this.#work(() => this.#tolerant(() => this.#export()));
  }

  async #export(): Promise<void> {
    await this.refresh();
    await exportRuns(this.#writing, this.catalog);
    await sweep(this.#writing, this.catalog);
    if (this.catalog.files.length > FILES_MAX) await compact(this.#writing, this.catalog);
  }

  /** Makes few files of many, of which this process has written its own first. */
  async compact({ isTrial = false, published }: CompactOptions = {}): Promise<Compacted> {
    if (published !== undefined) checkPublished({ folder: published });
    const catalog =
      published === undefined
        ? this.catalog
        : publishedCatalog({ folder: published }, this.#warnings);
    if (isTrial) {
      await catalog.refresh(this.#looking);
      return compactedBy(catalog);
    }
    if (published === undefined) await this.exportNow();
    return await this.#work(() => this.#orMended(() => compact(this.#writing, catalog)));
  }

  /** Keeps runs from being seen, and their logs from being traced again; `drop` takes them out of the own file. */
  async prune(
    connection: DuckDBConnection,
    options: TracePruneOptions,
    drop: (runIds: readonly string[]) => Promise<void>,
  ): Promise<TracesPruned> {
    const isTrial = options.isTrial === true;
    await this.bring(connection);
    const runs = await oldRuns(connection, options);
    const runIds = runs.map(({ runId }) => runId);
    const files = [...this.catalog.refused, ...setAside(this.#tracesDir, options)];
    const before = bytesOf(this.catalog);
    if (!isTrial && runs.length > 0) {
      await notePruned(this.catalog.folder, runs);
      await drop(runIds);
      await this.exportNow();
    }
    const freed = isTrial ? 0 : Math.max(0, before - bytesOf(this.catalog));
    return { runIds, files, bytes: freed + removeFiles(files, isTrial) };
  }

  /** Writes everything that has ended anew, in the place of all that there was of it. */
  async exportAgain(): Promise<void> {
    await this.#work(() =>
      this.#tolerant(async () => {
        unprune(this.catalog.folder);
        await exportAgain(this.#writing, this.catalog);
        await sweep(this.#writing, this.catalog);
      }),
    );
  }

  /** Takes over what dead processes have left. Never rejects. The number of files. */
  takeOver(): Promise<number> {
    const heir = {
      connection: this.#writing,
      catalog: this.#name,
      exportLeft: () => exportLeft(this.#writing, this.catalog),
    };
    let count = 0;
    return this.#work(async () => {
      await this.#tolerant(async () => {
        removeUnfinished(this.#tracesDir);
        removeUnfinished(this.catalog.folder);
        count = await takeOverAll(this.#tracesDir, this.#database.file, heir);
        await this.refresh();
      });
      return count;
    });
  }

  /** Again, where files were not what they were said to be: others have merged them, or they are damaged. */
  async #orMended<T>(task: () => Promise<T>, again = ATTEMPTS_MAX): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (again <= 1 || isOwnFault(error) || !(await this.mend())) throw error;
      return await this.#orMended(task, again - 1);
    }
  }

  async #tolerant(task: () => Promise<void>): Promise<void> {
    try {
      await this.#orMended(task);
    } catch (cause) {
      this.#warn(cause);
    }
  }

  #warn(cause: unknown): void {
    const [reason] = messageOf(cause).split("\n", 1);
    // The name of an unfinished file is another one each time, and what is wrong is the same.
    const what = reason?.replaceAll(/[^\s"]*\.tmp-[\w-]+/g, "a file");
    const message = `runs could not be written to ${this.catalog.folder}: ${what}`;
    if (this.#warnings.some((warning) => warning.message === message)) return;
    const hint = "other processes read their logs instead; make room, or the folder writable";
    this.#warnings.push({ code: "M5412", message, hint });
  }

  /** Writes what is to be written and lets go of its connections. */
  async close(): Promise<void> {
    await this.exportNow();
    await this.refresh();
    this.#looking.closeSync();
    this.#writing.closeSync();
  }
}

function notPublished(folder: string, cause: unknown): RunError {
  return new RunError("M5418", `the runs can't be published to ${folder}: ${messageOf(cause)}`, {
    hint: "make the folder writable, or make room; runs that are there already stay",
    cause,
  });
}

interface OpenedTraces {
  readonly database: TraceDatabase;
  readonly name: string;
  readonly looking: DuckDBConnection;
  readonly writing: DuckDBConnection;
  readonly warnings: TraceWarning[];
  readonly tracesDir: string;
}

/** Chooses the files to read and the runs to leave out of them, so that each wanted run is read once. */
function chooseFiles(catalog: Catalog, isWanted: (runId: string) => boolean): readonly FilePart[] {
  const whole: string[] = [];
  const cut: FilePart[] = [];
  for (const file of catalog.files) {
    const without = unwanted(catalog, file, isWanted);
    if (without.length === 0) whole.push(file.path);
    else if (without.length < file.runs.length) cut.push({ paths: [file.path], without });
  }
  return whole.length === 0 ? cut : [{ paths: whole, without: [] }, ...cut];
}

function unwanted(
  catalog: Catalog,
  file: TraceFile,
  isWanted: (runId: string) => boolean,
): readonly string[] {
  return file.runs
    .filter((run) => {
      const counts = catalog.held.get(run.runId)?.file === file && !catalog.isGone(run);
      return !counts || !isWanted(run.runId);
    })
    .map(({ runId }) => runId);
}
