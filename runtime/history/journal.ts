/** Keeps the effects of open node runs, by attempt, which are served instead of a second call. */

import { doubtNumber } from "../attempt/doubt-number.ts";
import type { Sent } from "../envelope.ts";
import type { EffectResult } from "../performer.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import type { Renumbered } from "../records/control-records.ts";
import type {
  AnswerRecord,
  EndRecord,
  InterruptRecord,
  LogRecord,
  RecordBody,
} from "../records/records.ts";
import { pathOf } from "./log-path.ts";

/** A call that was asked for, and when. */
export interface BegunCall {
  readonly intent: IntentRecord;
  readonly at?: number;
  /** The number of its record. */
  readonly seq: number;
}

interface JournalEntry extends BegunCall {
  outcome?: OutcomeRecord;
}

/** A question of an attempt, its answer, and who waits for that. */
interface OpenQuestion {
  readonly interrupt: InterruptRecord;
  readonly seq: number;
  answer?: AnswerRecord;
  /** Set where it was open when another process went on with the run. */
  outlived?: true;
  readonly waiting: ((answer: AnswerRecord) => void)[];
}

/** A log whose beginning is not at hand. */
export interface JournalCut {
  /** The records from the first on that a node run which was open at the cut can ask for. */
  readonly records: readonly LogRecord[];
  /** Returns whether these records contain everything of a node run. */
  readonly isWhole: (id: number) => boolean;
  /** The log up to the cut. */
  readonly before: () => readonly LogRecord[];
  /** The records of one node run up to the cut, where they are near it. */
  readonly of?: (id: number) => readonly LogRecord[] | undefined;
}

export class Journal {
  readonly #runs = new Map<number, Map<number, JournalEntry[]>>();
  /** Questions of attempts, by node run, then by attempt and number. */
  readonly #asked = new Map<number, Map<string, OpenQuestion>>();
  /** The end of the latest graph that a node run has called, and the attempt that waits for it. */
  readonly #ends = new Map<number, EndRecord>();
  readonly #ending = new Map<number, (end: EndRecord) => void>();
  /** The number of the last record that paused the run. */
  #pausedAt = -1;
  /** The place at which the log was cut, until the records before it have been read. */
  #cut: JournalCut | undefined;
  /** The node runs whose records before the cut have been read. */
  readonly #recalled = new Set<number>();

  /** Without what rewinds undid: those calls are made again. */
  static of(records: readonly LogRecord[]): Journal {
    return Journal.#replayed(pathOf(records));
  }

