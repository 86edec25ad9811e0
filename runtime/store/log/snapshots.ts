/** Stores snapshots of runs, which are derived from their logs: a failure to store or read one never fails a run. */
import { createHash } from "node:crypto";
import type { SnapshotPlace, SnapshotRow, Tables } from "../database/tables.ts";
import type { Snapshots, StoredSnapshot } from "../run-store.ts";

/** About as many as there are of a small record in the log. */
const CHARACTERS_A_RECORD = 64;

export class SnapshotBox implements Snapshots {
  readonly #tables: Tables<unknown>;

  constructor({ tables }: { readonly tables: Tables<unknown> }) {
    this.#tables = tables;
  }

  get(runId: string): StoredSnapshot | undefined {
    return this.#read(runId, () => this.#tables.snapshot(runId));
  }

  before(runId: string, place: SnapshotPlace): StoredSnapshot | undefined {
    return this.#read(runId, () => this.#tables.snapshotBefore(runId, place));
  }

  put(runId: string, { text, ...of }: StoredSnapshot): void {
    const { tables, row } = { tables: this.#tables, row: { ...of, runId, content: text } };
    try {
      tables.transact({ synced: false, waitMs: 0 }, () => {
        const lastSeq = tables.run(runId)?.lastSeq ?? -1;
        if (of.seq > lastSeq) return;
        this.#thin(runId);
        tables.putSnapshot({ ...row, hash: hashOf(row) });
      });
    } catch {
      // The log is what counts, and its next flush says what is wrong.
    }
  }

  #read(runId: string, find: () => SnapshotRow | undefined): StoredSnapshot | undefined {
    try {
      const row = find();
      if (row === undefined || row.hash !== hashOf(row)) return undefined;
      const { seq, steps, since, graphHash, layout, content: text } = row;
      // A power cut may have left less of the log than there was when this was made.
      if (seq > (this.#tables.run(runId)?.lastSeq ?? -1)) return undefined;
      return { seq, steps, since, graphHash, layout, text };
    } catch {
      // Whoever asks reads the log next, and is told there what is wrong with the file.
      return undefined;
    }
  }

  /** Lets the last one go, where it is longer than what the log has between the one before it and it. */
  #thin(runId: string): void {
    const [last, earlier] = this.#tables.snapshotLengths(runId);
    if (last === undefined) return;
    const records = last.seq - (earlier?.seq ?? -1);
    if (last.length > records * CHARACTERS_A_RECORD) this.#tables.deleteSnapshot(runId, last.seq);
  }
}

function hashOf(row: Omit<SnapshotRow, "hash">): string {
  const { runId, seq, steps, since, graphHash, layout, content } = row;
  const text = JSON.stringify([runId, seq, steps, since, graphHash, layout]);
  return createHash("sha256").update(text).update(content).digest("hex");
}
