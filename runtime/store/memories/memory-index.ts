/** Keeps the entries of memories in SQLite and finds those that fit a text best. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { canonicalJson, sha256 } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import type {
  Memories,
  MemoryChange,
  MemoryEntry,
  MemoryFilter,
  MemoryQuery,
  MemorySource,
  MemorySpace,
  MemoryState,
  MemoryWrite,
  RecalledEntry,
  UnembeddedEntry,
} from "./memory.ts";
import * as sql from "./memory-sql.ts";
import { type EntryRow, RANKED_MAX } from "./memory-sql.ts";
import { MemoryVectors } from "./memory-vectors.ts";
import { Statements } from "./statements.ts";
import { entryWords, inSpace, queriedWords, textIn, totalOf, wordsOf } from "./words.ts";

/** The rows of all memories. No method is a transaction: the caller's is. */
export class MemoryIndex {
  readonly #statements: Statements;
  readonly #vectors: MemoryVectors;

  /** `open` is called when memories are first asked for. */
  constructor(open: () => DatabaseSync) {
    this.#statements = new Statements(open);
    this.#vectors = new MemoryVectors(this.#statements);
  }

  change(change: MemoryChange): void {
    if (change.kind === "put") this.put(change.write);
    else this.#withdraw(change.runId, change.afterSeq);
  }

  /**
   * Stores an entry, unless its source or the same value is there, and has it take the place of another one of its key. A proposal of
   * the same value is approved by it.
   */
  put(write: MemoryWrite): string {
    const { source, at, expiresAt = null, key = null, isProposed = false } = write;
    const space = this.#spaceOf(write, "make");
    this.#dropExpired(at);
    const id = idOf(write);
    if (this.#get("SELECT 1 FROM memory_entries WHERE id = ?", id) !== undefined) return id;
    const hash = factOf(write.value);
    const same = this.#get<EntryRow>(sql.SAME, space, hash, key);
    if (same !== undefined) {
      this.#run(sql.AGAIN, at, expiresAt, source.runId, same.number);
      if (!isProposed) this.approve(same.id);
      return same.id;
    }
    const state: MemoryState = isProposed ? "proposed" : "kept";
    const value = JSON.stringify(write.value);
    const { runId, seq, place, node } = source;
    this.#run(
      sql.INSERT,
      ...[id, space, state, key, hash, value],
      runId,
      seq,
      place,
      node,
      at,
      expiresAt,
    );
    if (!isProposed) this.#take(id);
    return id;
  }

