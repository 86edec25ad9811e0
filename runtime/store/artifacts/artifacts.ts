/** Stores bytes under their sha256, with a row that describes each of them, and reads them back. */
import { createHash } from "node:crypto";
import type { TimerClock } from "../../clock.ts";
import { RunError } from "../../failure.ts";
import { isLocked } from "../database/sqlite-error.ts";
import type { ArtifactRow, BlobEntry, Blobs, Tables } from "../database/tables.ts";
import type { LargeValue } from "../log/pack.ts";
import type { ArtifactInfo, Artifacts } from "../run-store.ts";

/** The artifacts of a store, and the index rows that wait because another process held the database. */
export class ArtifactShelf implements Artifacts {
  readonly #tables: Tables<unknown>;
  readonly #blobs: Blobs;
  readonly #clock: TimerClock;
  #unindexed: { readonly row: ArtifactRow; readonly again: () => void }[] = [];

  constructor(parts: { tables: Tables<unknown>; blobs: Blobs; clock: TimerClock }) {
    this.#tables = parts.tables;
    this.#blobs = parts.blobs;
    this.#clock = parts.clock;
  }

  put(bytes: Uint8Array, info: ArtifactInfo): { readonly hash: string; readonly bytes: number } {
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.#blobs.put(hash, bytes);
    this.#describe({ hash, bytes: bytes.length }, info, () => this.#blobs.put(hash, bytes));
    return { hash, bytes: bytes.length };
  }

  async putPieces(pieces: Iterable<Uint8Array>, info: ArtifactInfo): Promise<BlobEntry> {
    const put = await this.#blobs.putPieces(pieces);
    this.#describe(put, info, () => {
      if (!this.#blobs.touch(put.hash)) this.#blobs.put(put.hash, Buffer.concat([...pieces]));
    });
    return put;
  }

  #describe({ hash, bytes }: BlobEntry, info: ArtifactInfo, again: () => void): void {
    const { kind, mime, producer = null } = info;
    const row = { hash, bytes, kind, mime, producer, createdAt: this.#clock.now() };
    this.#unindexed.push({ row, again });
    this.#tryIndex();
  }

  get(hash: string): Uint8Array {
    const bytes = this.#blobs.get(hash);
    if (bytes === undefined) throw artifactError(hash, "is missing");
    const found = createHash("sha256").update(bytes).digest("hex");
    if (found !== hash) throw artifactError(hash, "is damaged: its content has another hash");
    return bytes;
  }

  info(hash: string): ArtifactInfo | undefined {
    const waiting = this.#unindexed.find(({ row }) => row.hash === hash);
    const row = waiting?.row ?? this.#tables.artifactRow(hash);
    if (row === undefined) return undefined;
    const { kind, mime, producer } = row;
    return producer === null ? { kind, mime } : { kind, mime, producer };
  }

  /**
   * Inside a transaction: writes the index rows that wait; `forget` them once it is committed. Whoever cleans up does so
   * in a transaction too: bytes that went between our write and this come back, others count as new from here.
   */
  index(): void {
    for (const { row, again } of this.#unindexed) {
      again();
      this.#tables.putArtifact(row);
    }
  }

  forget(): void {
    this.#unindexed = [];
  }

  /** The bytes are safe already and found without the index, so a locked database only makes the row late. */
  #tryIndex(): void {
    try {
      this.#tables.transact({ synced: false, waitMs: 0 }, () => this.index());
      this.forget();
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
  }
}

/** The index row of a value that stands beside its record. */
export function largeValueRow(
  runId: string,
  { hash, bytes }: LargeValue,
  createdAt: number,
): ArtifactRow {
  const is = { kind: "value", mime: "application/json" };
  return { hash, bytes: bytes.length, ...is, producer: runId, createdAt };
}

function artifactError(hash: string, what: string): RunError {
  return new RunError("M5109", `artifact \`${hash}\` ${what}`, {
    hint: "restore the file under .madrigal/artifacts from a copy; the rest of the run can be read without it",
  });
}
