/** Keeps the entries of memories in SQLite and finds those that fit a text best. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { canonicalJson, sha256 } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import type {
  MemoryChange,
  MemoryEntry,
  MemoryFilter,
  MemoryQuery,
  MemorySpace,
  MemoryState,
  MemoryWrite,
  RecalledEntry,
} from "./memory.ts";
import { wordsOf } from "./words.ts";

/** The rows of all memories. No method is a transaction: the caller's is. */
export class MemoryIndex {
  readonly #open: () => DatabaseSync;
  #known: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();

  /** `open` is called when memories are first asked for. */
  constructor(open: () => DatabaseSync) {
    this.#open = open;
  }

  change(change: MemoryChange): void {
    if (change.kind === "put") this.put(change.write);
    else this.#withdraw(change.runId, change.afterSeq);
  }

  /** Stores an entry, unless its source or the same value is there, and has it take the place of another one of its key. */
  put(write: MemoryWrite): string {
    const { source, at, expiresAt = null, key = null, isProposed = false } = write;
    const space = this.#spaceOf(write, "make");
    this.#dropExpired(at);
    const id = idOf(write);
    if (this.#get("SELECT 1 FROM memory_entries WHERE id = ?", id) !== undefined) return id;
    const hash = factOf(write.value);
    const same = this.#get<EntryRow>(SAME, space, hash, key);
    if (same !== undefined && (same.state === "kept" || isProposed)) {
      this.#run(AGAIN, at, expiresAt, source.runId, same.number);
      return same.id;
    }
    const state: MemoryState = isProposed ? "proposed" : "kept";
    const value = JSON.stringify(write.value);
    const { runId, seq, place, node } = source;
    this.#run(
      INSERT,
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

  /** Stores another value in the place of an entry, and returns its id. */
  edit(id: string, value: unknown, now: number): string {
    const row = this.row(id);
    const { memory, scope, owner, key, source, expiresAt } = toEntry(row);
    const number = this.#get<{ n: number }>("SELECT max(number) AS n FROM memory_entries")?.n ?? 0;
    const edited = this.put({
      ...{ memory, scope, owner, value, at: now },
      ...(key === undefined ? {} : { key }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      source: { runId: "", seq: number + 1, place: 0, node: source.node },
    });
    if (edited !== row.id) this.#supersede(this.row(row.id), edited);
    return edited;
  }

  recall(query: MemoryQuery): readonly RecalledEntry[] {
    const space = this.#spaceOf(query);
    if (space === undefined || query.top <= 0) return [];
    const terms = this.#terms(space, [...new Set(wordsOf(query.text))].slice(0, TERMS_MAX));
    if (terms.length === 0) return this.#newest(space, query);
    const present = terms.filter(({ entries }) => entries > 0);
    const found = present.length === 0 ? [] : this.#candidates(present, query);
    const whole = sum(terms.map(({ weight }) => weight));
    const scored = found.map((row) => {
      const has = new Set(wordsOf(JSON.parse(row.value)));
      const met = sum(terms.map(({ word, weight }) => (has.has(word) ? weight : 0)));
      return toRecalled(row, whole === 0 ? 1 : met / whole);
    });
    return fitting(scored, query);
  }

  list(filter: MemoryFilter): readonly MemoryEntry[] {
    const { memory, scope, user, state, runId, limit = -1 } = filter;
    const within = user === undefined ? null : `${JSON.stringify([user]).slice(0, -1)},`;
    const values = [memory, scope, state, runId, user].map((value) => value ?? null);
    return this.#all<EntryRow>(LIST, ...values, within, limit).map(toEntry);
  }

  entry(id: string): MemoryEntry {
    return toEntry(this.row(id));
  }

  /** M7871 where no entry, or more than one, has an id that begins so. */
  row(id: string): EntryRow {
    const exact = this.#get<EntryRow>(`${ENTRIES} WHERE id = ?`, id);
    if (exact !== undefined) return exact;
    const text = `${ENTRIES} WHERE substr(id, 1, length(?)) = ? LIMIT 2`;
    const [first, second] = this.#all<EntryRow>(text, id, id);
    if (first !== undefined && second === undefined) return first;
    const what = first === undefined ? "no entry" : "more than one entry";
    throw new RunError("M7871", `${what} of a memory has an id that begins with \`${id}\``, {
      hint: "`madrigal memory list` shows the ids",
    });
  }

  delete(id: string): void {
    const row = this.row(id);
    if (row.state === "kept") this.#unindex(row);
    this.#run("UPDATE memory_entries SET superseded_by = NULL WHERE superseded_by = ?", row.id);
    this.#run("DELETE FROM memory_entries WHERE number = ?", row.number);
  }

  get database(): DatabaseSync {
    this.#known ??= this.#open();
    return this.#known;
  }

  #withdraw(runId: string, afterSeq: number): void {
    const text = "SELECT id FROM memory_entries WHERE run_id = ? AND seq > ?";
    for (const { id } of this.#all<{ id: string }>(text, runId, afterSeq)) {
      const { state, supersededBy } = this.row(id);
      const before = this.#all<EntryRow>(`${ENTRIES} WHERE superseded_by = ?`, id);
      this.delete(id);
      // If another run has superseded the withdrawn entry since, the older ones link to that newer one.
      for (const one of before)
        if (state === "kept") this.approve(one.id);
        else this.#run(LINK, supersededBy, one.number);
    }
  }

  #dropExpired(now: number): void {
    const text = "SELECT id FROM memory_entries WHERE expires_at <= ? LIMIT 100";
    for (const { id } of this.#all<{ id: string }>(text, now)) this.delete(id);
  }

  /** Puts a kept entry into the index, in the place of the others of its key. */
  #take(id: string): void {
    const row = this.row(id);
    if (row.key !== null)
      for (const other of this.#all<EntryRow>(OTHERS, row.space, row.key, row.id))
        this.#supersede(other, row.id);
    const words = inSpace(row.space, wordsOf(JSON.parse(row.value)));
    this.#run("INSERT INTO memory_words (rowid, words) VALUES (?, ?)", row.number, words.join(" "));
    for (const term of new Set([...words, totalOf(row.space)])) this.#run(COUNT_UP, term);
  }

  #supersede(row: EntryRow, by: string): void {
    if (row.state === "kept") this.#unindex(row);
    const text =
      "UPDATE memory_entries SET state = 'superseded', superseded_by = ? WHERE number = ?";
    this.#run(text, by, row.number);
  }

  #unindex(row: EntryRow): void {
    this.#run("DELETE FROM memory_words WHERE rowid = ?", row.number);
    const words = inSpace(row.space, wordsOf(JSON.parse(row.value)));
    for (const term of new Set([...words, totalOf(row.space)])) {
      this.#run("UPDATE memory_terms SET entries = entries - 1 WHERE term = ?", term);
      this.#run("DELETE FROM memory_terms WHERE term = ? AND entries <= 0", term);
    }
  }

