/** Stores snapshots of runs, which are derived from their logs: a failure to store or read one never fails a run. */
import { createHash } from "node:crypto";
import type { SnapshotPlace, SnapshotRow, Tables } from "../database/tables.ts";
import type { SnapshotChunks, Snapshots, StoredSnapshot } from "../run-store.ts";
import { chunkHash } from "./chunk-bytes.ts";

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

  put(runId: string, { text, ...of }: StoredSnapshot, chunks?: SnapshotChunks): boolean {
    const { tables, row } = { tables: this.#tables, row: { ...of, runId, content: text } };
    try {
      return tables.transact({ synced: false, waitMs: 0 }, () => {
        const lastSeq = tables.run(runId)?.lastSeq ?? -1;
        if (of.seq > lastSeq) return false;
        const gone = this.#thin(runId);
        for (const [hash, content] of chunks?.fresh ?? [])
          tables.putSnapshotChunk({ runId, hash, seq: of.seq, content });
        if (gone !== undefined) this.#inherit(runId, { gone, seq: of.seq, named: chunks?.named });
        tables.putSnapshot({ ...row, hash: hashOf(row) });
        return true;
      });
    } catch {
      // The log is what counts, and its next flush says what is wrong.
      return false;
    }
  }

  chunk(runId: string, hash: string): Uint8Array | undefined {
    try {
      const content = this.#tables.snapshotChunk(runId, hash);
      return content !== undefined && chunkHash(content) === hash ? content : undefined;
    } catch {
      return undefined;
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

  /** Lets the last one go, where it is longer than what the log has between the one before it and it; returns its place. */
  #thin(runId: string): number | undefined {
    const [last, earlier] = this.#tables.snapshotLengths(runId);
    if (last === undefined) return undefined;
    const records = last.seq - (earlier?.seq ?? -1);
    if (last.length <= records * CHARACTERS_A_RECORD) return undefined;
    this.#tables.deleteSnapshot(runId, last.seq);
    return last.seq;
  }

  /** The chunks that the snapshot which went was the first to have are those of the next one, or go. */
  #inherit(
    runId: string,
    of: {
      readonly gone: number;
      readonly seq: number;
      readonly named?: ReadonlySet<string> | undefined;
    },
  ): void {
    for (const hash of this.#tables.chunksOfSnapshot(runId, of.gone)) {
      if (of.named?.has(hash) !== true) this.#tables.deleteSnapshotChunk(runId, hash);
      else this.#tables.moveSnapshotChunk({ runId, hash, seq: of.seq });
    }
  }
}

function hashOf(row: Omit<SnapshotRow, "hash">): string {
  const { runId, seq, steps, since, graphHash, layout, content } = row;
  const text = JSON.stringify([runId, seq, steps, since, graphHash, layout]);
  return createHash("sha256").update(text).update(content).digest("hex");
}
