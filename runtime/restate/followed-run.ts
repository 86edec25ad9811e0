/** Follows runs in a worker: what attempts see of their run is folded from the records that come with each reply. */
import { Journal } from "../history/journal.ts";
import type { LogRecord } from "../records/records.ts";
import { applyRecord } from "../scheduler/fold.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunMeta } from "../store/run-store.ts";
import type { Ingress } from "./ingress.ts";
import type { LogReply } from "./messages.ts";

export interface RunNews {
  readonly news: readonly LogRecord[];
  readonly lastSeq: number;
}

/** A run as one worker knows it. */
export class FollowedRun {
  readonly meta: RunMeta;
  readonly program: Program;
  readonly journal = new Journal();
  #snapshot: Snapshot = emptySnapshot();
  #lastSeq = -1;
  readonly #ingress: Ingress;

  constructor(meta: RunMeta, program: Program, ingress: Ingress) {
    this.meta = meta;
    this.program = program;
    this.#ingress = ingress;
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Takes the records of a reply, and reads those that it had no room for. */
  async take({ news, lastSeq }: RunNews): Promise<void> {
    this.#fold(news);
    while (this.#lastSeq < lastSeq) {
      const after = this.#lastSeq;
      const { records } = await this.#ingress.run<LogReply>(this.meta.runId, "log", { after });
      this.#fold(records);
      if (this.#lastSeq === after)
        throw new Error(`M9000: the log of ${this.meta.runId} has a gap`);
    }
  }

  /** Replies of several attempts may come in any order: what is known is passed over, what has a gap before it comes again. */
  #fold(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.seq !== this.#lastSeq + 1) continue;
      this.#snapshot = applyRecord(this.program, this.#snapshot, record, record.at);
      this.#lastSeq = record.seq;
      this.journal.note(record);
    }
  }
}
