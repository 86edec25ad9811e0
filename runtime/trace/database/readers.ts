/** Lends connections to queries: two run at a time, the others wait for their turn. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { prepareReader, type TraceDatabase } from "./database.ts";

export class Readers {
  readonly #database: TraceDatabase;
  /** The free connections. A single caller always gets the first, and with it the temporary tables made by it. */
  readonly #free: DuckDBConnection[];
  readonly #waiting: ((reader: DuckDBConnection) => void)[] = [];
  #second: Promise<DuckDBConnection> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(database: TraceDatabase) {
    this.#database = database;
    this.#free = [database.reader];
  }

  /** Works with a connection that nobody else has. */
  async use<T>(work: (reader: DuckDBConnection) => Promise<T>): Promise<T> {
    const done = this.#take().then((reader) => work(reader).finally(() => this.#give(reader)));
    this.#underWay.add(done);
    return await done.finally(() => this.#underWay.delete(done));
  }

  /** Waits for what is under way, then lets go of what was opened. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    const second = await this.#second?.catch(() => undefined);
    second?.closeSync();
  }

  async #connect(): Promise<DuckDBConnection> {
    const reader = await this.#database.connect();
    await prepareReader(reader);
    return reader;
  }

  async #take(): Promise<DuckDBConnection> {
    const free = this.#free.shift();
    if (free !== undefined) return free;
    if (this.#second === undefined) {
      this.#second = this.#connect();
      return await this.#second;
    }
    return await new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(reader: DuckDBConnection): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next(reader);
    else if (reader === this.#database.reader) this.#free.unshift(reader);
    else this.#free.push(reader);
  }
}
