/** Where runs stood behind a record: derived from their logs, and so never a reason for anything to fail. */
import { createHash } from "node:crypto";
import type { Snapshots, StoredSnapshot } from "./run-store.ts";
import type { SnapshotRow, Tables } from "./tables.ts";

export class SnapshotBox implements Snapshots {
  readonly #tables: Tables<unknown>;

  constructor({ tables }: { readonly tables: Tables<unknown> }) {
    this.#tables = tables;
  }

  get(runId: string): StoredSnapshot | undefined {
    try {
      const row = this.#tables.snapshot(runId);
      if (row === undefined || row.hash !== hashOf(row)) return undefined;
      const { seq, since, graphHash, layout, content: text } = row;
      // A power cut may have left less of the log than there was when this was made.
      if (seq > (this.#tables.run(runId)?.lastSeq ?? -1)) return undefined;
      return { seq, since, graphHash, layout, text };
    } catch {
      // Whoever asks reads the log next, and is told there what is wrong with the file.
      return undefined;
    }
  }

  put(runId: string, { text, ...of }: StoredSnapshot): void {
    const { tables, row } = { tables: this.#tables, row: { ...of, runId, content: text } };
    try {
      tables.transact({ synced: false, waitMs: 0 }, () => {
        const lastSeq = tables.run(runId)?.lastSeq ?? -1;
        if (of.seq <= lastSeq) tables.putSnapshot({ ...row, hash: hashOf(row) });
      });
    } catch {
      // The log is what counts, and its next flush says what is wrong.
    }
  }
}

function hashOf(row: Omit<SnapshotRow, "hash">): string {
  const { runId, seq, since, graphHash, layout, content } = row;
  const text = JSON.stringify([runId, seq, since, graphHash, layout]);
  return createHash("sha256").update(text).update(content).digest("hex");
}
