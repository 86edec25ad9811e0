/** The memories of a store: each call one transaction, and what is forgotten is overwritten. */

import type { Tables } from "../database/tables.ts";
import { lockWaitMs } from "../log/group-commit.ts";
import type {
  Memories,
  MemoryEntry,
  MemoryFilter,
  MemoryQuery,
  MemorySource,
  MemorySpace,
  MemoryWrite,
  RecalledEntry,
  UnembeddedEntry,
} from "./memory.ts";

type MemoryTablesOf = Pick<Tables<unknown>, "memories" | "transact" | "scrub">;

export class StoredMemories implements Memories {
  readonly #tables: MemoryTablesOf;

  constructor({ tables }: { readonly tables: MemoryTablesOf }) {
    this.#tables = tables;
  }

  recall(query: MemoryQuery): readonly RecalledEntry[] {
    return this.#tables.memories.recall(query);
  }

  unembedded(space: MemorySpace, model: string, max: number): readonly UnembeddedEntry[] {
    return this.#tables.memories.unembedded(space, model, max);
  }

  embed(
    model: string,
    vectors: readonly { readonly id: string; readonly values: Float32Array }[],
  ): void {
    if (vectors.length === 0) return;
    const { memories } = this.#tables;
    this.#change(() => memories.embed(model, vectors));
  }

  list(filter: MemoryFilter = {}): readonly MemoryEntry[] {
    return this.#tables.memories.list(filter);
  }

  find(id: string): MemoryEntry {
    return this.#tables.memories.entry(id);
  }

  add(write: MemoryWrite): MemoryEntry {
    const { memories } = this.#tables;
    return this.#change(() => memories.entry(memories.put(write)));
  }

  edit(id: string, edited: Pick<MemoryWrite, "value" | "key">, now: number): MemoryEntry {
    const { memories } = this.#tables;
    return this.#change(() => memories.entry(memories.edit(id, edited, now)));
  }

  approve(id: string): MemoryEntry {
    const { memories } = this.#tables;
    return this.#change(() => {
      memories.approve(id);
      return memories.entry(id);
    });
  }

  retire(space: MemorySpace, id: string, by: Pick<MemorySource, "runId" | "seq">): void {
    const { memories } = this.#tables;
    this.#change(() => memories.retire(space, id, by));
  }

  forget(ids: readonly string[], also?: () => void): void {
    const { memories } = this.#tables;
    this.#tables.scrub(() => {
      also?.();
      this.#change(() => {
        const named = new Set(ids.map((id) => memories.entry(id).id));
        for (const id of named) memories.delete(id);
      });
    });
  }

  #change<T>(body: () => T): T {
    return this.#tables.transact({ synced: true, waitMs: lockWaitMs }, body);
  }
}
