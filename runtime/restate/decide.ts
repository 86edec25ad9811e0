/**
 * Decides on what happened to a run, and on all that follows from that at once. It is the loop of the embedded engine as a
 * function from one position to the next, so that a durable handler can call it and then do what it lists.
 */
import type { Acknowledgement } from "../attempt/post-completion.ts";
import { answerOf } from "../engine/mailbox-entry.ts";
import { type Failure, messageOf } from "../failure.ts";
import { standsStill } from "../history/standstill.ts";
import { type LoggedCall, type LogRecord, numberRecord } from "../records/records.ts";
import { type Advance, advance, isDeferred, type Start } from "../scheduler/advance.ts";
import { outputToJudge } from "../scheduler/call-graph.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import type { Program } from "../scheduler/program/program.ts";
import { waitResult } from "../scheduler/program/wait-nodes.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { AttemptName } from "./messages.ts";

/** The position of a run before a turn. */
export interface TurnStart {
  readonly program: Program;
  readonly snapshot: Snapshot;
  /** The number of the next record. */
  readonly next: number;
  /** Completions that wait until the run may go on. */
  readonly waiting: readonly Completion[];
}

export interface DecideTools {
  /** Makes the calls of TypeScript that a decision needs. */
  readonly call: (needed: CallNeeded) => Promise<readonly LoggedCall[]>;
  /** Takes what may not be stored out of completions and records. */
  readonly redact: <T extends LogRecord | Completion>(part: T) => T;
}

/** The next position, and what is to be done about it. */
export interface DecidedTurn {
  readonly snapshot: Snapshot;
  readonly records: readonly LogRecord[];
  readonly waiting: readonly Completion[];
  /** Answers the completion that was decided on first; undefined where that one waits. */
  readonly acknowledgement: Acknowledgement | undefined;
  /** Attempts to perform now. */
  readonly attempts: readonly AttemptName[];
  /** Attempts that begin at a later time. */
  readonly later: readonly Required<Start>[];
  readonly timers: readonly Timer[];
  /** Node runs whose attempts, deadlines and later starts are over. */
  readonly cancels: readonly number[];
}

/** A fault of Madrigal in a decision: to decide again would come to the same. */
export class DecisionFault extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = "DecisionFault";
  }
}

/** Calls are made one after another, in the order in which decisions need them: whoever repeats the turn asks for the same. */
export async function decideTurn(
  position: TurnStart,
  first: Completion,
  tools: DecideTools,
): Promise<DecidedTurn> {
  const turn = new OpenTurn(position, tools);
  await turn.take(first);
  return turn.result();
}

class OpenTurn {
  readonly #program: Program;
  readonly #tools: DecideTools;
  #snapshot: Snapshot;
  readonly #next: number;
  readonly #records: LogRecord[] = [];
  #waiting: readonly Completion[];
  readonly #attempts = new Map<number, AttemptName>();
  readonly #later = new Map<number, Required<Start>>();
  readonly #timers: Timer[] = [];
  readonly #cancels = new Set<number>();
  #acknowledgement: Acknowledgement | undefined;

  constructor({ program, snapshot, next, waiting }: TurnStart, tools: DecideTools) {
    this.#program = program;
    this.#tools = tools;
    this.#snapshot = snapshot;
    this.#next = next;
    this.#waiting = waiting;
  }

  async take(first: Completion): Promise<void> {
    const queue: Completion[] = [first];
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      if (isDeferred(this.#snapshot, one)) {
        if (isKept(one)) this.#waiting = [...this.#waiting, one];
        continue;
      }
      const result = await this.#decided(one);
      this.#log(result, one);
      if (result.deferred === true) {
        if (isKept(one)) this.#waiting = [...this.#waiting, one];
      } else {
        if (one === first) this.#acknowledgement = answerOf(result);
        if (one.kind === "started") queue.push(...this.#begun(one, result));
      }
      queue.push(...this.#follow(result, one.at));
      if (standsStill(this.#snapshot)) return this.#rest();
      queue.unshift(...this.#released());
    }
  }

  result(): DecidedTurn {
    return {
      snapshot: this.#snapshot,
      records: this.#records,
      waiting: this.#waiting,
      acknowledgement: this.#acknowledgement,
      attempts: [...this.#attempts.values()],
      later: [...this.#later.values()],
      timers: this.#timers,
      cancels: [...this.#cancels],
    };
  }

  async #decided(given: Completion): Promise<Advance> {
    // Clocks of several workers differ; the times of a log never go back.
    const at = Math.max(given.at, this.#snapshot.lastAt);
    let completion = this.#tools.redact({ ...given, at });
    for (;;) {
      try {
        return advance(this.#program, this.#snapshot, completion);
      } catch (error) {
        const made = await this.#tools.call(neededIn(error));
        completion = { ...completion, calls: [...(completion.calls ?? []), ...made] };
      }
    }
  }

  #log({ records, snapshot }: Advance, { at }: Completion): void {
    const time = Math.max(at, this.#snapshot.lastAt);
    for (const body of records) {
      const seq = this.#next + this.#records.length;
      this.#records.push(this.#tools.redact(numberRecord(body, seq, time)));
    }
    this.#snapshot = snapshot;
  }

  #follow({ starts, cancels, timers }: Advance, at: number): readonly Completion[] {
    for (const id of cancels) this.#cancel(id);
    this.#timers.push(...timers);
    const now: Completion[] = [];
    for (const { id, attempt, notBefore } of starts) {
      if (notBefore !== undefined && notBefore > at)
        this.#later.set(id, { id, attempt, notBefore });
      else now.push({ kind: "started", id, attempt, at });
    }
    return now;
  }

  #cancel(id: number): void {
    this.#attempts.delete(id);
    this.#later.delete(id);
    this.#cancels.add(id);
  }

  /** An attempt that the scheduler has let begin; some are over with that. */
  #begun(
    { id, attempt, at }: Completion & { readonly kind: "started" },
    result: Advance,
  ): readonly Completion[] {
    if (!answerOf(result).taken) return [];
    const located = locate(this.#program, this.#snapshot, id);
    if (located === undefined) return [];
    const { run, program } = located;
    if (run.source !== undefined) return [{ kind: "failed", id, attempt, failure: noStreams, at }];
    const node = program.nodes[run.node];
    if (node?.isWait === true)
      return [{ kind: "succeeded", id, attempt, output: waitResult(run), at }];
    // The graph that it calls has begun: its nodes have attempts of their own.
    const isCall = node?.called !== undefined && outputToJudge(located) === undefined;
    if (!isCall) this.#attempts.set(id, { id, attempt });
    return [];
  }

  /** Takes the completions that need wait no longer. */
  #released(): readonly Completion[] {
    const due = this.#waiting.filter((one) => !isDeferred(this.#snapshot, one));
    if (due.length > 0) this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    return due;
  }

  /** Nothing is under way any more. */
  #rest(): void {
    this.#attempts.clear();
    this.#later.clear();
    this.#waiting = [];
  }
}

function neededIn(error: unknown): CallNeeded {
  if (error instanceof CallNeeded) return error;
  throw new DecisionFault(error);
}

/** An attempt that asks is begun again when the run may go on, and asks again; of what else happened nobody tells a second time. */
function isKept({ kind }: Completion): boolean {
  return kind === "started" || kind === "succeeded" || kind === "failed";
}

const noStreams: Failure = {
  class: "tool",
  code: "M5803",
  message: "an `each` reads a stream, and a run on Restate can't",
  hint: "run the graph without Restate, or give `each` a list",
};
