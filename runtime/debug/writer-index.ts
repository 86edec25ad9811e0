/** Indexes which steps wrote a field, sent a message or activated a node run, so that a slice of a long run reads them once. */
import type { CommitRecord, LogRecord } from "../records/records.ts";

export type Commit = LogRecord & CommitRecord;

interface IndexedWriter {
  readonly step: number;
  readonly seq: number;
  /** The step of the field's writers from which on what stands there was written. */
  readonly from: number;
}

/** Of every field together. */
const STATE = "state";

export class WriterIndex {
  readonly #commits = new Map<number, Commit>();
  readonly #causes = new Map<number, Commit>();
  readonly #began = new Map<number, number>();
  readonly #senders = new Map<string, number>();
  readonly #writers = new Map<string, IndexedWriter[]>();

  /** Of the records on the path to where a run stands. */
  constructor(records: readonly LogRecord[]) {
    for (const record of records) {
      if (record.kind === "start") this.#began.set(record.id, record.seq);
      if (record.kind === "commit") this.#note(record);
    }
  }

  commitOf(step: number): Commit | undefined {
    return this.#commits.get(step);
  }

  /** The commit behind which a node run was due. */
  causeOf({ id }: Commit): Commit | undefined {
    return this.#causes.get(id);
  }

  /** The record of its last start. */
  beganAt({ id, seq }: Commit): number {
    return this.#began.get(id) ?? seq;
  }

  /** The steps that sent these messages. */
  sendersOf(messages: readonly string[]): readonly number[] {
    const steps = messages.flatMap((id) => this.#senders.get(id) ?? []);
    return [...new Set(steps)].sort((a, b) => a - b);
  }

  /** Since a field was last replaced as a whole, everybody who wrote to it before a record; `state` is every field. */
  writersOf(field: string, before: number): readonly number[] {
    const writers = this.#writers.get(field) ?? [];
    const count = countBefore(writers, before);
    const from = writers[count - 1]?.from ?? 0;
    return writers.slice(from, count).map(({ step }) => step);
  }

  #note(commit: Commit): void {
    const { step, flow, messages = [], patches } = commit;
    this.#commits.set(step, commit);
    for (const op of flow)
      if (op.op === "activate" && !this.#causes.has(op.id)) this.#causes.set(op.id, commit);
    for (const { id } of messages) this.#senders.set(id, step);
    const whole = new Map<string, boolean>();
    for (const { path } of patches) {
      const field = String(path[0]);
      whole.set(field, path.length === 1 || whole.get(field) === true);
    }
    for (const [field, isWhole] of whole) if (field !== STATE) this.#wrote(field, commit, isWhole);
    if (patches.length > 0) this.#wrote(STATE, commit, false);
  }

  #wrote(field: string, { step, seq }: Commit, isWhole: boolean): void {
    const writers = this.#writers.get(field) ?? [];
    const from = isWhole ? writers.length : (writers.at(-1)?.from ?? 0);
    writers.push({ step, seq, from });
    this.#writers.set(field, writers);
  }
}

/** Counts the writers before a record. */
function countBefore(writers: readonly IndexedWriter[], seq: number): number {
  let [low, high] = [0, writers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((writers[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
