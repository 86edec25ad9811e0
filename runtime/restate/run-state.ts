/** Reads and writes what the virtual object of a run keeps: its facts, where it stands, its log in segments, a snapshot. */
import type * as restate from "@restatedev/restate-sdk";
import type { LogRecord } from "../records/records.ts";
import type { Completion } from "../scheduler/completion.ts";
import { applyRecord } from "../scheduler/fold.ts";
import { link } from "../scheduler/program/link.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot, Trail } from "../scheduler/snapshot/snapshot.ts";
import { SNAPSHOT_LAYOUT, snapshotIn, snapshotText } from "../scheduler/snapshot/snapshot-text.ts";
import { packChunk, unpackChunk } from "../store/log/chunk-bytes.ts";
import type { StoredFacts } from "./messages.ts";
import type { WireValues } from "./wire-values.ts";

/** So many records lie beside the state that each turn reads; then they become a segment, with a snapshot behind it. */
const TAIL_MAX = 64;
const SNAPSHOT_LENGTH_MAX = 4_000_000;

/** The key of the version of programs of a run that is not over. */
export const VERSION_KEY = "version";

/** The part of the state that each turn reads and writes. */
export interface RunNow {
  /** The number of the next record. */
  readonly next: number;
  /** The first record of each segment. */
  readonly segments: readonly number[];
  /** The records behind the last segment. */
  readonly tail: readonly LogRecord[];
  readonly waiting: readonly Completion[];
  /** The attempts under way, by node run. */
  readonly attempts: Readonly<Record<string, AttemptUnderWay>>;
  /** The record behind which the stored snapshot stands. */
  readonly base?: { readonly behind: number; readonly layout: number };
  /** The times of the deadlines that are kept. */
  readonly timers: Readonly<Record<string, number>>;
  /** Awakeables that are resolved with the end. */
  readonly watchers: readonly string[];
  readonly broken?: string;
}

export interface AttemptUnderWay {
  readonly attempt: number;
  /** The invocation that performs it. */
  readonly invocation?: string;
  /** Names the one performance that may post. */
  readonly token?: string;
  /** It was given up while it waited, when this was the last record. */
  readonly parkedAt?: number;
  /** It waits for nothing but that the run may go on. */
  readonly isHeld?: true;
  /** The same, of an earlier performance. */
  readonly wasParked?: true;
}

/** A snapshot behind a segment. */
interface StoredBase {
  readonly text: string;
  /** The chunks of its long lists. */
  readonly chunks: Readonly<Record<string, string>>;
}

export interface LoadedRun {
  readonly facts: StoredFacts;
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly now: RunNow;
}

type Reads = Pick<restate.ObjectSharedContext, "get">;
type Writes = Pick<restate.ObjectContext, "set">;

export const NO_NOW: RunNow = {
  ...{ next: 0, segments: [], tail: [], waiting: [], attempts: {}, timers: {}, watchers: [] },
};