  /** Takes an entry into its memory: it is found from now on, and the one before it of its key no more. */
  approve(id: string): void {
    const row = this.row(id);
    if (row.state === "kept") return;
    this.#run(
      "UPDATE memory_entries SET state = 'kept', superseded_by = NULL WHERE id = ?",
      row.id,
    );
    this.#take(row.id);
  }

  /** Stores another value in the place of an entry, and returns its id. A proposal stays one until a person approves it. */
  edit(id: string, { value, key }: Pick<MemoryWrite, "value" | "key">, now: number): string {
    const row = this.row(id);
    const { memory, scope, owner, source, expiresAt } = toEntry(row);
    const number = this.#get<{ n: number }>("SELECT max(number) AS n FROM memory_entries")?.n ?? 0;
    const edited = this.put({
      ...{ memory, scope, owner, value, at: now },
      ...(key === undefined ? {} : { key }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(row.state === "proposed" ? { isProposed: true } : {}),
      source: { runId: "", seq: number + 1, place: 0, node: source.node },
    });
    if (edited === row.id) this.#rewrite(this.row(edited), value);
    else this.#supersede(this.row(row.id), edited);
    return edited;
  }

  /** Takes a kept entry of a memory out of it: it is found no more, and a person can approve or delete it. M7871 where there is none. */
  retire(space: MemorySpace, id: string, by: Pick<MemorySource, "runId" | "seq">): void {
    const row = this.row(id, this.#spaceOf(space) ?? NO_SPACE);
    const call = `${by.runId}#${by.seq}`;
    // The call had done it before its process was killed.
    if (row.state === "forgotten" && row.supersededBy === call) return;
    if (row.state !== "kept") throw noEntry(id);
    this.#unindex(row);
    this.#run(sql.RETIRE, call, row.number);
  }

  recall(query: MemoryQuery): readonly RecalledEntry[] {
    const space = this.#spaceOf(query);
    if (space === undefined || query.top <= 0) return [];
    const terms = this.#terms(space, queriedWords(query.text));
    if (terms.length === 0) return this.#newest(space, query);
    const present = terms.filter(({ entries }) => entries > 0);
    const byWords = present.length === 0 ? [] : this.#candidates(present, query);
    const found = this.#withNearest(space, byWords, query);
    const whole = sum(terms.map(({ weight }) => weight));
    const likeness = this.#likeness(found, query);
    const scored = found.map((row) => {
      const has = new Set(wordsOf(JSON.parse(row.value)));
      const met = sum(terms.map(({ word, weight }) => (has.has(word) ? weight : 0)));
      const share = whole === 0 ? 1 : met / whole;
      const like = likeness?.get(row.number);
      return toRecalled(row, like === undefined ? share : (share + Math.max(0, like)) / 2);
    });
    // Two that are equally good stay in the order in which they were found.
    const best = likeness === undefined ? scored : scored.toSorted((a, b) => b.score - a.score);
    return fitting(best, query);
  }

  /** Entries of a memory that have no vector of a model, the newest first. */
  unembedded(of: MemorySpace, model: string, max: number): readonly UnembeddedEntry[] {
    const space = this.#spaceOf(of);
    if (space === undefined) return [];
    return this.#all<EntryRow>(sql.UNEMBEDDED, space, model, max).map(({ id, value }) => ({
      id,
      text: textIn(JSON.parse(value)),
    }));
  }

  /** Keeps vectors of entries, so far as these are kept still. */
  embed(model: string, vectors: Parameters<Memories["embed"]>[1]): void {
    const known = vectors.flatMap(({ id, values }) => {
      const row = this.#get<EntryRow>(`${sql.ENTRIES} WHERE id = ?`, id);
      return row?.state === "kept" ? [{ space: row.space, number: row.number, values }] : [];
    });
    this.#vectors.put(model, known);
  }

  list(filter: MemoryFilter): readonly MemoryEntry[] {
    const { memory, scope, user, state, runId, limit = -1 } = filter;
    const within = user === undefined ? null : `${JSON.stringify([user]).slice(0, -1)},`;
    const values = [memory, scope, state, runId, user].map((value) => value ?? null);
    return this.#all<EntryRow>(sql.LIST, ...values, within, limit).map(toEntry);
  }

  entry(id: string): MemoryEntry {
    return toEntry(this.row(id));
  }

  /** The entry of an id or the beginning of one, of one space where that is given. M7871 where no entry is meant, or more than one. */
  row(id: string, space: number | null = null): EntryRow {
    const found = id === "" ? [] : this.#all<EntryRow>(sql.NAMED, id, space, NAMED_MAX + 1);
    const [first] = found;
    if (first !== undefined && (found.length === 1 || first.id === id)) return first;
    throw noEntry(id, found);
  }

  delete(id: string): void {
    const row = this.row(id);
    if (row.state === "kept") this.#unindex(row);
    this.#run("UPDATE memory_entries SET superseded_by = NULL WHERE superseded_by = ?", row.id);
    this.#run("DELETE FROM memory_entries WHERE number = ?", row.number);
  }

  get database(): DatabaseSync {
    return this.#statements.database;
  }

  #withdraw(runId: string, afterSeq: number): void {
    for (const { id } of this.#all<{ id: string }>(sql.RETIRED, `${runId}#`, afterSeq))
      this.#restore(this.row(id));
    const text = "SELECT id FROM memory_entries WHERE run_id = ? AND seq > ?";
    for (const { id } of this.#all<{ id: string }>(text, runId, afterSeq)) {
      const { state, supersededBy } = this.row(id);
      const before = this.#all<EntryRow>(`${sql.ENTRIES} WHERE superseded_by = ?`, id);
      this.delete(id);
      // If another run has superseded the withdrawn entry since, the older ones link to that newer one.
      for (const one of before)
        if (state === "kept") this.approve(one.id);
        else this.#run(sql.LINK, supersededBy, one.number);
    }
  }

  /** Takes an entry back that a run had taken out, unless another one stands in its place since. */
  #restore(row: EntryRow): void {
    const newer = this.#get<{ id: string }>(sql.IN_PLACE, row.space, row.key, row.number);
    if (newer === undefined) this.approve(row.id);
    else this.#supersede(row, newer.id);
  }

  #dropExpired(now: number): void {
    const text = "SELECT id FROM memory_entries WHERE expires_at <= ? LIMIT 100";
    for (const { id } of this.#all<{ id: string }>(text, now)) this.delete(id);
  }

  /** Puts a kept entry into the index, in the place of the others of its key. */
  #take(id: string): void {
    const row = this.row(id);
    if (row.key !== null) {
      for (const other of this.#all<EntryRow>(sql.OTHERS, row.space, row.key, row.id))
        this.#supersede(other, row.id);
      for (const { id: old } of this.#all<EntryRow>(sql.OLDEST, row.space, row.key, SUPERSEDED_MAX))
        this.delete(old);
    }
    const words = entryWords(row.space, row.value);
    this.#run("INSERT INTO memory_words (rowid, words) VALUES (?, ?)", row.number, words.join(" "));
    for (const term of new Set([...words, totalOf(row.space)])) this.#run(sql.COUNT_UP, term);
  }

  /** Gives an entry another text of the same value: case, spaces or punctuation. */
  #rewrite(row: EntryRow, value: unknown): void {
    const isKept = row.state === "kept";
    if (isKept) this.#unindex(row);
    const text = "UPDATE memory_entries SET value = ? WHERE number = ?";
    this.#run(text, JSON.stringify(value), row.number);
    if (isKept) this.#take(row.id);
  }

  #supersede(row: EntryRow, by: string): void {
    if (row.state === "kept") this.#unindex(row);
    const text =
      "UPDATE memory_entries SET state = 'superseded', superseded_by = ? WHERE number = ?";
    this.#run(text, by, row.number);
  }

  #unindex(row: EntryRow): void {
    this.#run("DELETE FROM memory_words WHERE rowid = ?", row.number);
    this.#vectors.delete(row.number);
    const words = entryWords(row.space, row.value);
    for (const term of new Set([...words, totalOf(row.space)])) {
      this.#run("UPDATE memory_terms SET entries = entries - 1 WHERE term = ?", term);
      this.#run("DELETE FROM memory_terms WHERE term = ? AND entries <= 0", term);
    }
  }

  /** The words of a query with the number of entries that have them, and the weight of a word that few entries have. */
  #terms(space: number, words: readonly string[]): readonly QueryTerm[] {
    const entriesWith = (term: string) =>
      this.#get<{ entries: number }>(sql.ENTRIES_WITH, term)?.entries ?? 0;
    const total = entriesWith(totalOf(space));
    const known = words.map((word) => {
      const [term = ""] = inSpace(space, [word]);
      const entries = entriesWith(term);
      return {
        word,
        term,
        entries,
        weight: Math.log(1 + (total - entries + 0.5) / (entries + 0.5)),
      };
    });
    if (known.length <= TERMS_MAX) return known;
    const [present, absent] = [
      known.filter(({ entries }) => entries > 0),
      known.filter(({ entries }) => entries === 0),
    ];
    return [...present.toSorted((a, b) => a.entries - b.entries), ...absent].slice(0, TERMS_MAX);
  }

  /**
   * The entries that rank best by the rarest words. Ranking costs a microsecond or two an entry, so common words are left out
   * once the rarer ones have enough; of a word that is common and stands alone, the newest entries are ranked.
   */
  #candidates(terms: readonly QueryTerm[], { top, now }: MemoryQuery): readonly EntryRow[] {
    const byRarity = terms.toSorted((a, b) => a.entries - b.entries);
    let ranked = 0;
    const used = byRarity.filter(({ entries }, index) => {
      const isUsed = index === 0 || ranked + entries <= RANKED_MAX;
      if (isUsed) ranked += entries;
      return isUsed;
    });
    const asked = used.map(({ term }) => `"${term}"`).join(" OR ");
    const from = ranked <= RANKED_MAX ? 0 : (this.#get<{ n: number }>(sql.NEWEST, asked)?.n ?? 0);
    return this.#all<EntryRow>(sql.RANK, asked, from, now, Math.max(top * 4, 20));
  }

  /** The entries that are found by their words, and behind them those that are most like the query. */
  #withNearest(
    space: number,
    rows: readonly EntryRow[],
    { vector, top, now }: MemoryQuery,
  ): readonly EntryRow[] {
    if (vector === undefined) return rows;
    const known = new Set(rows.map(({ number }) => number));
    const near = this.#vectors
      .nearest(space, vector)
      .filter(({ number, likeness }) => likeness > 0 && !known.has(number))
      .slice(0, Math.max(top * 4, 20));
    const numbers = JSON.stringify(near.map(({ number }) => number));
    return [...rows, ...this.#all<EntryRow>(sql.NUMBERED, numbers, now)];
  }

  #likeness(
    rows: readonly EntryRow[],
    { vector }: MemoryQuery,
  ): ReadonlyMap<number, number> | undefined {
    if (vector === undefined) return undefined;
    return this.#vectors.likeness(
      rows.map(({ number }) => number),
      vector,
    );
  }

  #newest(space: number, query: MemoryQuery): readonly RecalledEntry[] {
    const rows = this.#all<EntryRow>(sql.LATEST, space, query.now, Math.max(query.top * 4, 200));
    return fitting(
      rows.map((row) => toRecalled(row, 1)),
      query,
    );
  }

  #spaceOf(space: MemorySpace, make: "make"): number;
  #spaceOf(space: MemorySpace, make?: "make"): number | undefined;
  #spaceOf({ memory, scope, owner }: MemorySpace, make?: "make"): number | undefined {
    const known = this.#get<{ number: number }>(sql.SPACE, memory, scope, owner)?.number;
    if (known !== undefined || make === undefined) return known;
    const text =
      "INSERT INTO memory_spaces (memory, scope, owner) VALUES (?, ?, ?) RETURNING number";
    return this.#get<{ number: number }>(text, memory, scope, owner)?.number;
  }

  #run(text: string, ...values: readonly SQLInputValue[]): void {
    this.#statements.run(text, ...values);
  }

  #get<Row>(text: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statements.get<Row>(text, ...values);
  }

  #all<Row>(text: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#statements.all<Row>(text, ...values);
  }
}

