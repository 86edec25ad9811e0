/**
 * The run of a test: the scheduler and the performers of real runs, one attempt at a time in the order in which they
 * became due, in a time that passes only when nothing is left to do. Nothing is stored. Where orders are explored, all
 * attempts that are due begin, and `choose` says which of them ends next.
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
import { lastingPlace } from "../explore/simulated-attempt.ts";
import { Journal } from "../history/journal.ts";
import type { Answer } from "../interrupt.ts";
import type { Performer } from "../performer.ts";
import { type LogRecord, numberRecord } from "../records/records.ts";
import { type Advance, advance, type Start } from "../scheduler/advance.ts";
import { type Located, labelOf, locate } from "../scheduler/called-snapshots.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Functions } from "../scheduler/expressions/calls.ts";
import { openInterrupts } from "../scheduler/interrupts.ts";
import { stepsTaken } from "../scheduler/limits.ts";
import { link } from "../scheduler/program/link.ts";
import type { Called, Program } from "../scheduler/program/program.ts";
import {
  emptySnapshot,
  type OpenInterrupt,
  type Snapshot,
} from "../scheduler/snapshot/snapshot.ts";
import { ArrowCounts } from "./coverage.ts";

const UNINTERRUPTED_MAX = 64;

/** The turns of the event loop in which a stream gives what it has at hand. */
const TURNS_MAX = 8;

export interface ScriptedRunOptions {
  /** Returns the performer of the node at a place: `go/say`. */
  readonly performerAt: (node: ScriptedPlace) => Performer;
  /** Returns the answer to a question about the node at a place. */
  readonly answerTo: (
    question: OpenInterrupt,
    node: ScriptedPlace,
  ) => Answer | "expires" | undefined;
  /** Returns whether the graph that the node at a place calls is run; else the node says what its script says. */
  readonly isEntered: (node: string) => boolean;
  /** The results of functions that expressions call. */
  readonly functions: Functions;
  /** Makes the calls that are not among them: of reducers, and of functions without a script. */
  readonly call: CallFunction;
  /** The streams that such calls gave. */
  readonly offered: OfferedStreams;
  /** Returns whether the run can't continue because its performer found a node that it can't perform. */
  readonly isStopped: () => boolean;
  readonly stepsMax: number;
  /** Of so many attempts that could end next, the index of the one that does; without it they end as they begin. */
  readonly choose?: (count: number) => number;
  readonly signal?: AbortSignal;
}

/** The place of a node run in the graph, and in the run. */
export interface ScriptedPlace {
  /** `go/say`. */
  readonly node: string;
  /** The same for the same attempt in whichever order the run goes. */
  readonly attempt: string;
}

/** An attempt that has ended, as the debugger calls its node run: `go#1 › say#2`. */
export interface FinishedAttempt {
  readonly label: string;
  readonly isFailure: boolean;
}

/** An attempt that is over, while others may end before it. */
interface HeldEnd {
  readonly completion: Completion & { readonly id: number };
  readonly label: string;
}

/** The next item of a stream, and what it came to. */
interface StreamPull {
  readonly coming: Promise<Completion | undefined>;
  come: { readonly completion: Completion | undefined } | undefined;
}

export class ScriptedRun {
  readonly program: Program;
  readonly records: LogRecord[] = [];
  readonly arrows = new ArrowCounts();
  /** The programs of graphs that were called and entered, by the hash of the graph. */
  readonly called = new Map<string, Program>();
  /** The steps of the plans that were carried out, by the place of the node that did: `go`. */
  readonly plans = new Map<string, ReadonlySet<string>>();
  readonly #options: ScriptedRunOptions;
  readonly #journal = Journal.of([]);
  readonly #cancellation: Cancellation;
  readonly #streams: EachStreams;
  #snapshot: Snapshot = emptySnapshot();
  #now = 0;
  #due: Start[] = [];
  #later: (Timer | Start)[] = [];
  #isEndless = false;
  #held: readonly HeldEnd[] = [];
  /** The streams whose next item has not come yet. */
  #pulls: readonly StreamPull[] = [];
  readonly #ended: FinishedAttempt[] = [];
  /** The arrows of the decision that is being made. */
  #tookNow: [outlet: number, to: TargetIr | EachIr][] = [];
  /** Questions that are answered, or left until they expire. */
  readonly #answered = new Set<string>();

