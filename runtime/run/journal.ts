/** The effects of open node runs, by attempt: what an attempt is served instead of a second call. */
import type { EffectResult } from "../performer.ts";
import type { IntentRecord, LogRecord, OutcomeRecord, RecordBody, Renumbered } from "../records.ts";
import { pathOf } from "./log-path.ts";

interface Entry {
  readonly intent: IntentRecord;
  outcome?: OutcomeRecord;
}

export class Journal {
  readonly #runs = new Map<number, Map<number, Entry[]>>();

  /** Without what rewinds undid: those calls are made again. */
  static of(records: readonly LogRecord[]): Journal {
    const journal = new Journal();
    for (const record of pathOf(records)) journal.note(record);
    return journal;
  }

  note(record: RecordBody): void {
    switch (record.kind) {
      case "sub":
        this.note(record.record);
        break;
      case "intent":
        this.#attempt(record.id, record.attempt)[record.call] = { intent: record };
        break;
      case "outcome": {
        const entry = this.#attempt(record.id, record.attempt)[record.call];
        if (entry !== undefined) entry.outcome = record;
        break;
      }
      case "commit":
        // What was said to a model may be asked for again, as the history of a later run of the node.
        if (!this.#isTalk(record.id)) this.#runs.delete(record.id);
        break;
      case "control":
        if (record.verb === "rewind") this.#renumber(record.renumbered);
        break;
      default:
    }
  }

  intent(id: number, attempt: number, call: number): IntentRecord | undefined {
    return this.#runs.get(id)?.get(attempt)?.[call]?.intent;
  }

  outcome(id: number, attempt: number, call: number): OutcomeRecord | undefined {
    return this.#runs.get(id)?.get(attempt)?.[call]?.outcome;
  }

  /** The effects of the attempts from `first` up to, without, `before`: the conversation a repair goes on with. */
  session(id: number, first: number, before: number): readonly EffectResult[] {
    const attempts = [...(this.#runs.get(id)?.entries() ?? [])];
    return attempts
      .filter(([attempt]) => attempt >= first && attempt < before)
      .sort(([a], [b]) => a - b)
      .flatMap(([, entries]) => entries.map(resultOf));
  }

  #isTalk(id: number): boolean {
    const attempts = [...(this.#runs.get(id)?.values() ?? [])];
    return attempts.some((entries) => entries.some(({ intent }) => intent.effect === "model"));
  }

  #renumber(renumbered: readonly Renumbered[]): void {
    for (const { from, id } of renumbered) {
      const attempts = this.#runs.get(from);
      if (attempts !== undefined) this.#runs.set(id, attempts);
      this.#runs.delete(from);
    }
  }

  #attempt(id: number, attempt: number): Entry[] {
    const attempts = this.#runs.get(id) ?? new Map<number, Entry[]>();
    this.#runs.set(id, attempts);
    const entries = attempts.get(attempt) ?? [];
    attempts.set(attempt, entries);
    return entries;
  }
}

function resultOf({ intent, outcome }: Entry): EffectResult {
  const { effect, name, request, toolCallId } = intent;
  return {
    effect,
    name,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(request === undefined ? {} : { request }),
    ...(outcome?.value === undefined ? {} : { value: outcome.value }),
    ...(outcome?.failure === undefined ? {} : { failure: outcome.failure }),
  };
}
