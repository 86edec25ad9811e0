/** A snapshot as one number, and where two of them differ; its trail aside, whose snapshots are looked at by themselves. */
import { IntMap, SharedList } from "../../../runtime/state/persistent.ts";

/** What parts of a snapshot that nobody changes came to; without one everything is looked at anew. */
export type Known = WeakMap<object, number>;

export function fingerprint(value: unknown, known?: Known): number {
  if (typeof value === "string") return ofText(value);
  if (typeof value !== "object" || value === null) return mixed(5, ofText(String(value)));
  const found = known?.get(value);
  if (found !== undefined) return found;
  let sum = Array.isArray(value) ? 7 : 3;
  // Nobody's order is told by the log: a sum has none.
  const add = (name: number, member: unknown) => {
    const part = fingerprint(member, known);
    const hash = mixed(mixed(name, part % WORD), Math.floor(part / WORD));
    sum += hash - (sum + hash < SUMS ? 0 : SUMS);
  };
  if (isPlain(value)) {
    // Most of what there is, without a list of its members.
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (member !== undefined && !ELSEWHERE.includes(key)) add(ofText(key), member);
    }
  } else {
    for (const [key, member] of membersOf(value))
      add(typeof key === "number" ? key : ofText(key), member);
  }
  known?.set(value, sum);
  return sum;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

/** Where two values differ first, and how. */
export function differenceOf(left: unknown, right: unknown, path = ""): string | undefined {
  if (left === right) return undefined;
  if (!isObject(left) || !isObject(right)) return `${path}: ${shown(left)} and ${shown(right)}`;
  const [ours, theirs] = [new Map(membersOf(left)), new Map(membersOf(right))];
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const found = differenceOf(ours.get(key), theirs.get(key), `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The trail has snapshots of its own; of a called graph's program nothing changes. */
const ELSEWHERE: readonly string[] = ["trail", "program"];

/** A member that is there without a value is as good as one that is not. */
function membersOf(value: object): readonly (readonly [string | number, unknown])[] {
  if (value instanceof IntMap) return value.entries();
  if (value instanceof SharedList) return [...value.toArray().entries()];
  if (value instanceof Set) return [...value].sort().entries().toArray();
  return Object.entries(value).filter(
    ([key, member]) => member !== undefined && !ELSEWHERE.includes(key),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 200) ?? "nothing";
}

/** Names of fields and most values are the same few thousand texts. */
const hashes = new Map<string, number>();
const HASHES_MAX = 100_000;

function ofText(text: string): number {
  const found = hashes.get(text);
  if (found !== undefined) return found;
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  if (hashes.size === HASHES_MAX) hashes.clear();
  hashes.set(text, hash >>> 0);
  return hash >>> 0;
}

const WORD = 2 ** 32;
const SUMS = 2 ** 52;

/** 52 bits, so that two snapshots of a long simulation are not the same by chance, and that a sum of two is exact. */
function mixed(hash: number, more: number): number {
  const low = Math.imul((hash >>> 0) ^ more, 2654435761) >>> 0;
  const high = Math.imul(Math.floor(hash / WORD) ^ low ^ (more >>> 7), 1597334677) >>> 0;
  return (high & 0xfffff) * WORD + low;
}
