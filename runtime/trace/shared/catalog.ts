/** Knows which runs the Parquet files of a folder have, and up to which record of their logs. */
import { renameSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { systemClock } from "../../clock.ts";
import { messageOf } from "../../failure.ts";
import { queue } from "../database/queue.ts";
import type { TraceWarning } from "../database/trace-files.ts";
import {
  type HeldIn,
  type HeldRun,
  heldIn,
  readMetadata,
  type TraceFile,
} from "./file-metadata.ts";
import { type FoundFile, filesIn, stampOf } from "./found-files.ts";
import { metadataOf, readThrough } from "./parquet-sql.ts";
import { type PrunedRuns, prunedIn } from "./pruned-runs.ts";
import { isWhole } from "./seal.ts";

/** The files that a catalog follows; without it, those of its folder. */
export interface CatalogOptions {
  readonly find?: () => readonly FoundFile[];
  /**
   * The files are those of other workspaces as well: none is renamed, and none is read whole at first, since there may be
   * terabytes of them.
   */
  readonly isPublished?: boolean;
}

/** Follows a folder; a file that can't be used is left out, and said once. */
export class Catalog {
  readonly folder: string;
  readonly #find: () => readonly FoundFile[];
  readonly isPublished: boolean;
  readonly #warnings: TraceWarning[];
  #files: ReadonlyMap<string, TraceFile> = new Map();
  readonly #looks = queue();
  /** The stamps of files that can't be used, by path. */
  readonly #refused = new Map<string, string>();
  #held: ReadonlyMap<string, HeldIn> = new Map();
  /** Files that could be read to their end, by their stamps. */
  readonly #sound = new Set<string>();
  readonly #gone = new Set<string>();
  #pruned: PrunedRuns;
  #version = 0;

  constructor(folder: string, warnings: TraceWarning[], options: CatalogOptions = {}) {
    this.folder = folder;
    this.#find = options.find ?? (() => filesIn(folder));
    this.isPublished = options.isPublished === true;
    this.#pruned = prunedIn(folder);
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
  refresh(connection: DuckDBConnection): Promise<void> {
    return this.#looks(async () => {
      this.#notePruned();
      const there = this.#find();
      const same = there.filter(({ path, stamp }) => this.#files.get(path)?.stamp === stamp);
      const fresh = there.filter(
        ({ path, stamp }) =>
          this.#files.get(path)?.stamp !== stamp && this.#refused.get(path) !== stamp,
      );
      if (same.length === this.#files.size && fresh.length === 0) return;
      const read = await this.#read(connection, fresh);
      const known = same.flatMap(({ path }) => this.#files.get(path) ?? []);
      this.#settle([...known, ...read]);
    });
  }

  /** Reads each file to its end, once: what DuckDB says of a damaged page can be anything. Leaves those out that it can't read. */
  async verify(connection: DuckDBConnection): Promise<void> {
    for (const { path, stamp } of this.files) {
      if (this.#sound.has(stamp)) continue;
      try {
        await connection.run(readThrough(path));
        this.#sound.add(stamp);
      } catch (cause) {
        this.#refuse({ path, stamp }, damaged(path, cause));
        this.#settle(this.files.filter((file) => file.path !== path));
      }
    }
  }

  /** Runs that were deleted: nothing of them is seen any more. */
  forget(runIds: readonly string[]): void {
    const known = this.#gone.size;
    for (const runId of runIds) this.#gone.add(runId);
    if (this.#gone.size > known) this.#version += 1;
  }

  /** Deleted runs that a log has again are runs like any other. */
  comeBack(runIds: readonly string[]): void {
    const known = this.#gone.size;
    for (const runId of runIds) this.#gone.delete(runId);
    if (this.#gone.size < known) this.#version += 1;
  }

  /** Returns whether the run in a file is to be hidden: it was deleted, or its trace was pruned. */
  isGone({ runId, seq, logId }: Pick<HeldRun, "runId" | "seq" | "logId">): boolean {
    return this.#gone.has(runId) || this.#pruned.has({ runId, seq, logId });
  }

  /** True if there are hidden runs. */
  get hasPruned(): boolean {
    return this.#pruned.size > 0;
  }

  /** Files that are not read: damaged ones, and those of other versions. */
  get refused(): readonly string[] {
    return [...this.#refused.keys()];
  }

  #notePruned(): void {
    const pruned = prunedIn(this.folder, this.#pruned);
    if (pruned !== this.#pruned) this.#version += 1;
    this.#pruned = pruned;
  }

  async #read(
    connection: DuckDBConnection,
    found: readonly FoundFile[],
  ): Promise<readonly TraceFile[]> {
    const [only] = found;
    if (only === undefined) return [];
    try {
      const metadataByFile = await metadataIn(connection, found);
      const taken = found.flatMap((file) => this.#taken(file, metadataByFile.get(file.path)) ?? []);
      return this.isPublished ? taken : await this.#whole(taken);
    } catch (cause) {
      if (found.length > 1) {
        const each: TraceFile[] = [];
        for (const file of found) each.push(...(await this.#read(connection, [file])));
        return each;
      }
      // One that has gone since is no matter.
      if (stampOf(only.path) === only.stamp) this.#refuse(only, damaged(only.path, cause));
      return [];
    }
  }

  /** Sets aside what is not as it was written: its runs are read from their logs, and written again. */
  async #whole(files: readonly TraceFile[]): Promise<readonly TraceFile[]> {
    const whole: TraceFile[] = [];
    for (const file of files) {
      if (await isWhole(file.path).catch(() => false)) whole.push(file);
      // Another one may be in its place meanwhile: that is looked at the next time.
      else if (stampOf(file.path) === file.stamp) this.#setAside(file);
    }
    return whole;
  }

  /** Gives a file a name that nobody reads, or leaves it out where that can't be done. */
  #setAside(file: TraceFile): void {
    const aside = `${file.path}.corrupt-${systemClock.now()}`;
    try {
      renameSync(file.path, aside);
      this.#warn(garbled(file.path, `is now ${aside}`));
    } catch {
      this.#refuse(file, garbled(file.path, "is left out"));
    }
  }

  #taken(found: FoundFile, metadata: string | undefined): TraceFile | undefined {
    const known = readMetadata(metadata);
    if (known !== undefined) return { ...found, ...known };
    this.#refuse(found, this.isPublished ? outdatedAbroad(found.path) : outdated(found.path));
    return undefined;
  }

  #refuse({ path, stamp }: Pick<FoundFile, "path" | "stamp">, why: TraceWarning): void {
    this.#refused.set(path, stamp);
    this.#warn(why);
  }

  #warn(why: TraceWarning): void {
    if (!this.#warnings.some(({ message }) => message === why.message)) this.#warnings.push(why);
  }

  #settle(files: readonly TraceFile[]): void {
    this.#version += 1;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#held = heldIn(files);
  }
}

async function metadataIn(
  connection: DuckDBConnection,
  found: readonly FoundFile[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.runAndReadAll(metadataOf(found.map(({ path }) => path)));
  return new Map(rows.getRowsJS().map(([path, metadata]) => [String(path), String(metadata)]));
}

function outdatedAbroad(path: string): TraceWarning {
  return {
    code: "M5411",
    message: `${path} was published by another version of Madrigal and is left out`,
    hint: "`madrigal trace publish` of this version, where its runs are, publishes them again",
  };
}

function garbled(path: string, where: string): TraceWarning {
  return {
    code: "M5439",
    message: `${path} is not as it was written, and ${where}`,
    hint: "the traces of its runs are made again from their logs, where those are here; delete the file",
  };
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
