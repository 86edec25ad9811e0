/** The names of the notebook, one object for all cells: the compiler turns what they declare into its properties. */
export function createNames(): Record<string, unknown> {
  // Without a prototype, or a cell could read `constructor` as if another had declared it.
  return Object.create(null) as Record<string, unknown>;
}
