/**
 * Tells whether a value is an object, and neither a list nor `null`. The language has the same one: its door would load
 * all of the language into the thread that speaks with Jupyter.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
