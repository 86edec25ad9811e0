/** Changes the lasting fields of a thread or a user while no run of the thread is under way. */
import { RunError } from "../../failure.ts";
import { isJsonEqual } from "../../state/json.ts";
import type { KeptRow, Tables } from "../database/tables.ts";
import { lockWaitMs } from "../log/group-commit.ts";
import type { KeptChange, KeptField, RunSummary } from "../run-store.ts";
import { heldThreadError } from "./thread-holder.ts";

interface ChangeParts {
  readonly tables: Tables<unknown>;
  readonly now: number;
  /** Those of the thread. */
  readonly runs: () => readonly RunSummary[];
}

export function changeKept({ tables, now, runs }: ChangeParts, change: KeptChange): void {
  const { scope, owner, before, after } = change;
  tables.transact({ synced: true, waitMs: lockWaitMs }, () => {
    const held =
      scope === "thread" ? heldThreadError({ runId: "", threadId: owner }, runs()) : undefined;
    if (held !== undefined) throw held;
    const rows = tables.keptRows(scope, owner);
    assertUnchanged(rows, change);
    tables.deleteKept(scope, owner);
    for (const { field, graph, type, value } of after) {
      const known = before.find((one) => one.field === field && one.graph === graph);
      const isSame = known !== undefined && isJsonEqual(known.value, value);
      const { runId, updatedAt } = isSame ? known : { runId: "", updatedAt: now };
      const text = JSON.stringify(value);
      tables.putKept({ scope, owner, field, graph, type, value: text, runId, updatedAt });
    }
  });
}

/** Somebody may have written since the values were read that the change was made of. */
function assertUnchanged(rows: readonly KeptRow[], { scope, owner, before }: KeptChange): void {
  const isThere = (one: KeptField) =>
    rows.some(
      ({ field, graph, value }) =>
        field === one.field && graph === one.graph && isJsonEqual(JSON.parse(value), one.value),
    );
  if (rows.length === before.length && before.every(isThere)) return;
  throw new RunError("M5358", `what ${scope} \`${owner}\` keeps was changed meanwhile`, {
    hint: "nothing was changed; read it again, then repeat the change",
  });
}
