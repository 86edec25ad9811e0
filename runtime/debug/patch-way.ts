/** Where what stands at a path of a state stood before a patch. */
import type { Patch } from "../state/patch.ts";
import type { Path } from "../state/path.ts";

/** Where what stands at a path behind these patches stood before them; `undefined` where they made it what it is. */
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

/** What was taken out of a list is not what stands there now: that stood behind it. */
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

/** A state behind a patch; what the patch leaves alone is shared. */
export function patched(state: unknown, patch: Patch, depth = 0): unknown {
  const { op, path, value } = patch;
  const key = path[depth];
  if (key === undefined) return value;
  const isLast = depth === path.length - 1;
  if (Array.isArray(state)) {
    if (key === "length") return state.slice(0, Number(value));
    const index = Number(key);
    if (!isLast) return state.with(index, patched(state[index], patch, depth + 1));
    if (op === "replace") return state.with(index, value);
    return op === "add" ? state.toSpliced(index, 0, value) : state.toSpliced(index, 1);
  }
  const members = (state ?? {}) as Readonly<Record<string, unknown>>;
  if (!isLast) return { ...members, [key]: patched(members[key], patch, depth + 1) };
  if (op !== "remove") return { ...members, [key]: value };
  const { [key]: _, ...others } = members;
  return others;
}
