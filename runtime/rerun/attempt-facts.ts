/** Reads from a log, for each attempt, its calls, its output, its usage and its duration. */

import { Journal } from "../history/journal.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import type { Directions } from "../records/directions.ts";
import { innermost, type LoggedCall, type LogRecord } from "../records/records.ts";
import { addUsage, chargeOf, noUsage, type Usage } from "../usage.ts";

/** One call of an attempt. */
export interface RecordedCall {
  readonly intent: IntentRecord;
  readonly outcome?: OutcomeRecord;
}

export interface AttemptEnd extends Directions {
  readonly output: unknown;
}

/** The facts of an attempt in the log. */
export interface RecordedAttemptFacts {
  readonly calls: readonly RecordedCall[];
  /** Absent where it failed, or never ended. */
  readonly end?: AttemptEnd;
  /** The commit that it ended with, where it did. */
  readonly step?: number;
  readonly usage: Usage;
  /** Without what it waited for answers. */
  readonly ms: number;
}

interface EndFacts {
  readonly at: number;
  readonly end?: AttemptEnd;
  readonly step?: number;
}

/** The facts of each attempt on a path of a log. */
export class AttemptFacts {
  /** With what commits take out of a journal: sessions of attempts that are over. */
  readonly journal = new Journal();
  readonly #calls = new Map<string, { intent: IntentRecord; outcome?: OutcomeRecord }[]>();
  readonly #ends = new Map<string, EndFacts>();
  /** The milliseconds that each node run waited for answers. */
  readonly #waited = new Map<string, number>();

  constructor(path: readonly LogRecord[]) {
    const asked = new Map<string, number>();
    for (const record of path) {
      const made = innermost(record);
      if (made.kind !== "commit") this.journal.note(record);
      if (record.kind === "control" && record.verb === "rewind") this.#rename(record.renumbered);
      if (!("attempt" in made) || !("id" in made)) continue;
      const key = `${made.id}/${made.attempt}`;
      if (made.kind === "intent") this.#callsOf(key)[made.call] = { intent: made };
      if (made.kind === "outcome") {
        const call = this.#callsOf(key)[made.call];
        if (call !== undefined) call.outcome = made;
      }
      if (made.kind === "interrupt") asked.set(made.interrupt, record.at);
      if (made.kind === "answer") {
        const since = asked.get(made.interrupt) ?? record.at;
        this.#waited.set(key, (this.#waited.get(key) ?? 0) + record.at - since);
      }
      const end = endOf(record);
      if (end !== undefined) this.#ends.set(key, { ...end, ...this.#offered(key, end) });
    }
  }

  of(key: string): {
    readonly known: readonly LoggedCall[];
    factsSince(since: number): RecordedAttemptFacts;
  } {
    const calls = this.#callsOf(key);
    const known = calls.flatMap(({ outcome }) => (isLogged(outcome?.value) ? [outcome.value] : []));
    return { known, factsSince: (since) => this.#factsSince(key, since) };
  }

  #factsSince(key: string, since: number): RecordedAttemptFacts {
    const calls = this.#callsOf(key).filter((call) => call !== undefined);
    const { at = since, end, step } = this.#ends.get(key) ?? {};
    const usage = calls.reduce(
      (sum, { outcome }) => (outcome === undefined ? sum : addUsage(sum, chargeOf(outcome))),
      noUsage,
    );
    const ms = Math.max(0, at - since - (this.#waited.get(key) ?? 0));
    return {
      calls,
      usage,
      ms,
      ...(end === undefined ? {} : { end }),
      ...(step === undefined ? {} : { step }),
    };
  }

  /** Adds the output that a person was shown, which an edit may have changed. */
  #offered(key: string, end: EndFacts): Pick<EndFacts, "end"> {
    const ended = this.#ends.get(key)?.end;
    return ended === undefined || end.end === undefined ? {} : { end: ended };
  }

  #callsOf(key: string): { intent: IntentRecord; outcome?: OutcomeRecord }[] {
    const calls = this.#calls.get(key) ?? [];
    this.#calls.set(key, calls);
    return calls;
  }

  /** Node runs that were open at the step of a rewind go on under another number. */
  #rename(renumbered: readonly { readonly from: number; readonly id: number }[]): void {
    const names = new Map(renumbered.map(({ from, id }) => [String(from), id]));
    for (const [key, calls] of [...this.#calls]) {
      const [id = "", attempt = ""] = key.split("/");
      const now = names.get(id);
      if (now !== undefined) this.#calls.set(`${now}/${attempt}`, calls);
    }
  }
}

/** Returns the end of an attempt that a record contains, or the output that it offers. */
function endOf(record: LogRecord): EndFacts | undefined {
  const { at } = record;
  const made = innermost(record);
  switch (made.kind) {
    case "commit": {
      const {
        output = null,
        goto,
        handoff,
        orders,
        judged,
        edits,
        conversation,
        sends,
        step,
      } = made;
      const parts = { output, goto, handoff, orders, judged, edits, conversation, sends };
      return { at, step, end: cameOf(parts) };
    }
    case "attempt":
      return made.ended?.by === "output" ? { at, end: cameOf(made.ended) } : { at };
    case "interrupt":
      return made.ask === "review" || made.ask === "ensure"
        ? { at, end: cameOf({ ...made.came, output: made.shown }) }
        : undefined;
    default:
      return undefined;
  }
}

type AttemptFactsParts = { readonly [M in keyof AttemptEnd]?: AttemptEnd[M] | undefined };

function cameOf({ output, ...end }: AttemptFactsParts): AttemptEnd {
  const { goto, handoff, orders, judged, edits, conversation, sends } = end;
  const parts = { goto, handoff, orders, judged, edits, conversation, sends };
  const there = Object.entries(parts).filter(([, part]) => part !== undefined);
  return { output: output ?? null, ...Object.fromEntries(there) };
}

/** Tells whether a call's value is what a function in an expression came to. */
export function isLogged(value: unknown): value is LoggedCall {
  return typeof value === "object" && value !== null && "key" in value && "name" in value;
}