  static #replayed(path: readonly LogRecord[]): Journal {
    const journal = new Journal();
    for (const record of path) journal.note(record);
    return journal;
  }

  /** Makes the journal of a log of which only the end is read at first. */
  static behind(cut: JournalCut): Journal {
    const journal = new Journal();
    for (const record of cut.records) journal.note(record);
    for (const id of journal.#runs.keys()) if (!cut.isWhole(id)) journal.#runs.delete(id);
    for (const id of journal.#asked.keys()) if (!cut.isWhole(id)) journal.#asked.delete(id);
    journal.#cut = cut;
    return journal;
  }

  note(record: RecordBody | LogRecord): void {
    const of = "at" in record ? { at: record.at, seq: record.seq } : { seq: 0 };
    this.#note(record, of);
  }

  /** The first record with a call or a question of one of these node runs; undefined where there is none. */
  since(ids: Iterable<number>): number | undefined {
    let since: number | undefined;
    for (const id of ids) {
      this.#recall(id);
      const entries = [...(this.#runs.get(id)?.values() ?? [])].flat();
      for (const { seq } of [...entries, ...(this.#asked.get(id)?.values() ?? [])]) {
        since = Math.min(since ?? seq, seq);
      }
    }
    return since;
  }

  #note(record: RecordBody, of: Numbered): void {
    // Later calls follow those that it has of earlier records.
    if (this.#cut !== undefined && isOfAttempt(record)) this.#recall(record.id);
    switch (record.kind) {
      case "sub":
        this.#note(record.record, of);
        if (record.record.kind === "run") this.#ends.delete(record.id);
        if (record.record.kind === "end") this.#ended(record.id, record.record);
        break;
      case "intent":
        this.#begin(record, of);
        break;
      case "outcome": {
        const entry = this.#attempt(record.id, record.attempt)[record.call];
        if (entry !== undefined) entry.outcome = record;
        break;
      }
      case "interrupt":
        // A question that is asked once more is the one that the attempt waits for already.
        if (record.call !== undefined && (record.passed ?? record.given) === undefined)
          this.#ask(record, record.call, of.seq);
        break;
      case "answer":
        this.#answer(record);
        break;
      case "commit":
        // What was said to a model may be asked for again, as the history of a later run of the node.
        if (!this.#isTalk(record.id)) this.#runs.delete(record.id);
        this.#asked.delete(record.id);
        this.#ends.delete(record.id);
        break;
      case "control":
        if (record.verb === "pause") this.#pausedAt = of.seq;
        if (record.verb === "rewind") this.#renumber(record.renumbered);
        if (record.verb === "resume") this.#outlive();
        break;
      default:
    }
  }

  intent(id: number, attempt: number, call: number): IntentRecord | undefined {
    return this.begun(id, attempt, call)?.intent;
  }

  begun(id: number, attempt: number, call: number): BegunCall | undefined {
    return this.#of(id)?.get(attempt)?.[call];
  }

  /** Returns whether the run was paused after this call had begun, which cancels a call that is under way. */
  wasPausedAfter({ seq }: BegunCall): boolean {
    return this.#pausedAt > seq;
  }

  outcome(id: number, attempt: number, call: number): OutcomeRecord | undefined {
    return this.#of(id)?.get(attempt)?.[call]?.outcome;
  }

  /** The calls of a node run up to this attempt, with it: by attempt, each in its order. */
  callsUpTo(id: number, last: number): readonly Readonly<JournalEntry>[] {
    const attempts = [...(this.#of(id)?.entries() ?? [])];
    return attempts
      .filter(([attempt]) => attempt <= last)
      .sort(([a], [b]) => a - b)
      .flatMap(([, entries]) => entries);
  }

  /** Returns whether an external call behind this one was begun and has no outcome. */
  hasOpenExternal(id: number, attempt: number, call: number): boolean {
    const behind =
      this.#of(id)
        ?.get(attempt)
        ?.slice(call + 1) ?? [];
    return behind.some((entry) => entry?.intent.external === true && entry.outcome === undefined);
  }

  /** Returns whether a question that was asked after this call had begun was open when the process that asked it ended. */
  wasAsking(id: number, attempt: number, call: number): boolean {
    const begun = this.#of(id)?.get(attempt)?.[call];
    if (begun === undefined) return false;
    return [...(this.#asked.get(id)?.values() ?? [])].some(
      ({ interrupt, seq, answer, outlived }) =>
        interrupt.attempt === attempt &&
        interrupt.ask !== "doubt" &&
        seq > begun.seq &&
        (outlived === true || answer === undefined),
    );
  }

  /** Returns whether an attempt has asked something that nobody has answered. */
  isAsking(id: number, attempt: number): boolean {
    const questions = [...(this.#asked.get(id)?.values() ?? [])];
    return questions.some((one) => one.interrupt.attempt === attempt && one.answer === undefined);
  }

  /** An attempt of a node run was given up while it waited: its questions count as those of a process that is gone. */
  outlived(id: number): void {
    for (const one of this.#asked.get(id)?.values() ?? []) one.outlived = true;
  }

  /** The question that an attempt asked at this place, with its answer once it has one. */
  asked(id: number, attempt: number, call: number): Readonly<OpenQuestion> | undefined {
    this.#recall(id);
    return this.#asked.get(id)?.get(`${attempt}/${call}`);
  }

  /** Resolves with the answer to a question that was asked. */
  answer(asked: Readonly<OpenQuestion>): Promise<AnswerRecord> {
    if (asked.answer !== undefined) return Promise.resolve(asked.answer);
    return new Promise((resolve) => asked.waiting.push(resolve));
  }

  /** Resolves with the end of the latest graph that a node run has called. */
  calledEnd(id: number): Promise<EndRecord> {
    const end = this.#ends.get(id);
    if (end !== undefined) return Promise.resolve(end);
    return new Promise((resolve) => this.#ending.set(id, resolve));
  }

  #ended(id: number, end: EndRecord): void {
    this.#ends.set(id, end);
    this.#ending.get(id)?.(end);
    this.#ending.delete(id);
  }

  #begin(intent: IntentRecord, of: Numbered): void {
    const { id, attempt, call } = intent;
    this.#attempt(id, attempt)[call] = { intent, ...of };
    // Whatever was said of an earlier try of this call says nothing of this one.
    this.#asked.get(id)?.delete(`${attempt}/${doubtNumber(call)}`);
  }

  #outlive(): void {
    for (const questions of this.#asked.values())
      for (const one of questions.values()) if (one.answer === undefined) one.outlived = true;
  }

  #ask(interrupt: InterruptRecord, call: number, seq: number): void {
    const questions = this.#asked.get(interrupt.id) ?? new Map<string, OpenQuestion>();
    this.#asked.set(interrupt.id, questions);
    questions.set(`${interrupt.attempt}/${call}`, { interrupt, seq, waiting: [] });
  }

  #answer(record: AnswerRecord): void {
    if (record.call === undefined) return;
    const asked = this.#asked.get(record.id)?.get(`${record.attempt}/${record.call}`);
    if (asked === undefined || asked.interrupt.interrupt !== record.interrupt) return;
    asked.answer = record;
    for (const resolve of asked.waiting.splice(0)) resolve(record);
  }

  /** The effects of the attempts from `first` up to, without, `before`: the conversation a repair goes on with. */
  session(id: number, first: number, before: number): readonly EffectResult[] {
    const attempts = [...(this.#of(id)?.entries() ?? [])];
    return attempts
      .filter(([attempt]) => attempt >= first && attempt < before)
      .sort(([a], [b]) => a - b)
      .flatMap(([, entries]) => entries.map(resultOf));
  }

  /** The attempts of a node run, out of the beginning of the log where they are only there. */
  #of(id: number): Map<number, JournalEntry[]> | undefined {
    this.#recall(id);
    return this.#runs.get(id);
  }

  #recall(id: number): void {
    const cut = this.#cut;
    if (cut === undefined || cut.isWhole(id) || this.#recalled.has(id)) return;
    const own = cut.of?.(id);
    if (own === undefined) this.#recallAll(cut);
    else this.#takeOver(Journal.#replayed(own), (run) => run === id);
    this.#recalled.add(id);
  }

  #recallAll(cut: JournalCut): void {
    this.#cut = undefined;
    const isMissing = (run: number) => !cut.isWhole(run) && !this.#recalled.has(run);
    this.#takeOver(Journal.of(cut.before()), isMissing);
  }

  #takeOver(earlier: Journal, isMissing: (id: number) => boolean): void {
    for (const [run, attempts] of earlier.#runs) {
      if (isMissing(run)) this.#runs.set(run, attempts);
    }
    for (const [run, asked] of earlier.#asked) if (isMissing(run)) this.#asked.set(run, asked);
  }

  #isTalk(id: number): boolean {
    const attempts = this.#runs.get(id);
    if (attempts === undefined) return false;
    const isModels = ({ intent }: JournalEntry) => intent.effect === "model";
    return attempts.values().some((entries) => entries.some(isModels));
  }

  #renumber(renumbered: readonly Renumbered[]): void {
    for (const { from, id } of renumbered) {
      const attempts = this.#runs.get(from);
      if (attempts !== undefined) this.#runs.set(id, attempts);
      this.#runs.delete(from);
      const questions = this.#asked.get(from);
      if (questions !== undefined) this.#asked.set(id, questions);
      this.#asked.delete(from);
    }
  }

  #attempt(id: number, attempt: number): JournalEntry[] {
    const attempts = this.#runs.get(id) ?? new Map<number, JournalEntry[]>();
    this.#runs.set(id, attempts);
    const entries = attempts.get(attempt) ?? [];
    attempts.set(attempt, entries);
    return entries;
  }
}

function isOfAttempt(record: RecordBody): record is RecordBody & { readonly id: number } {
  const { kind } = record;
  const isCall = kind === "intent" || kind === "outcome" || kind === "commit";
  return isCall || kind === "interrupt" || kind === "answer";
}

/** The time and the log number of a record. */
interface Numbered {
  readonly at?: number;
  readonly seq: number;
}

function resultOf({ intent, outcome }: JournalEntry): EffectResult {
  const { effect, name, request, toolCallId } = intent;
  return {
    effect,
    name,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(intent.steers === undefined ? {} : { heard: intent.steers.map(saidIn) }),
    ...(request === undefined ? {} : { request }),
    ...(outcome?.value === undefined ? {} : { value: outcome.value }),
    ...(outcome?.failure === undefined ? {} : { failure: outcome.failure }),
  };
}

function saidIn({ payload }: Sent): string {
  return String(payload);
}
