/**
 * The run of a test: the scheduler and the performers of real runs, one attempt at a time in the order in which they
 * became due, in a time that passes only when nothing is left to do. Nothing is stored.
 */

import type { EachIr, Ir, TargetIr } from "../../dsl/index.ts";
import type { CallFunction } from "../agents/functions/call-function.ts";
import type { AttemptHost } from "../attempt/attempt-host.ts";
import { performAttempt } from "../attempt/perform-attempt.ts";
import { EachStreams, type OfferedStreams } from "../attempt/streams.ts";
import { type MakeCall, withCalls } from "../attempt/with-calls.ts";
import { Cancellation } from "../cancellation.ts";
import { type Clock, systemClock } from "../clock.ts";
import { answerOf } from "../engine/mailbox-entry.ts";
import { Journal } from "../history/journal.ts";
import type { Performer } from "../performer.ts";
import { type LogRecord, numberRecord } from "../records/records.ts";
import { type Advance, advance, type Start } from "../scheduler/advance.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Functions } from "../scheduler/expressions/calls.ts";
import { stepsTaken } from "../scheduler/limits.ts";
import { link } from "../scheduler/program/link.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { ArrowCounts } from "./coverage.ts";

const UNINTERRUPTED_MAX = 64;

export interface ScriptedRunOptions {
  readonly performer: Performer;
  /** The results of functions that expressions call. */
  readonly functions: Functions;
  /** Makes the calls that are not among them: of reducers, and of functions without a script. */
  readonly call: CallFunction;
  /** The streams that such calls gave. */
  readonly offered: OfferedStreams;
  /** Returns whether the run can't continue because its performer found a node that it can't perform. */
  readonly isStopped: () => boolean;
  readonly stepsMax: number;
  readonly signal?: AbortSignal;
}

export class ScriptedRun {
  readonly program: Program;
  readonly records: LogRecord[] = [];
  readonly arrows = new ArrowCounts();
  readonly #options: ScriptedRunOptions;
  readonly #journal = Journal.of([]);
  readonly #cancellation: Cancellation;
  readonly #streams: EachStreams;
  #snapshot: Snapshot = emptySnapshot();
  #now = 0;
  #due: Start[] = [];
  #later: (Timer | Start)[] = [];
  #isEndless = false;
  /** The arrows of the decision that is being made. */
  #tookNow: [outlet: number, to: TargetIr | EachIr][] = [];

  constructor(ir: Ir, options: ScriptedRunOptions) {
    const { nodes, ...linked } = link(ir);
    // A graph that is called says what its script says, like any other node.
    const scripted = nodes.map(({ called: _, ...node }) => node);
    const tookArrow: Program["tookArrow"] = (outlet, to) => this.#tookNow.push([outlet, to]);
    this.program = { ...linked, nodes: scripted, functions: options.functions, tookArrow };
    this.#options = options;
    const call: MakeCall = (one) => options.call(one, this.#cancellation);
    this.#streams = new EachStreams({ offered: options.offered, clock: this.#clock, call });
    const { signal } = options;
    this.#cancellation = signal === undefined ? new Cancellation() : Cancellation.of(signal);
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** It took more steps than a test may. */
  get isEndless(): boolean {
    return this.#isEndless;
  }

  /** Runs to the end, or until it can't go on. Rejects only when it is called off. */
  async run(input: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      await this.#run(input);
    } finally {
      await this.#streams.close();
    }
  }

  async #run(input: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#take({ kind: "begin", input, at: this.#now });
    for (
      let turn = 1;
      this.#snapshot.status === "running" && !this.#options.isStopped();
      turn += 1
    ) {
      this.#options.signal?.throwIfAborted();
      this.#isEndless = stepsTaken(this.#snapshot) >= this.#options.stepsMax;
      if (this.#isEndless) return;
      // Else nothing but the run would happen: no timer, no signal.
      if (turn % UNINTERRUPTED_MAX === 0) await new Promise((go) => setImmediate(go));
      const start = this.#due.shift();
      if (start !== undefined) await this.#attempt(start);
      else if (!(await this.#leap())) throw new Error("M9000: a test's run waits for nothing");
    }
    // What was cancelled has failed with it.
    this.#options.signal?.throwIfAborted();
  }

  async #attempt(start: Start): Promise<void> {
    const located = locate(this.program, this.#snapshot, start.id);
    const completion =
      located?.run.source === undefined
        ? await this.#performed(start)
        : await this.#streams.completion(located, start, this.#cancellation);
    if (completion !== undefined && !this.#options.isStopped()) await this.#take(completion);
  }

  #performed(start: Start): Promise<Completion | undefined> {
    return new Promise((ended, failed) => {
      performAttempt(this.#host(failed), start, { cancellation: this.#cancellation, ended });
    });
  }

  /** To the next time at which something is due. */
  async #leap(): Promise<boolean> {
    const [next] = this.#later.sort((a, b) => timeOf(a) - timeOf(b));
    if (next === undefined) return false;
    this.#later = this.#later.slice(1);
    this.#now = Math.max(this.#now, timeOf(next));
    if ("due" in next) await this.#take({ kind: "timer", timer: next, at: this.#now });
    else this.#due.push(next);
    return true;
  }

  async #take(completion: Completion): Promise<Advance> {
    const { call } = this.#options;
    const result = await withCalls(
      (calls) => {
        // A decision is made anew with the results of the calls that it needs.
        this.#tookNow = [];
        return advance(this.program, this.#snapshot, { ...completion, calls });
      },
      (needed) => call(needed, this.#cancellation),
    );
    this.#snapshot = result.snapshot;
    for (const [outlet, to] of this.#tookNow) this.arrows.note(outlet, to);
    for (const body of result.records) {
      const record = numberRecord(body, this.records.length, completion.at);
      this.records.push(record);
      this.#journal.note(record);
    }
    this.#later.push(...result.timers);
    for (const start of result.starts) {
      if ((start.notBefore ?? 0) > this.#now) this.#later.push(start);
      else this.#due.push(start);
    }
    return result;
  }

  /** `failed` is told where a letter comes to nothing: only a run that is called off has such. */
  #host(failed: (error: unknown) => void): AttemptHost {
    return {
      program: this.program,
      runId: "test",
      clock: this.#clock,
      performer: this.#options.performer,
      journal: this.#journal,
      snapshot: () => this.#snapshot,
      post: (completion, answer) => {
        this.#take(completion).then((result) => answer(answerOf(result)), failed);
      },
      call: (needed) => this.#options.call(needed, this.#cancellation),
      flush: async () => {},
      transient: () => {},
    };
  }

  /** The clock of the run; waiting for functions that are really called takes no time of the run. */
  readonly #clock: Clock = { ...systemClock, now: () => this.#now };
}

function timeOf(what: Timer | Start): number {
  return "due" in what ? what.due : (what.notBefore ?? 0);
}