  constructor(ir: Ir, options: ScriptedRunOptions) {
    this.#options = options;
    this.program = this.#programAt(link(ir), "");
    const call: MakeCall = (one) => options.call(one, this.#cancellation);
    this.#streams = new EachStreams({ offered: options.offered, clock: this.#clock, call });
    const { signal } = options;
    this.#cancellation = signal === undefined ? new Cancellation() : Cancellation.of(signal);
  }

  /** The program of a graph in a test: called graphs are entered where something inside has a script. */
  #programAt(program: Program, place: string): Program {
    const { functions, isEntered } = this.#options;
    const nodes = program.nodes.map(({ called, ...node }) => {
      const at = `${place}${node.ir.name}`;
      return called === undefined || !isEntered(at)
        ? node
        : { ...node, called: this.#calledAt(called, at) };
    });
    return { ...program, nodes, functions, tookArrow: (...arrow) => this.#tookNow.push(arrow) };
  }

  #calledAt(called: Called, place: string): Called {
    const made = new Map<Program, Program>();
    const program: Called["program"] = (input) => {
      const linked = called.program(input);
      if (!("nodes" in linked)) return linked;
      if (called.isPlan === true) this.#notePlan(place, linked);
      const known = made.get(linked) ?? this.#programAt(linked, `${place}/`);
      made.set(linked, known);
      this.called.set(known.ir.hash, known);
      return known;
    };
    return { ...called, program };
  }

  #notePlan(place: string, { ir }: Program): void {
    const steps = ir.nodes.map(({ name }) => name);
    this.plans.set(place, new Set([...(this.plans.get(place) ?? []), ...steps]));
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** It took more steps than a test may. */
  get isEndless(): boolean {
    return this.#isEndless;
  }

  /** The attempts in the order in which they ended; kept where orders are explored. */
  get ended(): readonly FinishedAttempt[] {
    return this.#ended;
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
      (this.#snapshot.status === "running" || this.#snapshot.status === "waiting") &&
      !this.#options.isStopped();
      turn += 1
    ) {
      this.#options.signal?.throwIfAborted();
      this.#isEndless = stepsTaken(this.#snapshot) >= this.#options.stepsMax;
      if (this.#isEndless) return;
      // Else nothing but the run would happen: no timer, no signal.
      if (turn % UNINTERRUPTED_MAX === 0) await new Promise((go) => setImmediate(go));
      const start = this.#due.shift();
      if (start !== undefined) await this.#attempt(start);
      else if (this.#held.length > 0) await this.#endOne();
      else if (!(await this.#pulled()) && !(await this.#leap()))
        throw new Error("M9000: a test's run waits for nothing");
    }
    // What was cancelled has failed with it.
    this.#options.signal?.throwIfAborted();
  }

  async #attempt(start: Start): Promise<void> {
    const located = locate(this.program, this.#snapshot, start.id);
    const completion =
      located?.run.source === undefined
        ? await this.#performed(start)
        : await this.#pull(this.#streams.completion(located, start, this.#cancellation));
    await this.#come(completion, located);
  }

  async #come(completion: Completion | undefined, located: Located | undefined): Promise<void> {
    if (completion === undefined || this.#options.isStopped()) return;
    if (this.#options.choose === undefined || !("id" in completion)) await this.#take(completion);
    else {
      const label = located === undefined ? "" : labelOf(located);
      this.#held = [...this.#held, { completion, label }];
    }
  }

  /** The next item of a stream, where it comes at once; else the run goes on meanwhile. */
  async #pull(coming: Promise<Completion | undefined>): Promise<Completion | undefined> {
    const pull: StreamPull = { coming, come: undefined };
    coming.then(
      (completion) => {
        pull.come = { completion };
      },
      // A rejection is reported where the item is awaited.
      () => undefined,
    );
    for (let turn = 0; turn < TURNS_MAX && pull.come === undefined; turn += 1)
      await new Promise((go) => setImmediate(go));
    if (pull.come === undefined) this.#pulls = [...this.#pulls, pull];
    return pull.come?.completion;
  }

  /**
   * Takes the item of a stream that has let the run wait for it. Time passes before that only for what starts later: a
   * limit is not reached because a stream is slow.
   */
  async #pulled(): Promise<boolean> {
    if (this.#pulls.length === 0) return false;
    const isLater = this.#later.some((one) => !("due" in one));
    if (isLater && !this.#pulls.some(({ come }) => come !== undefined))
      return await this.#leap((one) => !("due" in one));
    await Promise.race(this.#pulls.map(({ coming }) => coming));
    const [first] = this.#pulls.filter(({ come }) => come !== undefined);
    this.#pulls = this.#pulls.filter((one) => one !== first);
    await this.#come(first?.come?.completion, undefined);
    return true;
  }

  /** Lets one of the attempts that are over end. */
  async #endOne(): Promise<void> {
    const { choose = () => 0 } = this.#options;
    const index = this.#held.length === 1 ? 0 : choose(this.#held.length);
    const next = this.#held[index];
    if (next === undefined) throw new Error("M9000: no attempt ends");
    this.#held = this.#held.filter((one) => one !== next);
    const { completion, label } = next;
    this.#ended.push({ label, isFailure: completion.kind === "failed" });
    await this.#take({ ...completion, at: this.#now });
  }

  #performed(start: Start): Promise<Completion | undefined> {
    return new Promise((ended, failed) => {
      const located = locate(this.program, this.#snapshot, start.id);
      const node = located?.program.nodes[located.run.node]?.ir.name ?? "";
      const attempt = `${start.attempt}`;
      const host = this.#host(this.#placeOf(start.id, { node, attempt }), failed);
      performAttempt(host, start, { cancellation: this.#cancellation, ended });
    });
  }

  /** To the next time at which something is due. */
  async #leap(isMeant: (one: Timer | Start) => boolean = () => true): Promise<boolean> {
    const next = this.#later.sort((a, b) => timeOf(a) - timeOf(b)).find(isMeant);
    if (next === undefined) return false;
    this.#later = this.#later.filter((one) => one !== next);
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
    const cancelled = new Set(result.cancels);
    this.#held = this.#held.filter(({ completion }) => !cancelled.has(completion.id));
    this.#later.push(...result.timers);
    for (const start of result.starts) {
      if ((start.notBefore ?? 0) > this.#now) this.#later.push(start);
      else this.#due.push(start);
    }
    await this.#answerAll();
    return result;
  }

  async #answerAll(): Promise<void> {
    for (const { question, home } of openInterrupts(this.#snapshot)) {
      const { id, interrupt, passed = [] } = question;
      // One that goes to the next person is scripted anew.
      const asked = `${interrupt} ${passed.length}`;
      if (this.#answered.has(asked) || this.#options.isStopped()) continue;
      this.#answered.add(asked);
      const sub = home === undefined ? {} : { sub: home };
      const place = this.#placeOf(id, { node: question.node, attempt: "" });
      const answer = this.#options.answerTo(question, place);
      if (answer === undefined) this.#cancellation.cancel("a question without an answer");
      else if (answer !== "expires")
        await this.#take({
          ...{ kind: "answer", id, ...sub, interrupt, answer, from: "script", at: this.#now },
        });
      else if (question.call !== undefined) await this.#expire(question);
    }
  }

  /** An attempt that asks waits for the answer, and the run for the attempt: its time passes at once. */
  async #expire({ id, interrupt, expiresAt = this.#now }: OpenInterrupt): Promise<void> {
    this.#now = Math.max(this.#now, expiresAt);
    const timer = { id, interrupt, due: expiresAt };
    await this.#take({ kind: "timer", timer, at: this.#now });
  }

  #placeOf(id: number, { node, attempt }: ScriptedPlace): ScriptedPlace {
    const located = locate(this.program, this.#snapshot, id);
    const callers = located?.callers.map((caller) => caller.node) ?? [];
    const lasting = located === undefined ? "" : lastingPlace(located);
    return { node: [...callers, node].join("/"), attempt: `${lasting} ${attempt}` };
  }

  /** `failed` is told where a letter comes to nothing: only a run that is called off has such. */
  #host(place: ScriptedPlace, failed: (error: unknown) => void): AttemptHost {
    return {
      program: this.program,
      runId: "test",
      clock: this.#clock,
      performer: this.#options.performerAt(place),
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
