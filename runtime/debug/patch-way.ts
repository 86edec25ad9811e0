/** Traces a path of a state back to the path it had before a patch. */
import type { Patch } from "../state/patch.ts";
import type { Path } from "../state/path.ts";

/** Returns the path that a value had before these patches; `undefined` where they wrote the value. */
export function whenceOf(patches: readonly Patch[], path: Path): Path | undefined {
  let at: Path | undefined = path;
  for (const patch of patches.toReversed()) {
    at = at && whenceOfOne(patch, at);
    if (at === undefined) return undefined;
  }
  return at;
}

function whenceOfOne({ op, path }: Patch, at: Path): Path | undefined {
  const length = commonLength(path, at);
  // It changed something within what is asked for, or all of it.
  if (length === path.length || length === at.length)
    return isShift(op, path, at) ? moved(op, path, at) : undefined;
  const [changed, own] = [path[length], at[length]];
  // Elements behind one that was put into the list, or taken out of it, have moved.
  const isSibling = length === path.length - 1 && op !== "replace";
  if (isSibling && typeof changed === "number" && typeof own === "number" && own > changed)
    return moved(op, path, at);
  return at;
}

/** Returns whether a patch removes an element before the place, so that the value there stood behind it. */
function isShift(op: Patch["op"], path: Path, at: Path): boolean {
  const isElement = typeof path.at(-1) === "number" && at.length >= path.length;
  return op === "remove" && isElement;
}

function moved(op: Patch["op"], path: Path, at: Path): Path {
  const index = path.length - 1;
  const own = Number(at[index]);
  return at.with(index, op === "add" ? own - 1 : own + 1);
}

function commonLength(a: Path, b: Path): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) if (a[index] !== b[index]) return index;
  return shorter;
}

/** A state behind patches; what they leave alone is shared, and each part that they change is copied once. */
export function patchedAll(state: unknown, patches: Iterable<Patch>): unknown {
  const own = new Set<object>();
  let at = state;
  for (const patch of patches) at = patchedAt(at, patch, { depth: 0, own });
  return at;
}

/** A state behind one patch. */
export function patched(state: unknown, patch: Patch): unknown {
  return patchedAll(state, [patch]);
}

/** `own` are the parts that nobody else has yet. */
function patchedAt(
  state: unknown,
  patch: Patch,
  { depth, own }: { readonly depth: number; readonly own: Set<object> },
): unknown {
  const { op, path, value } = patch;
  const key = path[depth];
  if (key === undefined) return value;
  const isLast = depth === path.length - 1;
  const inner = (part: unknown) => patchedAt(part, patch, { depth: depth + 1, own });
  if (Array.isArray(state)) {
    const list = ownList(state, own);
    if (key === "length") list.length = Number(value);
    else if (!isLast) list[Number(key)] = inner(list[Number(key)]);
    else if (op === "replace") list[Number(key)] = value;
    else if (op === "remove") list.splice(Number(key), 1);
    else if (key === list.length) list.push(value);
    else list.splice(Number(key), 0, value);
    return list;
  }
  const members = ownMembers((state ?? {}) as Members, own);
  if (isLast && op === "remove") delete members[key];
  else {
    const part = Object.hasOwn(members, key) ? members[key] : undefined;
    // Not by an assignment: `__proto__` is a name like any other.
    Object.defineProperty(members, key, { ...asWritten, value: isLast ? value : inner(part) });
  }
  return members;
}

type Members = Record<string | number, unknown>;

const asWritten = { configurable: true, enumerable: true, writable: true };

function ownList(list: unknown[], own: Set<object>): unknown[] {
  if (own.has(list)) return list;
  const copy = list.slice();
  own.add(copy);
  return copy;
}

function ownMembers(members: Members, own: Set<object>): Members {
  if (own.has(members)) return members;
  const copy = { ...members };
  own.add(copy);
  return copy;
}
