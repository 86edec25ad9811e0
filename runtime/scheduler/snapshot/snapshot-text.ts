/**
 * A snapshot as a text, and back. The text is a list of rows, one for each object, list and map, whatever lies in one in front
 * of it: so what is shared stays shared, and nothing is too deep. A cell is a value as JSON has it; `[n]` is what row n
 * makes, `[]` is undefined. The steps it can be rewound to are left out: they are in the log. The beginning of a long list is
 * in chunks beside the text, each a text of rows itself, of which the last one is a list of its items.
 */
import { IntMap, SharedList } from "../../state/persistent.ts";
import { programCalled } from "../called-snapshots.ts";
import type { Program } from "../program/program.ts";
import {
  type ChunkLimits,
  type ChunkPlace,
  ChunkReader,
  type ChunkWriter,
  divideList,
  isLong,
  NamedChunks,
  type ReadList,
  type ReadsChunk,
} from "./long-lists.ts";
import { type Child, emptySnapshot, newNodeRun, ROOT, type Snapshot, Trail } from "./snapshot.ts";

const NOTHING: Parameters<typeof newNodeRun>[0] = {
  id: 0,
  line: 0,
  node: 0,
  ordinal: 0,
  frame: ROOT,
  seq: 0,
  key: [],
  scope: ROOT,
  status: "ready",
};

/** Raised whenever records fold to another snapshot than before. */
const FOLDING = 2;

/** The layout that a stored text must have to be read: the same `FOLDING` and the same members of a snapshot. */
export const SNAPSHOT_LAYOUT = layoutOf(FOLDING);

function layoutOf(folding: number): number {
  const snapshot = emptySnapshot();
  const parts = [
    snapshot,
    snapshot.mail,
    snapshot.scopes.get(ROOT),
    snapshot.frames.get(ROOT),
    newNodeRun(NOTHING),
  ];
  const names = JSON.stringify([folding, parts.map((part) => Object.keys(part ?? {}))]);
  let hash = 0;
  for (let at = 0; at < names.length; at += 1) hash = (hash * 31 + names.charCodeAt(at)) | 0;
  return hash >>> 0;
}

/** The first cell of a row that is no object of its own members. */
const LIST = 0;
const INT_MAP = 1;
const SHARED_LIST = 2;
const SET = 3;
const PROGRAM = 4;
const TRAIL = 5;
/** Then the number of chunks, the hash and the end of each, and the items behind them. */
const CHUNKED_LIST = 6;
const CHUNKED_SHARED_LIST = 7;

export interface SnapshotLimits extends ChunkLimits {
  /** The most characters of the text. */
  readonly lengthMax: number;
}

export interface SnapshotText {
  readonly text: string;
  readonly chunks: NamedChunks;
}

/** A snapshot as a text with chunks; undefined where it would be too long, or has what no log can bring back. */
export function snapshotText(snapshot: Snapshot, limits: SnapshotLimits): SnapshotText | undefined {
  const chunks = new NamedChunks(limits);
  const writer = new RowWriter(limits.lengthMax, chunks);
  return writer.write(snapshot) ? { text: writer.text(), chunks } : undefined;
}

class RowWriter {
  length = 0;
  readonly #lengthMax: number;
  /** None within a chunk: its long lists are whole. */
  readonly #chunks: NamedChunks | undefined;
  readonly #rows: string[] = [];
  readonly #numbers = new Map<object, number>();

  constructor(lengthMax: number, chunks?: NamedChunks) {
    this.#lengthMax = lengthMax;
    this.#chunks = chunks;
  }

