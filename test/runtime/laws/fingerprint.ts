/** A snapshot as one number, and where two of them differ; its trail aside, whose snapshots are looked at by themselves. */
import { IntMap, SharedList } from "../../../runtime/state/persistent.ts";

/** What parts of a snapshot that nobody changes came to; without one everything is looked at anew. */
export type Known = WeakMap<object, number>;

export function fingerprint(value: unknown, known?: Known): number {
  if (typeof value !== "object" || value === null) return ofText(`${typeof value} ${value}`);
  const found = known?.get(value);
  if (found !== undefined) return found;
  let hash = Array.isArray(value) ? 7 : 3;
  for (const [key, member] of membersOf(value)) {
    hash = mixed(mixed(hash, ofText(String(key))), fingerprint(member, known));
  }
  known?.set(value, hash);
  return hash;
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
  const entries = Object.entries(value).filter(
    ([key, member]) => member !== undefined && !ELSEWHERE.includes(key),
  );
  // Nobody's order is told by the log.
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 200) ?? "nothing";
}

function ofText(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return hash >>> 0;
}

/** 53 bits, so that two snapshots of a long simulation are not the same by chance. */
function mixed(hash: number, more: number): number {
  const low = Math.imul((hash >>> 0) ^ more, 2654435761) >>> 0;
  const high = Math.imul(Math.floor(hash / 4294967296) ^ low ^ (more >>> 7), 1597334677) >>> 0;
  return (high & 0x1fffff) * 4294967296 + low;
}