  /** The words of a query with the number of entries that have them, and the weight of a word that few entries have. */
  #terms(space: number, words: readonly string[]): readonly QueryTerm[] {
    const entriesWith = (term: string) =>
      this.#get<{ entries: number }>(ENTRIES_WITH, term)?.entries ?? 0;
    const total = entriesWith(totalOf(space));
    return words.map((word) => {
      const [term = ""] = inSpace(space, [word]);
      const entries = entriesWith(term);
      return {
        word,
        term,
        entries,
        weight: Math.log(1 + (total - entries + 0.5) / (entries + 0.5)),
      };
    });
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
    const from = ranked <= RANKED_MAX ? 0 : (this.#get<{ n: number }>(NEWEST, asked)?.n ?? 0);
    return this.#all<EntryRow>(RANK, asked, from, now, Math.max(top * 4, 20));
  }

  #newest(space: number, query: MemoryQuery): readonly RecalledEntry[] {
    const rows = this.#all<EntryRow>(LATEST, space, query.now, Math.max(query.top * 4, 200));
    return fitting(
      rows.map((row) => toRecalled(row, 1)),
      query,
    );
  }

  #spaceOf(space: MemorySpace, make: "make"): number;
  #spaceOf(space: MemorySpace, make?: "make"): number | undefined;
  #spaceOf({ memory, scope, owner }: MemorySpace, make?: "make"): number | undefined {
    const known = this.#get<{ number: number }>(SPACE, memory, scope, owner)?.number;
    if (known !== undefined || make === undefined) return known;
    const text =
      "INSERT INTO memory_spaces (memory, scope, owner) VALUES (?, ?, ?) RETURNING number";
    return this.#get<{ number: number }>(text, memory, scope, owner)?.number;
  }

  #run(text: string, ...values: readonly SQLInputValue[]): void {
    this.#statement(text).run(...values);
  }

  #get<Row>(text: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(text).get(...values) as Row | undefined;
  }

  #all<Row>(text: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#statement(text).all(...values) as Row[];
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

