/** Whether a value gives its values one after the other, in its own time: an AsyncIterable or an Observable. */
export function isStreamSource(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Symbol.asyncIterator in value || isObservable(value);
}

function isObservable(value: object): boolean {
  return "subscribe" in value && typeof value.subscribe === "function";
}
