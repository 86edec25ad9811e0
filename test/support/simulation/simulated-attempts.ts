/** The lives of simulated attempts: what they ask, the calls that they make or are served, and their ends. */

import { doubtNumber } from "../../../runtime/attempt/doubt-number.ts";
import {
  endOfAttempt,
  lastingPlace,
  questionsOf,
} from "../../../runtime/explore/simulated-attempt.ts";
import type {
  SimulatedCall,
  Simulation,
  SimulationOptions,
} from "../../../runtime/explore/simulation.ts";
import { FailureError } from "../../../runtime/failure.ts";
import { Journal } from "../../../runtime/history/journal.ts";
import type { Answer, Question } from "../../../runtime/interrupt.ts";
import type { LogRecord, StreamNews } from "../../../runtime/records/records.ts";
import type { Located } from "../../../runtime/scheduler/called-snapshots.ts";
import type { StreamSource } from "../../../runtime/scheduler/flow/flow-op.ts";
import { openInterrupt } from "../../../runtime/scheduler/interrupts.ts";
import type { ProgramNode } from "../../../runtime/scheduler/program/program.ts";
import { isJsonEqual } from "../../../runtime/state/json.ts";
import { noUsage } from "../../../runtime/usage.ts";
import type { Visited } from "./simulated-people.ts";

export class SimulatedAttempts {
  readonly #visited: Pick<Visited, "now" | "random" | "snapshot" | "later">;
  readonly #options: SimulationOptions;
  #journal = new Journal();
  #doubts = 0;
  readonly #made = new Map<string, number>();
  readonly #repeated: string[] = [];
  readonly #misserved: string[] = [];

  constructor(
    visited: Pick<Visited, "now" | "random" | "snapshot" | "later">,
    options: SimulationOptions,
  ) {
    this.#visited = visited;
    this.#options = options;
  }

  /** What they came to, by the end. */
  get told(): Pick<Simulation, "made" | "repeated" | "misserved" | "doubts"> {
    const [made, repeated, misserved] = [this.#made, this.#repeated, this.#misserved];
    return { made, repeated, misserved, doubts: this.#doubts };
  }

  note(record: LogRecord): void {
    this.#journal.note(record);
  }

  /** What the log has is all that is known. */
  remember(records: readonly LogRecord[]): void {
    this.#journal = Journal.of(records);
  }

  goOn(located: Located, call: number): void {
    const { id, attempt } = located.run;
    const at = this.#visited.now() + this.#durationOf(located);
    const asked = call === 0 ? this.#ask(located, at) : NOTHING_ASKED;
    if (asked === "waits") return;
    const node = located.program.nodes[located.run.node];
    if (node === undefined || call >= this.#callsOf(node)) {
      const answers = call === 0 ? asked : this.#ask(located, at);
      if (answers === "waits") return;
      this.#visited.later(endOfAttempt(located, at, { ...this.#options, answers }), id);
      return;
    }
    const made = this.#options.call?.(node.ir, call) ?? USUAL_CALL;
    const recorded = this.#journal.outcome(id, attempt, call);
    if (recorded !== undefined) {
      const name = callName(located, call);
      if (!isJsonEqual(recorded.value, cameOf(made, name))) this.#misserved.push(name);
      this.goOn(located, call + 1);
      return;
    }
    const begun = this.#journal.begun(id, attempt, call)?.intent;
    if (begun === undefined) this.#visited.later({ ...intentOf(made), id, attempt, call, at }, id);
    else if (begun.external === true) this.#doubt(located, { made, call, at });
    else this.call(located, call);
  }

  #callsOf({ ir, isWait }: ProgramNode): number {
    const { calls = 0 } = this.#options;
    if (isWait === true) return 0;
    return typeof calls === "number" ? calls : calls(ir);
  }

  /** The process died in the middle of a call to the outside world: a person says what came of it. */
  #doubt(located: Located, { made, call, at }: Doubt): void {
    const { id, attempt } = located.run;
    const shown = { call: made.name, of: callName(located, call) };
    const question: Question = { ask: "doubt", question: `Did \`${made.name}\` happen?`, shown };
    const answer = this.#asked(located, { call: doubtNumber(call), question, at });
    if (answer === undefined) return;
    if (answer.kind === "value") {
      const { effect, name } = made;
      const came = { value: answer.value, durationMs: 0 };
      this.#visited.later({ kind: "outcome", id, attempt, call, effect, name, ...came, at }, id);
    } else if (answer.kind === "approve") {
      this.#visited.later({ ...intentOf(made), id, attempt, call, at }, id);
    } else {
      this.#doubts += 1;
      const message = `it is not known whether \`${made.name}\` took effect`;
      const failure = { class: "denied", code: "M5021", message } as const;
      this.#visited.later({ kind: "failed", id, attempt, failure, at }, id);
    }
  }