/** The state of runs, as one worker reads it. What it remembers is compared with what is stored. */
export class RunStates {
  readonly #values: WireValues;
  readonly #programs = new RecentlyUsed<Program>(64);
  readonly #facts = new RecentlyUsed<{
    readonly bytes: Uint8Array;
    readonly facts: StoredFacts;
  }>(64);
  /** The latest turn of runs. */
  readonly #snapshots = new RecentlyUsed<RememberedTurn>(512);

  constructor(values: WireValues) {
    this.#values = values;
  }

  async now(context: Reads): Promise<RunNow | undefined> {
    return (await context.get<RunNow>("now", this.#values)) ?? undefined;
  }

  /** Never changes, and has the whole graph: it is parsed once as long as it is remembered. */
  async facts(context: Reads & { readonly key: string }): Promise<StoredFacts | undefined> {
    const bytes = await context.get<Uint8Array>("facts", RAW);
    if (bytes === null) return undefined;
    const known = this.#facts.get(context.key);
    // A run may have been forgotten, and another one begun under its id.
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.facts;
    const facts = this.#values.deserialize<StoredFacts>(bytes);
    this.#facts.set(context.key, { bytes, facts });
    return facts;
  }

  /** Reads the same keys whatever is remembered: a turn that is repeated elsewhere must ask for the same. */
  async load(context: Reads & { readonly key: string }): Promise<LoadedRun | undefined> {
    const now = await this.now(context);
    const facts = await this.facts(context);
    const base = await context.get<Uint8Array>("base", RAW);
    if (now === undefined || facts === undefined) return undefined;
    const program = this.#programs.of(facts.ir.hash, () => link(facts.ir));
    const isBased = now.base?.layout === SNAPSHOT_LAYOUT && base !== null;
    const behind = isBased ? (now.base?.behind ?? -1) : -1;
    const from = now.segments.filter((start) => start <= behind).length;
    const records = [...(await this.#segments(context, now, { from })), ...now.tail];
    const known = this.#snapshots.get(context.key);
    if (known !== undefined && isLastTurn(now.tail, known))
      return { facts, program, now, snapshot: known.snapshot };
    const begun = isBased ? this.#snapshotOf(base, program) : emptySnapshot();
    return { facts, program, now, snapshot: folded(program, records, begun) };
  }

  #snapshotOf(bytes: Uint8Array, program: Program): Snapshot {
    const { text, chunks } = this.#values.deserialize<StoredBase>(bytes);
    const chunk = (hash: string) => () => unpackChunk(Buffer.from(chunks[hash] ?? "", "base64"));
    const found = snapshotIn(text, { program, trail: Trail.empty, chunk });
    if (found === undefined) throw new Error("M9000: a stored snapshot is of another program");
    return found.snapshot;
  }

  begin(context: Writes, facts: StoredFacts): void {
    context.set("facts", facts, this.#values);
    context.set(VERSION_KEY, facts.version, this.#values);
  }

  /** The run is over: no worker of its version is needed for it. */
  end(context: Pick<restate.ObjectContext, "clear">): void {
    context.clear(VERSION_KEY);
  }

  /** Keeps a log that a run has from elsewhere; returns where it then stands. */
  adopted(context: Writes, now: RunNow, records: readonly LogRecord[]): { readonly now: RunNow } {
    const segments: number[] = [];
    for (let from = 0; from < records.length; from += TAIL_MAX) {
      const segment = records.slice(from, from + TAIL_MAX);
      context.set(segmentKey(segments.length), segment, this.#values);
      segments.push(segment[0]?.seq ?? 0);
    }
    return { now: { ...now, next: (records.at(-1)?.seq ?? -1) + 1, segments } };
  }

  /** Writes where the run stands now, with the records of this turn. */
  save(
    context: Writes & { readonly key: string },
    {
      now,
      snapshot,
      records,
    }: Pick<LoadedRun, "now" | "snapshot"> & { readonly records: readonly LogRecord[] },
  ): void {
    const tail = records.length === 0 ? now.tail : [...now.tail, ...records];
    const next = now.next + records.length;
    if (tail.length < TAIL_MAX) {
      context.set("now", { ...now, next, tail }, this.#values);
      if (records.length > 0) this.#snapshots.set(context.key, turnOf(records, snapshot));
      return;
    }
    context.set(segmentKey(now.segments.length), tail, this.#values);
    const written = baseOf(snapshot);
    if (written !== undefined) context.set("base", written, this.#values);
    const base = written && { behind: next - 1, layout: SNAPSHOT_LAYOUT };
    const segments = [...now.segments, tail[0]?.seq ?? 0];
    const sealed = { ...now, next, segments, tail: [], ...(base === undefined ? {} : { base }) };
    context.set("now", sealed, this.#values);
  }

  /** The records behind one; with `enough`, no more segments than it takes. */
  async after(
    context: Reads,
    now: RunNow,
    { seq, enough = Number.POSITIVE_INFINITY }: { readonly seq: number; readonly enough?: number },
  ): Promise<readonly LogRecord[]> {
    const first = now.next - now.tail.length;
    if (seq >= first - 1) return now.tail.filter((record) => record.seq > seq);
    const from = now.segments.findLastIndex((start) => start <= seq + 1);
    const read = await this.#segments(context, now, { from: Math.max(0, from), enough });
    const last = read.at(-1)?.seq ?? -1;
    const rest = last + 1 === first ? now.tail : [];
    return [...read, ...rest].filter((record) => record.seq > seq);
  }

  async #segments(
    context: Reads,
    { segments }: RunNow,
    {
      from,
      enough = Number.POSITIVE_INFINITY,
    }: { readonly from: number; readonly enough?: number },
  ): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for (let at = from; at < segments.length && records.length < enough; at += 1) {
      const segment = await context.get<readonly LogRecord[]>(segmentKey(at), this.#values);
      records.push(...(segment ?? []));
    }
    return records;
  }
}

function segmentKey(number: number): string {
  return `log/${number}`;
}

function folded(program: Program, records: readonly LogRecord[], from: Snapshot): Snapshot {
  return records.reduce((at, record) => applyRecord(program, at, record, record.at), from);
}

/** Undefined where it is too long: then the log is folded from the last one that was not. */
function baseOf(snapshot: Snapshot): StoredBase | undefined {
  const written = snapshotText(snapshot, {
    lengthMax: SNAPSHOT_LENGTH_MAX,
    chunksLengthMax: SNAPSHOT_LENGTH_MAX,
    isStored: () => false,
    pack: packChunk,
  });
  if (written === undefined) return undefined;
  const chunks = written.chunks.fresh.entries().map(([hash, bytes]) => {
    return [hash, Buffer.from(bytes).toString("base64")] as const;
  });
  return { text: written.text, chunks: Object.fromEntries(chunks) };
}

/** The snapshot behind the records of one turn, and these as text. */
interface RememberedTurn {
  readonly snapshot: Snapshot;
  readonly count: number;
  readonly text: string;
}

function turnOf(records: readonly LogRecord[], snapshot: Snapshot): RememberedTurn {
  return { snapshot, count: records.length, text: JSON.stringify(records) };
}

/** A turn that failed and was decided again elsewhere may have come to other records, of another time. */
function isLastTurn(tail: readonly LogRecord[], { count, text }: RememberedTurn): boolean {
  return count <= tail.length && JSON.stringify(tail.slice(-count)) === text;
}

/** Bytes as they are: they are read only where nothing is remembered. */
const RAW = {
  contentType: "application/octet-stream",
  serialize: (bytes: Uint8Array) => bytes,
  deserialize: (bytes: Uint8Array) => bytes,
};

/** A map that forgets what was used longest ago. */
export class RecentlyUsed<T> {
  readonly #map = new Map<string, T>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: string): T | undefined {
    const value = this.#map.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    const [oldest] = this.#map.keys();
    if (this.#map.size > this.#sizeMax && oldest !== undefined) this.#map.delete(oldest);
  }

  of(key: string, make: () => T): T {
    const value = this.get(key) ?? make();
    this.set(key, value);
    return value;
  }
}
