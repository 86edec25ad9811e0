/** What lies in the Parquet files of a folder: which runs, and how far each of them is told. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf } from "../../failure.ts";
import type { TraceWarning } from "../trace-files.ts";
import { metadataOf, rowsVersion } from "./parquet-sql.ts";

/** A run as one file tells it. */
export interface HeldRun {
  readonly runId: string;
  readonly seq: number;
  readonly logId: number | null;
  /** When its rows were first written, in milliseconds since the epoch: of two files, the later one counts. */
  readonly written: number;
}

export interface TraceFile {
  readonly path: string;
  /** What the file was when it was read: another one of its name is read again. */
  readonly stamp: string;
  readonly bytes: number;
  readonly runs: readonly HeldRun[];
}

/** What stands in a file's metadata. */
export function toMetadata(runs: readonly HeldRun[]): string {
  return JSON.stringify({ rows: rowsVersion, runs: runs.map(Object.values) });
}

/** Follows a folder; a file that can't be used is left out, and said once. */
export class Catalog {
  readonly folder: string;
  readonly #warnings: TraceWarning[];
  #files = new Map<string, TraceFile>();
  /** Those that can't be used, by name: what they were. */
  readonly #refused = new Map<string, string>();
  #held: ReadonlyMap<string, HeldIn> = new Map();
  #version = 0;

  constructor(folder: string, warnings: TraceWarning[]) {
    this.folder = folder;
    this.#warnings = warnings;
  }

  /** Another number whenever the files are others. */
  get version(): number {
    return this.#version;
  }

  get files(): readonly TraceFile[] {
    return [...this.#files.values()];
  }

  /** Each run with the file that counts for it. */
  get held(): ReadonlyMap<string, HeldIn> {
    return this.#held;
  }

  /** Looks at the folder; reads what is new in it. */
  async refresh(connection: DuckDBConnection): Promise<void> {
    const there = new Map(filesIn(this.folder).map((found) => [found.name, found]));
    const gone = [...this.#files.keys()].filter((name) => !there.has(name));
    const fresh = [...there.values()].filter(
      ({ name, stamp }) =>
        this.#files.get(name)?.stamp !== stamp && this.#refused.get(name) !== stamp,
    );
    if (gone.length === 0 && fresh.length === 0) return;
    for (const name of [...gone, ...fresh.map(({ name }) => name)]) this.#files.delete(name);
    await this.#read(connection, fresh);
    this.#settle();
  }

  /** Leaves a file out from now on. */
  refuse(path: string, cause: unknown): void {
    const found = [...this.#files].find(([, file]) => file.path === path);
    if (found === undefined) return;
    const [name, { stamp }] = found;
    this.#files.delete(name);
    this.#refuse({ name, path, stamp }, damaged(path, cause));
    this.#settle();
  }

  async #read(connection: DuckDBConnection, found: readonly FoundFile[]): Promise<void> {
    if (found.length === 0) return;
    try {
      const told = await readMetadata(connection, found);
      for (const file of found) this.#take(file, told.get(file.path));
    } catch (cause) {
      const [only] = found;
      if (found.length > 1) for (const file of found) await this.#read(connection, [file]);
      // One that has gone since is no matter.
      else if (only !== undefined && stampOf(only.path) === only.stamp) {
        this.#refuse(only, damaged(only.path, cause));
      }
    }
  }

  #take({ name, path, stamp, bytes }: FoundFile, metadata: string | undefined): void {
    const runs = runsIn(metadata);
    if (runs === undefined) this.#refuse({ name, path, stamp }, outdated(path));
    else this.#files.set(name, { path, stamp, bytes, runs });
  }

  #refuse({ name, stamp }: Pick<FoundFile, "name" | "path" | "stamp">, why: TraceWarning): void {
    this.#refused.set(name, stamp);
    if (!this.#warnings.some(({ message }) => message === why.message)) this.#warnings.push(why);
  }

  #settle(): void {
    this.#version += 1;
    const held = new Map<string, HeldIn>();
    for (const file of this.#files.values()) {
      for (const run of file.runs) {
        const other = held.get(run.runId);
        if (other === undefined || isPreferred({ run, file }, other))
          held.set(run.runId, { run, file });
      }
    }
    this.#held = held;
  }
}

/** A run and the file that counts for it. */
export interface HeldIn {
  readonly run: HeldRun;
  readonly file: TraceFile;
}

/** Every process says the same of two files: of equal rows, those in the file of many runs count. */
function isPreferred(one: HeldIn, other: HeldIn): boolean {
  if (one.run.written !== other.run.written) return one.run.written > other.run.written;
  const [a, b] = [one.file.runs.length, other.file.runs.length];
  return a === b ? one.file.path > other.file.path : a > b;
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly stamp: string;
  readonly bytes: number;
}

function filesIn(folder: string): readonly FoundFile[] {
  return namesIn(folder).flatMap((name) => {
    if (!name.endsWith(".parquet") || name.startsWith(".")) return [];
    const path = join(folder, name);
    const stamp = stampOf(path);
    return stamp === undefined ? [] : [{ name, path, stamp, bytes: Number(stamp.split(" ")[0]) }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was written yet.
    return [];
  }
}

/** What a file is at the moment; nothing where there is none. */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.size} ${found.mtimeMs} ${found.ino}` : undefined;
}

async function readMetadata(
  connection: DuckDBConnection,
  found: readonly FoundFile[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.runAndReadAll(metadataOf(found.map(({ path }) => path)));
  return new Map(rows.getRowsJS().map(([path, metadata]) => [String(path), String(metadata)]));
}

/** None when the file is of another layout, or not ours. */
function runsIn(metadata: string | undefined): readonly HeldRun[] | undefined {
  if (metadata === undefined) return undefined;
  try {
    const { rows, runs } = JSON.parse(metadata);
    if (rows !== rowsVersion) return undefined;
    return (runs as readonly [string, number, number | null, number][]).map(
      ([runId, seq, logId, written]) => ({ runId, seq, logId, written }),
    );
  } catch {
    return undefined;
  }
}

function damaged(path: string, cause: unknown): TraceWarning {
  const [reason] = messageOf(cause).split("\n", 1);
  return {
    code: "M5410",
    message: `${path} can't be read and is left out: ${reason}`,
    hint: "delete it: the traces of its runs are made again from their logs",
  };
}

function outdated(path: string): TraceWarning {
  return {
    code: "M5411",
    message: `${path} was written by another version of Madrigal and is left out`,
    hint: "nothing need be done: the traces of its runs are made again from their logs",
  };
}
