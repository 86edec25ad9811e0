/** Stores the results of nodes with `cache` by the key of their input, for all runs of a workspace. */
import type { TimerClock } from "../../clock.ts";
import type { Tables } from "../database/tables.ts";
import { lockWaitMs } from "../log/group-commit.ts";
import type { Cache, CacheEntry } from "../run-store.ts";

export class CacheBox implements Cache {
  readonly #tables: Tables<unknown>;
  readonly #clock: TimerClock;

  constructor(parts: { tables: Tables<unknown>; clock: TimerClock }) {
    this.#tables = parts.tables;
    this.#clock = parts.clock;
  }

  get(key: string): CacheEntry | undefined {
    const row = this.#tables.cached(key);
    return row && { value: JSON.parse(row.value), storedAt: row.storedAt };
  }

  put(key: string, value: unknown): void {
    const row = { key, value: JSON.stringify(value), storedAt: this.#clock.now() };
    this.#tables.transact({ synced: false, waitMs: lockWaitMs }, () => this.#tables.putCached(row));
  }
}
