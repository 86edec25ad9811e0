/** The memories of a workspace as people see and change them: shown, edited, approved, forgotten, written to text and read. */
import { type Ir, type MemoryIr, printType } from "../../dsl/index.ts";
import { messageOf, RunError } from "../failure.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { changePayload, type Redactor } from "../redaction/redact.ts";
import { writtenKey } from "../scheduler/recalls.ts";
import {
  type Memories,
  type MemoryEntry,
  type MemoryFilter,
  type MemorySpace,
  memoryOwner,
} from "../store/memories/memory.ts";
import { factOf } from "../store/memories/memory-index.ts";
import type { RunStore } from "../store/run-store.ts";

/** The places that still have what was forgotten. */
export interface Forgotten {
  readonly entries: number;
  /** Runs whose logs had it: redacted, or as they were. */
  readonly runIds: readonly string[];
  readonly isRedacted: boolean;
}

export class SessionMemories {
  readonly #store: RunStore;
  readonly #redactor: Pick<Redactor, "redactText">;

  constructor(store: RunStore, redactor: Pick<Redactor, "redactText">) {
    this.#store = store;
    this.#redactor = redactor;
  }

  /** Newest first. */
  list(filter?: MemoryFilter): readonly MemoryEntry[] {
    return this.#memories.list(filter);
  }

  find(id: string): MemoryEntry {
    return this.#memories.find(id);
  }

  /**
   * Gives an entry another value, which is checked by the type that the last program with this memory declares, and known by the key
   * that its `by` gives it. M5362 where it does not fit.
   */
  edit(id: string, value: unknown): MemoryEntry {
    const { memory, key } = this.find(id);
    const written = this.#redacted(value);
    const keyed = this.#keyOf(memory, written) ?? key;
    const edited = { value: written, ...(keyed === undefined ? {} : { key: keyed }) };
    return this.#memories.edit(id, edited, Date.now());
  }

  #keyOf(name: string, value: unknown): string | undefined {
    const declared = this.#declarationOf(name);
    if (declared === undefined) return undefined;
    try {
      return writtenKey(declared, value);
    } catch (cause) {
      throw misfit(declared.memory, cause);
    }
  }

  /** The declaration of a memory in the newest run whose program has it. */
  #declarationOf(name: string): { readonly ir: Ir; readonly memory: MemoryIr } | undefined {
    const seen = new Set<string>();
    for (const { runId, graphHash } of this.#store.list()) {
      if (seen.has(graphHash)) continue;
      seen.add(graphHash);
      const { ir } = this.#store.meta(runId);
      for (const graph of [ir, ...(ir.graphs ?? [])]) {
        const memory = graph.memories.find((one) => one.name === name);
        if (memory !== undefined) return { ir: graph, memory };
      }
    }
    return undefined;
  }

  approve(id: string): MemoryEntry {
    return this.#memories.approve(id);
  }

  /**
   * Deletes entries and overwrites them in the file of the runs. The logs of the runs that stored or recalled them have their
   * texts, too: with `redactLogs` these are replaced there. A run that a process drives is M5105, and nothing is deleted.
   */
  forget(ids: readonly string[], { redactLogs = false } = {}): Forgotten {
    const named = new Map(ids.map((id) => this.find(id)).map((entry) => [entry.id, entry]));
    const entries = [...named.values()];
    const runIds = this.#runsWith(entries);
    const redact = () => {
      for (const runId of runIds) this.#redactLog(runId, entries);
    };
    this.#memories.forget([...named.keys()], redactLogs ? redact : undefined);
    return { entries: entries.length, runIds, isRedacted: redactLogs };
  }

  /** Returns entries as lines of JSON. */
  export(filter?: MemoryFilter): string {
    return this.list(filter)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join("");
  }

  /**
   * Stores the entries of such lines but the superseded and forgotten ones, all of them for `user` where one is given; M8760 where a line is
   * none. Returns their number.
   */
  import(text: string, { user }: { readonly user?: string } = {}): number {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    // An export has the newest first; stored in that order, older ones would take the places of newer ones.
    const writes = lines
      .flatMap((line, at) => readLine(line, at + 1))
      .toReversed()
      .toSorted((a, b) => a.at - b.at);
    for (const write of writes)
      this.#memories.add({
        ...write,
        value: this.#redacted(write.value),
        ...(user === undefined ? {} : { scope: "user", owner: user }),
      });
    return writes.length;
  }

  get #memories(): Memories {
    return this.#store.memories;
  }

  #redacted(value: unknown): unknown {
    return JSON.parse(this.#redactor.redactText(JSON.stringify(value)));
  }

  #runsWith(entries: readonly MemoryEntry[]): readonly string[] {
    const ids = new Set(entries.map(({ id }) => id));
    const stored = new Set(entries.map(({ source }) => source.runId));
    const runs = this.#store.list().map(({ runId }) => runId);
    return runs.filter((runId) => {
      if (stored.has(runId)) return true;
      const records = this.#store.read(runId);
      return (
        records.some((one) => recalls(one, ids)) ||
        this.#storedIn(runId, records, entries).length > 0
      );
    });
  }

  /** The values that a run has stored as one of these facts, perhaps in other words: an entry names only the first run. */
  #storedIn(
    runId: string,
    records: readonly LogRecord[],
    entries: readonly MemoryEntry[],
  ): readonly unknown[] {
    const facts = new Set(entries.map((entry) => factIn(entry)));
    const meta = this.#store.meta(runId);
    return records.flatMap((record) => {
      const made = innermost(record);
      const stores = made.kind === "commit" ? (made.stores ?? []) : [];
      return stores
        .filter(({ agent, ...store }) => {
          const owner = memoryOwner(store.scope, { ...meta, agent });
          return facts.has(factIn({ ...store, owner }));
        })
        .map(({ value }) => value);
    });
  }

  #redactLog(runId: string, entries: readonly MemoryEntry[]): void {
    const before = this.#store.read(runId);
    const values = entries.map(({ value }) => value);
    const texts = [...values, ...this.#storedIn(runId, before, entries)].flatMap(textsIn);
    const { status, reason, steps, usage, error } = this.#store.find(runId);
    const records = before.map((record) => withoutTexts(record, texts));
    const summary = {
      ...{ status, steps, usage },
      ...(reason === undefined ? {} : { reason }),
      ...(error === undefined ? {} : { error }),
    };
    this.#store.restore({ meta: this.#store.meta(runId), records, summary }, { replace: true });
  }
}

