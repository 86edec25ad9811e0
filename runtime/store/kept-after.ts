import { messageOf, RunError } from "../failure.ts";
import type { KeptWrite } from "./run-store.ts";
import type { KeptRow, Tables } from "./tables.ts";

/** The fields of threads and users as the writes of one flush leave them; M9000 where one of these can't be worked out. */
export function keptAfter(
  tables: Pick<Tables<unknown>, "keptRows">,
  { runId, kept }: { readonly runId: string; readonly kept: readonly KeptWrite[] },
  updatedAt: number,
): readonly KeptRow[] | RunError {
  const rows = new Map<string, KeptRow>();
  for (const { scope, owner, field, update } of kept) {
    const key = JSON.stringify([scope, owner, field]);
    const isIt = (row: KeptRow) => row.field === field;
    const before = rows.get(key) ?? tables.keptRows(scope, owner).find(isIt);
    try {
      const value = update(before === undefined ? undefined : JSON.parse(before.value));
      if (value === undefined) continue;
      rows.set(key, { scope, owner, field, value: JSON.stringify(value), runId, updatedAt });
    } catch (cause) {
      const text = `the field \`${field}\` of ${scope} \`${owner}\` can't be kept: ${messageOf(cause)}`;
      return new RunError("M9000", text, { runId, cause });
    }
  }
  return [...rows.values()];
}
