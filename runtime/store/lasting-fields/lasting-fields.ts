/** Computes the rows of lasting fields that a flush writes from the values that runs have given them. */
import { messageOf, RunError } from "../../failure.ts";
import type { KeptRow, Tables } from "../database/tables.ts";
import type { KeptWrite } from "../run-store.ts";
import { keptRowOf } from "./choose-value.ts";

/** The type of a thread's field that has something private in it: its values are found by their names alone. */
export const PRIVATE = "private";

/** The fields of threads and users as the writes of one flush leave them; M9000 where one of these can't be worked out. */
export function keptAfter(
  tables: Pick<Tables<unknown>, "keptRows">,
  { runId, kept }: { readonly runId: string; readonly kept: readonly KeptWrite[] },
  updatedAt: number,
): readonly KeptRow[] | RunError {
  const rows = new Map<string, KeptRow>();
  const keyOf = (row: Pick<KeptRow, "scope" | "owner" | "field" | "graph">) =>
    JSON.stringify([row.scope, row.owner, row.field, row.graph]);
  for (const { update, of, isPrivate, ...named } of kept) {
    const { scope, owner, field } = named;
    const stored = tables.keptRows(scope, owner);
    const written = [...rows.values()].filter((row) => row.scope === scope && row.owner === owner);
    const now = [...written, ...stored.filter((row) => !rows.has(keyOf(row)))];
    try {
      const before = keptRowOf(now, { field, of }, (row) => JSON.parse(row.value));
      const value = update(before === undefined ? undefined : JSON.parse(before.value));
      if (value === undefined) continue;
      const graph = before?.graph ?? of?.graph ?? "";
      const row = {
        ...named,
        graph,
        type: of?.type ?? (isPrivate === true ? PRIVATE : ""),
        value: JSON.stringify(value),
        runId,
        updatedAt,
      };
      rows.set(keyOf(row), row);
    } catch (cause) {
      const text = `the field \`${field}\` of ${scope} \`${owner}\` can't be kept: ${messageOf(cause)}`;
      return new RunError("M9000", text, { runId, cause });
    }
  }
  return [...rows.values()];
}
