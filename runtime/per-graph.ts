/** Computes what depends on a graph alone once for each graph. */
import type { Ir } from "../dsl/index.ts";

/**
 * Caches a value that depends on a graph alone, computed at the first request; a graph is run many times, and never
 * changes.
 */
export function perGraph<T>(read: (ir: Ir) => T): (ir: Ir) => T {
  const known = new WeakMap<Ir, { readonly value: T }>();
  return (ir) => {
    const found = known.get(ir) ?? { value: read(ir) };
    known.set(ir, found);
    return found.value;
  };
}