  /** Asks the next of an attempt's questions; the answers, once it has all of them. */
  #ask(located: Located, at: number): readonly Answer[] | "waits" {
    const { questions } = this.#options;
    if (questions === undefined) return NOTHING_ASKED;
    const answers: Answer[] = [];
    for (const [call, question] of questionsOf(located, questions).entries()) {
      const answer = this.#asked(located, { call, question, at });
      if (answer === undefined) return "waits";
      answers.push(answer);
    }
    return answers;
  }

  /** What was said to a question; it is asked where it is not open. */
  #asked({ run: { id, attempt } }: Located, { call, question, at }: Asking): Answer | undefined {
    const known = this.#journal.asked(id, attempt, call);
    if (known?.answer !== undefined) return known.answer.answer;
    const isOpen = known && openInterrupt(this.#visited.snapshot(), known.interrupt) !== undefined;
    if (isOpen !== true)
      this.#visited.later({ kind: "interrupt", id, attempt, call, ...question, at }, id);
    return undefined;
  }

  #durationOf({ program, run }: Located): number {
    const { durationMs } = this.#options;
    if (typeof durationMs !== "function") return durationMs ?? this.#visited.random() * 10;
    return durationMs(program.nodes[run.node]?.ir.name ?? "");
  }

  call(located: Located, call: number): void {
    const { id, attempt } = located.run;
    const key = callName(located, call);
    if (this.#journal.outcome(id, attempt, call) !== undefined) this.#repeated.push(key);
    this.#made.set(key, (this.#made.get(key) ?? 0) + 1);
    const durationMs = this.#visited.random() * 100;
    const usage = this.#options.usage ?? { ...noUsage, modelCalls: 1 };
    const at = this.#visited.now() + durationMs;
    const node = located.program.nodes[located.run.node]?.ir;
    const made = (node && this.#options.call?.(node, call)) ?? USUAL_CALL;
    const { effect, name } = made;
    const of = { id, attempt, call, effect, name } as const;
    const kept = made.artifacts === undefined ? {} : { artifacts: made.artifacts(key) };
    const came = { value: cameOf(made, key), ...kept, usage, durationMs };
    this.#visited.later({ kind: "outcome", ...of, ...came, at }, id);
  }
}

interface Asking {
  readonly call: number;
  readonly question: Question;
  readonly at: number;
}

interface Doubt extends Pick<Asking, "call" | "at"> {
  readonly made: SimulatedCall;
}

const NOTHING_ASKED: readonly Answer[] = [];

const USUAL_CALL: SimulatedCall = { effect: "model", name: "rules" };

function intentOf({ effect, name, external, hears }: SimulatedCall) {
  return {
    ...({ kind: "intent", effect, name } as const),
    ...(external === undefined ? {} : { external }),
    ...(hears === undefined ? {} : { hears }),
  };
}

function cameOf({ value }: SimulatedCall, name: string): unknown {
  return value === undefined ? name : value(name);
}

/** A call by its place in the order of the graph, which no crash and no rewind changes. */
function callName(located: Located, call: number): string {
  return `${lastingPlace(located)}:${located.run.attempt}:${call}`;
}

/** The n-th item is the n-th that is asked for: one that failed is asked for again. */
export function newsOf(
  { streams }: SimulationOptions,
  { name, args = [] }: StreamSource,
  attempt: number,
): StreamNews {
  const items = streams?.({ name, args }) ?? [];
  if (attempt > items.length) return { isDone: true };
  const item = items[attempt - 1];
  return item instanceof FailureError ? { failure: item.failure } : { value: item };
}
