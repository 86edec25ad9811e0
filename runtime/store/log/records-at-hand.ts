/** Keeps the newest records of this process in memory, so that its trace need not read them back from the store. */
import type { LogRecord } from "../../records/records.ts";

/** Beyond so many characters of stored text, those of the run that was written first are let go. */
const lengthMax = 16_000_000;

interface HeldRecords {
  records: LogRecord[];
  length: number;
}

/** The records stored last, as they were appended, so that followers of a run in this process need not read them back. */
export class RecordsAtHand {
  readonly #runs = new Map<string, HeldRecords>();
  #length = 0;

  /** Records in the order of the log, behind those given before, and how long they are as text. */
  add(runId: string, records: readonly LogRecord[], length: number): void {
    const held = this.#runs.get(runId) ?? { records: [], length: 0 };
    for (const record of records) held.records.push(record);
    held.length += length;
    this.#length += length;
    this.#runs.set(runId, held);
    for (const first of this.#runs.keys()) {
      if (this.#length <= lengthMax) break;
      this.drop(first);
    }
  }

  /** Those from behind `after` up to `upTo`, if all of them are here; what is held of the run is given out once. */
  take(runId: string, { after, upTo }: { readonly after: number; readonly upTo: number }) {
    const records = this.#runs.get(runId)?.records;
    this.drop(runId);
    const [first, last] = [records?.[0], records?.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    if (first.seq > after + 1 || last.seq !== upTo) return undefined;
    return records?.slice(after + 1 - first.seq);
  }

  drop(runId: string): void {
    this.#length -= this.#runs.get(runId)?.length ?? 0;
    this.#runs.delete(runId);
  }
}