  /** False where this has no text, or the text would be too long. */
  write(value: object): boolean {
    const first = this.#opened(value);
    if (first === undefined) return false;
    const open: OpenText[] = [first];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const part = nextPart(last, this.#numbers);
      if (part !== undefined) {
        const next = this.#opened(part);
        if (next === undefined) return false;
        open.push(next);
        continue;
      }
      open.pop();
      if (!this.#close(last)) return false;
    }
    return true;
  }

  text(): string {
    return `[${this.#rows.join(",\n")}]`;
  }

  cell(part: unknown): string {
    return cellOf(part, this.#numbers);
  }

  /** A row that nothing refers to. */
  end(row: string): void {
    this.#rows.push(row);
  }

  isWritten(value: object): boolean {
    return this.#numbers.has(value);
  }

  #close({ value, parts, places }: OpenText): boolean {
    const row =
      places === undefined
        ? rowOf(value, this.#numbers)
        : chunkedRow({ value, parts, places }, (part) => this.cell(part));
    this.length += row?.length ?? 0;
    if (row === undefined || this.length > this.#lengthMax) return false;
    this.#numbers.set(value, this.#rows.length);
    this.#rows.push(row);
    return true;
  }

  #opened(value: object): OpenText | undefined {
    if (this.#chunks === undefined || !isLong(value))
      return { value, parts: partsOf(value), at: 0 };
    const places = divideList(value, this.#chunks, () => new ItemsWriter(this.#lengthMax));
    const end = places?.at(-1)?.end;
    if (places === undefined || end === undefined)
      return places && { value, parts: partsOf(value), at: 0 };
    const parts = Array.from({ length: value.length - end }, (_, at) => value.at(end + at));
    return { value, parts, at: 0, places };
  }
}

/** Writes the items of a chunk. */
class ItemsWriter implements ChunkWriter {
  readonly #rows: RowWriter;
  readonly #cells: string[] = [];
  #length = 0;

  constructor(lengthMax: number) {
    this.#rows = new RowWriter(lengthMax);
  }

  get length(): number {
    return this.#rows.length + this.#length;
  }

  add(item: unknown): boolean {
    if (typeof item === "object" && item !== null && !this.#rows.isWritten(item)) {
      if (!this.#rows.write(item)) return false;
    }
    const cell = this.#rows.cell(item);
    this.#length += cell.length;
    this.#cells.push(cell);
    return true;
  }

  text(): string {
    this.#rows.end(`[${[LIST, ...this.#cells].join(",")}]`);
    return this.#rows.text();
  }
}

function chunkedRow(
  { value, parts, places }: Required<Pick<OpenText, "value" | "parts" | "places">>,
  cell: (part: unknown) => string,
): string {
  const kind = Array.isArray(value) ? CHUNKED_LIST : CHUNKED_SHARED_LIST;
  const chunks = places.flatMap(({ hash, end }) => [JSON.stringify(hash), end]);
  return `[${[kind, places.length, ...chunks, ...parts.map(cell)].join(",")}]`;
}

/** A value whose parts are being written. */
interface OpenText {
  readonly value: object;
  readonly parts: readonly unknown[];
  at: number;
  /** Of a long list: the chunks that are in front of its parts. */
  readonly places?: readonly ChunkPlace[];
}

/** The next part that needs a row of its own and has none. */
function nextPart(open: OpenText, numbers: ReadonlyMap<object, number>): object | undefined {
  while (open.at < open.parts.length) {
    const part = open.parts[open.at];
    open.at += 1;
    if (typeof part === "object" && part !== null && !numbers.has(part)) return part;
  }
  return undefined;
}

function partsOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof IntMap) return value.values();
  if (value instanceof SharedList || value instanceof Set) return [...value];
  return isPlain(value) && !isProgram(value) ? Object.values(value) : [];
}

function rowOf(value: object, numbers: ReadonlyMap<object, number>): string | undefined {
  const cell = (part: unknown) => cellOf(part, numbers);
  if (Array.isArray(value)) return listRow(LIST, value, cell);
  if (value instanceof IntMap) {
    const cells = value.entries().map(([key, part]) => `${key},${cell(part)}`);
    return `[${[INT_MAP, ...cells].join(",")}]`;
  }
  if (value instanceof SharedList) return listRow(SHARED_LIST, [...value], cell);
  if (value instanceof Set) return listRow(SET, [...value], cell);
  if (value instanceof Trail) return `[${TRAIL}]`;
  if (isProgram(value)) return `[${PROGRAM},${JSON.stringify(value.ir.hash)}]`;
  if (!isPlain(value)) return undefined;
  const cells = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${cell(part)}`);
  return `{${cells.join(",")}}`;
}

function listRow(kind: number, parts: readonly unknown[], cell: (part: unknown) => string): string {
  return parts.length === 0 ? `[${kind}]` : `[${kind},${parts.map(cell).join(",")}]`;
}

function cellOf(part: unknown, numbers: ReadonlyMap<object, number>): string {
  if (part === undefined) return "[]";
  if (typeof part === "object" && part !== null) return `[${numbers.get(part)}]`;
  return JSON.stringify(part);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}

function isProgram(value: object): value is Program {
  return "nodeNumbers" in value && value.nodeNumbers instanceof Map;
}

/** The program, the trail and the chunks of a snapshot that is read. */
export interface SnapshotSource {
  readonly program: Program;
  /** The steps it can be rewound to. */
  readonly trail: Trail;
  readonly chunk: ReadsChunk;
}

export interface SnapshotOfText {
  readonly snapshot: Snapshot;
  /** The hashes of its chunks. */
  readonly chunks: ReadonlySet<string>;
}

/**
 * The snapshot of a text, of a run of this program. Undefined where a graph that it has called is another one by now; throws
 * where a chunk is missing or damaged.
 */
export function snapshotIn(
  text: string,
  { program, trail, chunk }: SnapshotSource,
): SnapshotOfText | undefined {
  const chunks = new ChunkReader(chunk, (items) => valueIn(items) as readonly unknown[]);
  const snapshot = valueIn(text, chunks) as Snapshot;
  if (!withPrograms(snapshot, program)) return undefined;
  return { snapshot: { ...snapshot, trail }, chunks: chunks.hashes };
}

/** The value that the last row makes. */
function valueIn(text: string, chunks?: ChunkReader): unknown {
  const rows: readonly (readonly unknown[] | SnapshotTextRow)[] = JSON.parse(text);
  const made: unknown[] = [];
  for (const row of rows) {
    const value = Array.isArray(row)
      ? listOf(row, { made, chunks })
      : filled(row as SnapshotTextRow, made);
    made.push(value);
  }
  return made.at(-1);
}

type SnapshotTextRow = Record<string, unknown>;

/** A long array, which is made when a member that has it is read. */
class LaterArray {
  readonly read: () => readonly unknown[];

  constructor(read: () => readonly unknown[]) {
    this.read = read;
  }
}

function filled(row: SnapshotTextRow, made: readonly unknown[]): SnapshotTextRow {
  for (const key of Object.keys(row)) {
    const cell = row[key];
    if (!Array.isArray(cell)) continue;
    const value = made[cell[0]];
    // Not by an assignment: `__proto__` is a name like any other.
    if (value instanceof LaterArray)
      Object.defineProperty(row, key, { get: value.read, enumerable: true, configurable: true });
    else if (key === "__proto__") Object.defineProperty(row, key, { value });
    else row[key] = value;
  }
  return row;
}

interface RowsMade {
  readonly made: readonly unknown[];
  readonly chunks: ChunkReader | undefined;
}

function listOf([kind, ...cells]: readonly unknown[], { made, chunks }: RowsMade): unknown {
  const values = cells.map((cell) => cellValue(cell, made));
  switch (kind) {
    case INT_MAP:
      return mapOf(values);
    case SHARED_LIST:
      return values.length === 0 ? SharedList.empty() : SharedList.of(values);
    case SET:
      return new Set(values);
    case TRAIL:
      return Trail.empty;
    case PROGRAM:
      return { hash: values[0] };
    case CHUNKED_LIST:
      return new LaterArray(chunksAtHand(chunks).array(dividedIn(values)));
    case CHUNKED_SHARED_LIST:
      return chunksAtHand(chunks).shared(dividedIn(values));
    default:
      return values;
  }
}

function cellValue(cell: unknown, made: readonly unknown[]): unknown {
  const value = Array.isArray(cell) ? made[cell[0]] : cell;
  return value instanceof LaterArray ? value.read() : value;
}

function chunksAtHand(chunks: ChunkReader | undefined): ChunkReader {
  if (chunks === undefined) throw new Error("a chunk has no chunks");
  return chunks;
}

function dividedIn([count, ...values]: readonly unknown[]): ReadList {
  const tailAt = Number(count) * 2;
  const places = Array.from({ length: Number(count) }, (_, index) => ({
    hash: String(values[index * 2]),
    end: Number(values[index * 2 + 1]),
  }));
  return { places, tail: values.slice(tailAt) };
}

function mapOf(values: readonly unknown[]): IntMap<unknown> {
  let map = IntMap.empty<unknown>();
  for (let at = 0; at < values.length; at += 2) map = map.set(values[at] as number, values[at + 1]);
  return map;
}

/** Gives each called graph its program again; false where one is not the one it was. */
function withPrograms(snapshot: Snapshot, { nodes }: Program): boolean {
  return snapshot.children.entries().every(([id, child]) => {
    const node = nodes[snapshot.open.get(id)?.node ?? -1];
    const { input } = child.snapshot;
    const called = programCalled(node, { input, tool: child.tool });
    if (called === undefined || "class" in called) return false;
    const { hash } = child.program as unknown as { readonly hash: string };
    if (called.ir.hash !== hash) return false;
    // It was made just now, and nobody else has it.
    (child as { program: Child["program"] }).program = called;
    return withPrograms(child.snapshot, called);
  });
}
