/** Deep equality of JSON values; the order of keys does not matter. */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
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

/** What `freezeJson` has gone through: frozen JSON all the way down, which nobody needs to look at again. */
const frozen = new WeakSet<object>();

/** Freezes a JSON value all the way down, so that what user code sees can't be changed in place. */
export function freezeJson<T>(value: T): T {
  if (typeof value === "object" && value !== null && !frozen.has(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeJson(part);
    frozen.add(value);
  }
  return value;
}

/** Whether this object came out of `freezeJson`: state that a function was shown and gives back. */
export function isFrozenJson(value: object): boolean {
  return frozen.has(value);
}

/** The value as it is now: what is frozen is shared, the rest copied and frozen. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const copy = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, frozenCopy(part)]));
  // The same shape, part by part.
  return Object.freeze(copy) as T;
}
