/**
 * A snapshot as a text, and back. The text is a list of rows, one for each object, list and map, whatever lies in one in front
 * of it: so what is shared stays shared, and nothing is too deep. A cell is a value as JSON has it; `[n]` is what row n
 * makes, `[]` is undefined. The steps it can be rewound to are left out: they are in the log.
 */
import { IntMap, SharedList } from "../../state/persistent.ts";
import { programCalled } from "../called-snapshots.ts";
import type { Program } from "../program/program.ts";
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

/** The text of a snapshot; undefined where it would be longer than that, or has what no log can bring back. */
export function snapshotText(snapshot: Snapshot, lengthMax: number): string | undefined {
  const rows: string[] = [];
  const numbers = new Map<object, number>();
  const open: OpenText[] = [opened(snapshot)];
  let length = 0;
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const part = nextPart(last, numbers);
    if (part !== undefined) {
      open.push(opened(part));
      continue;
    }
    open.pop();
    const row = rowOf(last.value, numbers);
    length += row?.length ?? 0;
    if (row === undefined || length > lengthMax) return undefined;
    numbers.set(last.value, rows.length);
    rows.push(row);
  }
  return `[${rows.join(",\n")}]`;
}

/** A value whose parts are being written. */
interface OpenText {
  readonly value: object;
  readonly parts: readonly unknown[];
  at: number;
}

function opened(value: object): OpenText {
  return { value, parts: partsOf(value), at: 0 };
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

/**
 * The snapshot of a text, of a run of this program; `trail` are the steps it can be rewound to. Undefined where a graph that it
 * has called is another one by now.
 */
export function snapshotIn(
  text: string,
  { program, trail }: { readonly program: Program; readonly trail: Trail },
): Snapshot | undefined {
  const rows: readonly (readonly unknown[] | SnapshotTextRow)[] = JSON.parse(text);
  const made: unknown[] = [];
  for (const row of rows)
    made.push(Array.isArray(row) ? listOf(row, made) : filled(row as SnapshotTextRow, made));
  const snapshot = made.at(-1) as Snapshot;
  return withPrograms(snapshot, program) ? { ...snapshot, trail } : undefined;
}

type SnapshotTextRow = Record<string, unknown>;

function filled(row: SnapshotTextRow, made: readonly unknown[]): SnapshotTextRow {
  for (const key of Object.keys(row)) {
    const cell = row[key];
    if (!Array.isArray(cell)) continue;
    const value = made[cell[0]];
    // Not by an assignment: `__proto__` is a name like any other.
    if (key === "__proto__") Object.defineProperty(row, key, { value });
    else row[key] = value;
  }
  return row;
}

function listOf([kind, ...cells]: readonly unknown[], made: readonly unknown[]): unknown {
  const values = cells.map((cell) => (Array.isArray(cell) ? made[cell[0]] : cell));
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
    default:
      return values;
  }
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
