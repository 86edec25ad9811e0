/** Chooses the stored value that a field means: a thread has one of a name, a user one for each type. */
import type { KeptType } from "../run-store.ts";

interface NamedField {
  readonly field: string;
  readonly graph: string;
  readonly type: string;
}

/**
 * The field's own row: that of its graph, else the one of another graph with the same type, or one that was kept when types
 * were not, if its value fits; none where it begins anew.
 */
export function keptRowOf<Row extends NamedField>(
  rows: readonly Row[],
  { field, of }: { readonly field: string; readonly of?: KeptType | undefined },
  readValue: (row: Row) => unknown,
): Row | undefined {
  const named = rows.filter((row) => row.field === field);
  if (of === undefined) return named[0];
  return (
    named.find(({ graph }) => graph === of.graph) ??
    named.find(({ type }) => type === of.type) ??
    named.find((row) => row.type === "" && of.fits(readValue(row)))
  );
}
