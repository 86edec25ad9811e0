/** Creates the one object that holds the names of all cells; the compiler writes what they declare into it. */
export function createNames(): Record<string, unknown> {
  // Without a prototype, or a cell could read `constructor` as if another had declared it.
  return Object.create(null) as Record<string, unknown>;
}