interface QueryTerm {
  readonly word: string;
  /** The word as the index has it: behind the number of its space. */
  readonly term: string;
  readonly entries: number;
  readonly weight: number;
}

/** The most words that a search looks for; a longer query keeps the words that the fewest entries have. */
const TERMS_MAX = 64;

/** So many older entries of one key stay; those before them are deleted. */
const SUPERSEDED_MAX = 10;

function idOf({ source, memory, scope, owner }: MemoryWrite): string {
  const { runId, seq, place } = source;
  return `m${sha256(JSON.stringify([runId, seq, place, memory, scope, owner])).slice(0, 12)}`;
}

/** Texts that differ only in case, spaces and the punctuation at the ends of words are one fact; -5 and 5, C# and C are not. */
export function factOf(value: unknown): string {
  if (typeof value !== "string") return sha256(canonicalJson(value));
  const words = value.normalize("NFKC").toLowerCase().split(/\s+/);
  const plain = words.map((word) => word.replace(PUNCTUATION, "")).filter((word) => word !== "");
  return sha256(canonicalJson(plain.length === 0 ? value : plain.join(" ")));
}

/** At the beginning of a word quotation marks, at its end what ends sentences and clauses, too. */
const PUNCTUATION = /^["'“”‘’„«»]+|[.,;:!?…"'“”‘’«»。，、；：！？]+$/gu;

function fitting(
  scored: readonly RecalledEntry[],
  { top, min = 0, fits = () => true }: MemoryQuery,
): readonly RecalledEntry[] {
  return scored.filter(({ score, value }) => score >= min && fits(value)).slice(0, top);
}

function toRecalled({ id, value, at }: EntryRow, score: number): RecalledEntry {
  return { id, value: JSON.parse(value), at, score: Math.round(score * 1000) / 1000 };
}

/** No memory has this number. */
const NO_SPACE = -1;

/** So many entries are named to a person whose id means several. */
const NAMED_MAX = 5;

function noEntry(id: string, several: readonly EntryRow[] = []): RunError {
  const what = several.length === 0 ? "no entry" : "more than one entry";
  const named = several.slice(0, NAMED_MAX).map((row) => `\`${row.id}\``);
  const more = several.length > NAMED_MAX ? " …" : "";
  return new RunError("M7871", `${what} of a memory has an id that begins with \`${id}\``, {
    hint:
      several.length === 0
        ? "`madrigal memory list` shows the ids"
        : `write more of one of these: ${named.join(", ")}${more}`,
  });
}

function toEntry(row: EntryRow): MemoryEntry {
  const { id, memory, scope, owner, state, runId, seq, place, node, at } = row;
  return {
    ...{ id, memory, scope, owner, state, at },
    key: row.key ?? undefined,
    value: JSON.parse(row.value),
    source: { runId, seq, place, node },
    expiresAt: row.expiresAt ?? undefined,
    supersededBy: state === "forgotten" ? undefined : (row.supersededBy ?? undefined),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
