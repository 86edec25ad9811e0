/** Defines the entries of memories, what a run writes to them and asks of them, and the interface of their store. */

import type { MemoryScope, QueryVector } from "../../records/memory-records.ts";

/** A memory of one owner. `owner` tells owners of one scope apart; `memoryOwner` makes it. */
export interface MemorySpace {
  readonly memory: string;
  readonly scope: MemoryScope;
  readonly owner: string;
}

/**
 * `kept` entries are recalled; `proposed` ones wait for a person; a newer entry has taken the place of `superseded` ones; an agent has
 * taken `forgotten` ones out.
 */
export const MEMORY_STATES = ["kept", "proposed", "superseded", "forgotten"] as const;

export type MemoryState = (typeof MEMORY_STATES)[number];

/** The commit that stored an entry; of what a person wrote, no run. */
export interface MemorySource {
  readonly runId: string;
  readonly seq: number;
  /** The number of the entry among those of the commit, from 0. */
  readonly place: number;
  readonly node: string;
}

export interface MemoryEntry extends MemorySpace {
  readonly id: string;
  readonly state: MemoryState;
  /** The value of `by`, as JSON; entries of one key supersede each other. */
  readonly key: string | undefined;
  readonly value: unknown;
  readonly source: MemorySource;
  readonly at: number;
  readonly expiresAt: number | undefined;
  /** The id of the entry that has taken its place. */
  readonly supersededBy: string | undefined;
}

/** An entry that is to be stored. Storing it twice for one source comes to the same. */
export interface MemoryWrite extends MemorySpace {
  readonly value: unknown;
  readonly key?: string;
  readonly source: MemorySource;
  readonly at: number;
  readonly expiresAt?: number;
  /** A person looks at it before it is recalled. */
  readonly isProposed?: boolean;
}

/** The part of a flush that concerns memories: entries to store, or a rewind that takes back what later steps stored. */
export type MemoryChange =
  | { readonly kind: "put"; readonly write: MemoryWrite }
  | { readonly kind: "withdraw"; readonly runId: string; readonly afterSeq: number };

export interface MemoryQuery extends MemorySpace {
  readonly text: string;
  readonly top: number;
  readonly now: number;
  /** The least share of the query, from 0 to 1, that an entry must meet. */
  readonly min?: number;
  /** Entries count by their likeness to it, too, where they have a vector of the same model. */
  readonly vector?: QueryVector;
  /** Returns whether a value is of the type that the program declares. */
  readonly fits?: (value: unknown) => boolean;
}

/** An entry whose text is to be embedded. */
export interface UnembeddedEntry {
  readonly id: string;
  readonly text: string;
}

export interface RecalledEntry {
  readonly id: string;
  readonly value: unknown;
  readonly at: number;
  /** The share of the query that it meets, from 0 to 1; with a vector the mean of that and of its likeness. */
  readonly score: number;
}

export interface MemoryFilter {
  readonly memory?: string;
  readonly scope?: MemoryScope;
  /** Only what is kept for this user, of threads and agents too. */
  readonly user?: string;
  readonly state?: MemoryState;
  readonly runId?: string;
  readonly limit?: number;
}

/** The memories of a workspace. Each call is a transaction of its own. */
export interface Memories {
  recall(query: MemoryQuery): readonly RecalledEntry[];
  /** Entries of a memory that have no vector of a model, the newest first. */
  unembedded(space: MemorySpace, model: string, max: number): readonly UnembeddedEntry[];
  /** Keeps vectors of entries, each of length 1; one whose entry is gone, or is not kept any more, is left out. */
  embed(
    model: string,
    vectors: readonly { readonly id: string; readonly values: Float32Array }[],
  ): void;
  /** Newest first. */
  list(filter?: MemoryFilter): readonly MemoryEntry[];
  /** The entry with this id, or the only one whose id begins so; M7871 where there is none. */
  find(id: string): MemoryEntry;
  /** Stores what a person, or a file, says. */
  add(write: MemoryWrite): MemoryEntry;
  /** Gives an entry another value, with the key of that value. The old one is superseded. */
  edit(id: string, edited: Pick<MemoryWrite, "value" | "key">, now: number): MemoryEntry;
  /** Takes a proposed entry into its memory. */
  approve(id: string): MemoryEntry;
  /** Takes an entry out of its memory, until a person approves it again. M7871 where that memory of that owner has no such entry. */
  retire(space: MemorySpace, id: string, by: Pick<MemorySource, "runId" | "seq">): void;
  /** Deletes entries for good, with the words that find them, and does `also` before it. What both delete is overwritten. */
  forget(ids: readonly string[], also?: () => void): void;
}

/** The name of the owner of a scope; without a user, the entries are nobody's. */
export function memoryOwner(
  scope: MemoryScope,
  of: { readonly user?: string | undefined; readonly threadId: string; readonly agent: string },
): string {
  const user = of.user ?? "";
  switch (scope) {
    case "user":
      return user;
    case "thread":
      return JSON.stringify([user, of.threadId]);
    case "agent":
      return JSON.stringify([user, of.agent]);
    case "workspace":
      return "";
  }
}
