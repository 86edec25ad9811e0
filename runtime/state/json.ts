/** Deep equality of JSON values; the order of keys does not matter. */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  // `-0` is `0` as JSON, and `NaN` is itself.
  if (a === b || Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && areItemsEqual(a, b);
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        isJsonEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}

function areItemsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (!isJsonEqual(a[index], b[index])) return false;
  }
  return true;
}

/** The values that `freezeJson` has visited: JSON that is frozen all the way down. Few parts without parts are none of them. */
const frozen = new WeakSet<object>();

/** Freezes a JSON value all the way down, so that what user code sees can't be changed in place. */
export function freezeJson<T>(value: T): T {
  if (typeof value === "object" && value !== null && !frozen.has(value)) {
    Object.freeze(value);
    if (!freezeParts(value)) frozen.add(value);
  }
  return value;
}

/** To remember a value takes 140 bytes, and longer than to go through so many parts. */
const SMALL_MAX = 8;

/** Returns whether these are few, and have no parts themselves. */
function freezeParts(value: object): boolean {
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let isFlat = true;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (typeof part !== "object" || part === null) continue;
    isFlat = false;
    freezeJson(part);
  }
  return isFlat && parts.length <= SMALL_MAX;
}

/** Notes of a frozen value that all its parts are frozen, as only who has seen to it can know. */
export function asFrozenJson<T extends object>(value: T): T {
  frozen.add(value);
  return value;
}

/** Tells whether this object came out of `freezeJson`: state that a function was shown and gives back. */
export function isFrozenJson(value: object): boolean {
  return frozen.has(value);
}

/** The value as it is now: what is frozen is shared, the rest copied and frozen. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  const parts = copy as Record<string, unknown>;
  // Own members, also one called `__proto__`: what is assigned to is there already.
  for (const key of Object.keys(parts)) {
    const part = parts[key];
    if (typeof part === "object" && part !== null) parts[key] = frozenCopy(part);
  }
  return Object.freeze(copy) as T;
}

/** `object.key`, `object["odd key"]` and `list[2]`, from the root, as people write it. */
export function pathTo(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === "" ? step : `${path}.${step}`;
}