interface QueryTerm {
  readonly word: string;
  /** The word as the index has it: behind the number of its space. */
  readonly term: string;
  readonly entries: number;
  readonly weight: number;
}

interface EntryRow {
  readonly number: number;
  readonly id: string;
  readonly space: number;
  readonly memory: string;
  readonly scope: MemorySpace["scope"];
  readonly owner: string;
  readonly state: MemoryState;
  readonly key: string | null;
  readonly value: string;
  readonly runId: string;
  readonly seq: number;
  readonly place: number;
  readonly node: string;
  readonly at: number;
  readonly expiresAt: number | null;
  readonly supersededBy: string | null;
}

/** More words of a query are not looked for. */
const TERMS_MAX = 64;

/** As many entries as this are ranked for a query. */
const RANKED_MAX = 1_000;

const COLUMNS = `
  memory_entries.number AS number, id, space, memory, scope, owner, state, key, value, run_id AS runId,
  seq, place, node, stored_at AS at, expires_at AS expiresAt, superseded_by AS supersededBy`;

const ENTRIES = `SELECT ${COLUMNS} FROM memory_entries JOIN memory_spaces ON memory_spaces.number = space`;

const LIST = `
  ${ENTRIES}
  WHERE memory = coalesce(?1, memory) AND scope = coalesce(?2, scope) AND state = coalesce(?3, state)
    AND run_id = coalesce(?4, run_id)
    AND (?5 IS NULL OR (scope = 'user' AND owner = ?5)
      OR (scope IN ('thread', 'agent') AND substr(owner, 1, length(?6)) = ?6))
  ORDER BY stored_at DESC, memory_entries.number DESC LIMIT ?7`;

const SPACE = "SELECT number FROM memory_spaces WHERE memory = ? AND scope = ? AND owner = ?";

const SAME = `${ENTRIES} WHERE space = ? AND hash = ? AND +key IS ? AND state IN ('kept', 'proposed')`;

const OTHERS = `${ENTRIES} WHERE space = ? AND key = ? AND id <> ? AND state = 'kept'`;

const INSERT = `
  INSERT INTO memory_entries (
    id, space, state, key, hash, value, run_id, seq, place, node, stored_at, expires_at
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const LINK = "UPDATE memory_entries SET superseded_by = ? WHERE number = ?";

/** Has no rewind take back an entry that another run has stored, too: no record of a run has a negative number. */
const AGAIN = `
  UPDATE memory_entries
  SET stored_at = ?, expires_at = ?, seq = CASE WHEN run_id = ? OR seq < 0 THEN seq ELSE -number END
  WHERE number = ?`;

const COUNT_UP = `
  INSERT INTO memory_terms (term, entries) VALUES (?, 1)
  ON CONFLICT (term) DO UPDATE SET entries = entries + 1`;

const ENTRIES_WITH = "SELECT entries FROM memory_terms WHERE term = ?";

const NEWEST = `
  SELECT min(rowid) AS n FROM (
    SELECT rowid FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ${RANKED_MAX}
  )`;

const RANK = `
  SELECT ${COLUMNS} FROM (
    SELECT rowid, rank FROM memory_words
    WHERE memory_words MATCH ?1 AND rowid >= ?2
      AND rowid NOT IN (SELECT number FROM memory_entries WHERE expires_at <= ?3)
    ORDER BY rank LIMIT max(200, ?4)
  ) AS found
  JOIN memory_entries ON memory_entries.number = found.rowid
  JOIN memory_spaces ON memory_spaces.number = space
  WHERE state = 'kept'
  ORDER BY found.rank LIMIT ?4`;

const LATEST = `
  ${ENTRIES} WHERE space = ? AND state = 'kept' AND (expires_at IS NULL OR expires_at > ?)
  ORDER BY memory_entries.number DESC LIMIT ?`;

function inSpace(space: number, words: readonly string[]): readonly string[] {
  return words.map((word) => `${space}x${word.replace("~", "p9p")}`);
}

/** Under this term stands the number of all entries of a space. */
function totalOf(space: number): string {
  return `${space}x`;
}

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

function toEntry(row: EntryRow): MemoryEntry {
  const { id, memory, scope, owner, state, runId, seq, place, node, at } = row;
  return {
    ...{ id, memory, scope, owner, state, at },
    key: row.key ?? undefined,
    value: JSON.parse(row.value),
    source: { runId, seq, place, node },
    expiresAt: row.expiresAt ?? undefined,
    supersededBy: row.supersededBy ?? undefined,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