function misfit({ name, type }: MemoryIr, cause: unknown): RunError {
  const hint = `\`${name}\` takes ${printType(type)}`;
  return new RunError("M5362", messageOf(cause), { hint, cause });
}

/** Stands in a log for what was forgotten. */
const FORGOTTEN = "⟦forgotten⟧";

/** Shorter texts stand in a log for many other things. */
const LENGTH_MIN = 4;

function recalls(record: LogRecord, ids: ReadonlySet<string>): boolean {
  const made = innermost(record);
  if (made.kind !== "outcome" || (made.effect !== "memory" && made.effect !== "tool")) return false;
  const text = JSON.stringify(made.value ?? null);
  return [...ids].some((id) => text.includes(id));
}

function factIn({ memory, scope, owner, value }: MemorySpace & Pick<MemoryEntry, "value">): string {
  return JSON.stringify([memory, scope, owner, factOf(value)]);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length < LENGTH_MIN ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Also within other texts, as prompts are, and in JSON within them; what is the graph's own stays, whatever the texts are. */
function withoutTexts(record: LogRecord, texts: readonly string[]): LogRecord {
  // The longest first: one text may be the beginning of another.
  const forms = texts
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    .toSorted((a, b) => b.length - a.length);
  const change = (text: string) =>
    forms.reduce((all, form) => all.replaceAll(form, FORGOTTEN), text);
  return changePayload(record, change, isMadeOfValues);
}

/** True of the values that a run began with, and of the keys of calls and entries, which are made of values. */
function isMadeOfValues(key: string, part: object): boolean {
  return (
    key === "kept" || key === "agents" || (key === "key" && ("name" in part || "memory" in part))
  );
}

function readLine(line: string, number: number) {
  try {
    const { memory, scope, owner, key, value, at, expiresAt, state, source } = JSON.parse(
      line,
    ) as MemoryEntry;
    const isEntry =
      [memory, owner, source?.runId, source?.node].every((one) => typeof one === "string") &&
      ["user", "thread", "agent", "workspace"].includes(scope) &&
      [at, source.seq, source.place, expiresAt ?? 0].every(Number.isSafeInteger) &&
      (scope === "user" || scope === "workspace" || isPair(JSON.parse(owner))) &&
      value !== undefined;
    if (!isEntry) throw new Error("a member is missing or of another type");
    if (state === "superseded" || state === "forgotten") return [];
    return [
      {
        ...{ memory, scope, owner, value, at, source },
        ...(typeof key === "string" ? { key } : {}),
        ...(typeof expiresAt === "number" ? { expiresAt } : {}),
        ...(state === "proposed" ? { isProposed: true } : {}),
      },
    ];
  } catch (cause) {
    throw notAnEntry(number, cause);
  }
}

/** As `memoryOwner` names a thread and an agent of a user. */
function isPair(owner: unknown): boolean {
  return (
    Array.isArray(owner) && owner.length === 2 && owner.every((one) => typeof one === "string")
  );
}

function notAnEntry(number: number, cause: unknown): RunError {
  return new RunError("M8760", `line ${number} is no entry of a memory: ${messageOf(cause)}`, {
    hint: "`madrigal memory export` writes such lines; nothing was stored",
    cause,
  });
}
