/**
 * The simulated driver: seeded virtual time, faults and crashes, no promise and no clock, thousands of schedules a
 * second. What it drives is the very scheduler and the very fold of the log that real runs use.
 */
import type { Ir } from "../../../dsl/index.ts";
import { Breakpoints } from "../../../runtime/breakpoints/breakpoints.ts";
import {
  type Hold,
  type HoldContext,
  holdAfter,
  holdBefore,
} from "../../../runtime/engine/hold.ts";
import { simulatedCalls } from "../../../runtime/explore/explore-orders.ts";
import { seeded } from "../../../runtime/explore/seeded.ts";
import type { Simulation, SimulationOptions } from "../../../runtime/explore/simulation.ts";
import { pathOf } from "../../../runtime/history/log-path.ts";
import type { Answer } from "../../../runtime/interrupt.ts";
import {
  innermost,
  type LogRecord,
  numberRecord,
  type RecordBody,
} from "../../../runtime/records/records.ts";
import {
  type Advance,
  advance,
  isDeferred,
  type Start,
} from "../../../runtime/scheduler/advance.ts";
import { outputToJudge } from "../../../runtime/scheduler/call-graph.ts";
import { type Located, locate } from "../../../runtime/scheduler/called-snapshots.ts";
import type { Completion } from "../../../runtime/scheduler/completion.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { openInterrupts } from "../../../runtime/scheduler/interrupts.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import type { Program } from "../../../runtime/scheduler/program/program.ts";
import {
  emptySnapshot,
  type OpenInterrupt,
  type Snapshot,
} from "../../../runtime/scheduler/snapshot/snapshot.ts";
import { newsOf, SimulatedAttempts } from "./simulated-attempts.ts";
import { People, type Visited } from "./simulated-people.ts";
import { isStoredAtOnce } from "./stored-at-once.ts";

export function simulate(
  program: Program,
  input: Readonly<Record<string, unknown>>,
  options: SimulationOptions,
): Simulation {
  return new Simulator(program, options).run(input);
}

interface Event {
  readonly at: number;
  readonly rank: number;
  readonly completion: Completion;
  /** The node run it belongs to; cancelled with it. */
  readonly id?: number;
}

class Simulator {
  #program: Program;
  #edited: Ir | undefined;
  readonly #options: SimulationOptions;
  readonly #random: () => number;
  #now = 0;
  #events: Event[] = [];
  /** What attempts want while the run is held. */
  #waiting: Event[] = [];
  #records: LogRecord[] = [];
  /** Records that a crash can't take away. */
  #flushed = 0;
  /** How long the log was behind each decision. */
  #decided: number[] = [];
  #snapshot: Snapshot = emptySnapshot();
  readonly #attempts: SimulatedAttempts;
  #crashes = 0;
  #waits = 0;
  #breaks = 0;
  readonly #people: People;
  readonly #breakpoints: Breakpoints;
  /** Attempts that this process was held at before. */
  #passed = new Set<string>();
  readonly #unwaiting: string[] = [];
  #parallelMax = 0;
  readonly #leaked: number[] = [];

  constructor(program: Program, options: SimulationOptions) {
    this.#options = options;
    this.#program = this.#calling(program);
    this.#random = seeded(options.seed);
    this.#breakpoints = new Breakpoints(program.ir);
    if (options.breaks !== true) this.#breakpoints.clear();
    this.#people = new People(this.#visited(), options);
    this.#attempts = new SimulatedAttempts(this.#visited(), options);
  }

  run(input: Readonly<Record<string, unknown>>): Simulation {
    const { kept, fork } = this.#options;
    if (fork === undefined)
      this.#schedule({ kind: "begin", input, ...(kept === undefined ? {} : { kept }), at: 0 }, 0);
    else this.#branch(fork);
    let left = this.#options.eventsMax ?? 20_000;
    for (let event = this.#next(); event !== undefined; event = this.#next()) {
      left -= 1;
      if (left < 0) throw new Error(`the simulation with seed ${this.#options.seed} does not end`);
      if (this.#isTime("crashes")) this.#crash();
      else if (this.#isTime("people")) {
        this.#events.push(event);
        this.#people.visit();
      } else this.#take(event);
    }
    return {
      program: this.#program,
      records: this.#records,
      snapshot: this.#snapshot,
      crashes: this.#crashes,
      verbs: this.#people.visits,
      virtualMs: this.#now,
      parallelMax: this.#parallelMax,
      ...this.#attempts.told,
      leaked: this.#leaked,
      reportedAnswers: this.#people.said,
      unheeded: this.#people.unheeded,
      waits: this.#waits,
      unwaiting: this.#unwaiting,
      breaks: this.#breaks,
    };
  }

  /** With the log of another run up to a step, as a fork has it. */
  #branch({ records, step }: NonNullable<SimulationOptions["fork"]>): void {
    const steps = pathOf(records).filter(({ kind }) => kind === "run" || kind === "commit");
    const to = steps[step]?.seq ?? 0;
    this.#records = records.filter(({ seq }) => seq <= to);
    this.#flushed = this.#records.length;
    this.#now = this.#records.at(-1)?.at ?? 0;
    this.#snapshot = foldLog(this.#program, this.#records);
    this.#attempts.remember(this.#records);
    const at = this.#now;
    this.#control({ kind: "control", verb: "rewind", step, to, reason: "fork", at });
    this.#control({ kind: "control", verb: "resume", owner: "fork", at });
  }

  #calling(program: Program): Program {
    const { functions, streams } = this.#options;
    const calls = functions !== undefined || streams !== undefined;
    return calls ? { ...program, functions: simulatedCalls(this.#options) } : program;
  }

  #visited(): Visited {
    return {
      program: () => this.#program,
      random: this.#random,
      now: () => this.#now,
      snapshot: () => this.#snapshot,
      records: () => this.#records,
      decide: (completion) => this.#control(completion),
      settle: () => this.#settle(),
      answerTo: (question) => this.#answerTo(question),
      later: (completion, id) => this.#schedule(completion, completion.at, id),
    };
  }

  #isTime(what: "crashes" | "people"): boolean {
    const likely = this.#options[what] ?? 0;
    const often = what === "crashes" ? this.#crashes : this.#people.visits;
    return likely > 0 && often < OFTEN_MAX && this.#isUnderWay && this.#random() < likely;
  }

  get #isUnderWay(): boolean {
    const { status } = this.#snapshot;
    return status === "running" || status === "paused" || status === "waiting";
  }

  #next(): Event | undefined {
    this.#goOnWithDecided();
    this.#answerAsked();
    const [first] = this.#events.sort((a, b) => a.at - b.at || a.rank - b.rank);
    this.#events = this.#events.slice(1);
    if (first !== undefined) this.#now = Math.max(this.#now, first.at);
    return first;
  }

  #schedule(completion: Completion, at: number, id?: number): void {
    const event = { at, rank: this.#random(), completion: { ...completion, at } };
    this.#events.push(id === undefined ? event : { ...event, id });
  }

  #take(event: Event): void {
    const { completion } = event;
    if (this.#people.notes.isLeft(completion)) return;
    if (completion.kind === "control") {
      this.#takeControl(completion);
      return;
    }
    if (completion.kind === "steer" && !this.#isUnderWay) return;
    if (this.#people.notes.isTaken(completion)) return;
    // It is taken back, and given out again when the run goes on.
    if (this.#isHeldAt(completion)) return;
    if (isDeferred(this.#snapshot, completion)) {
      this.#waiting.push(event);
      return;
    }
    this.#listenFor(completion);
    const before = this.#snapshot;
    const result = this.#decide(completion);
    this.#follow(result, completion);
    this.#holdBehind(before, result);
    if (result.deferred === true) this.#waiting.push(event);
    else this.#echo(event);
  }

  #takeControl(completion: Completion & { readonly kind: "control" }): void {
    const { status } = this.#snapshot;
    if (completion.verb === "abort" || completion.verb === "pause") this.#stop(completion);
    // Somebody else may have let it go since, and it may have ended.
    else if (status !== "paused" && status !== "aborted") return;
    else if (completion.verb === "resume") this.#goOn(completion);
    else this.#control(completion);
  }

  /** Somebody has said so elsewhere, and another process goes on with it later. */
  #stop(completion: Completion): void {
    if (!this.#isUnderWay || this.#people.notes.isTaken(completion)) return;
    this.#control(completion);
    this.#settle();
    const at = this.#now + this.#random() * 20;
    this.#schedule({ kind: "control", verb: "resume", owner: "elsewhere", at }, at);
  }

  /** What another process knows of it is the log. */
  #goOn(completion: Completion & { readonly kind: "control" }): void {
    if ("owner" in completion) {
      this.#snapshot = foldLog(this.#program, this.#records);
      this.#attempts.remember(this.#records);
      this.#passed = new Set();
    }
    this.#control(completion);
    this.#people.notes.takeAll();
  }

  #decide(completion: Completion): Advance {
    const result = advance(this.#program, this.#snapshot, completion);
    this.#snapshot = result.snapshot;
    for (const body of result.records) {
      const record = numberRecord(body, this.#records.length, completion.at);
      this.#records.push(record);
      this.#attempts.note(record);
      this.#options.observe?.(record, result.snapshot);
      if (isStoredAtOnce(record)) this.#flushed = this.#records.length;
    }
    this.#decided.push(this.#records.length);
    return result;
  }

  #follow(result: Advance, completion: Completion): void {
    const { starts, cancels, timers, records } = result;
    const gone = new Set(cancels);
    const isThere = ({ id }: Event) => id === undefined || !gone.has(id);
    this.#events = this.#events.filter(isThere);
    this.#waiting = this.#waiting.filter(isThere);
    for (const timer of timers) {
      this.#schedule({ kind: "timer", timer, at: timer.due }, timer.due, timer.id ?? timer.sub);
    }
    for (const start of starts) this.#start(start);
    // Told to start twice, it starts once.
    const isTaken = completion.kind !== "started" || records.length > 0;
    if (result.deferred !== true && isTaken) this.#goOnAfter(completion);
    for (const record of records) this.#goOnAnswered(innermost(record));
  }

  /** An attempt that asked in its midst goes on. */
  #goOnAnswered(record: RecordBody): void {
    if (record.kind !== "answer" || record.call === undefined) return;
    const at = this.#locate(record.id);
    if (at?.run.status === "running" && at.run.attempt === record.attempt)
      this.#attempts.goOn(at, 0);
  }

  #isHeldAt(completion: Completion): boolean {
    const hold = holdBefore(this.#standing(this.#snapshot), completion);
    if (hold === undefined) return false;
    this.#breakAt(hold);
    return true;
  }

  #holdBehind(before: Snapshot, result: Advance): void {
    const hold = holdAfter(this.#standing(before), result);
    if (hold !== undefined) this.#breakAt(hold);
  }

  #breakAt({ reason }: Hold): void {
    this.#breaks += 1;
    const at = this.#now;
    this.#control({ kind: "control", verb: "hold", reason, at });
    this.#schedule({ kind: "control", verb: "release", at }, at + this.#random() * 20);
  }

  #standing(snapshot: Snapshot): HoldContext {
    const [program, breakpoints, passed] = [this.#program, this.#breakpoints, this.#passed];
    return { program, snapshot, breakpoints, passed, goal: "end" };
  }

  /** An attempt in flight that nobody has cancelled is one that the scheduler knows to be running. */
  #listenFor(completion: Completion): void {
    if (completion.kind !== "intent" && completion.kind !== "outcome") return;
    const run = this.#locate(completion.id)?.run;
    const isKnown = run?.status === "running" && run.attempt === completion.attempt;
    if (!isKnown) this.#leaked.push(completion.id);
  }

  /** The same once more, later: what has been heard changes nothing. */
  #echo({ completion, id }: Event): void {
    const { kind } = completion;
    const isHeardOnce = HEARD_ONCE.includes(kind);
    const { echoes = 0 } = this.#options;
    if (!isHeardOnce || echoes === 0 || this.#random() >= echoes) return;
    const before = this.#records.length;
    this.#decide({ ...completion, at: this.#now });
    if (this.#records.length > before) this.#leaked.push(id ?? -1);
  }

  /** Some of what is not flushed yet reaches the disk; the process dies and another one goes on from it. */
  #crash(): void {
    // What one decision says is appended in one go and stored in one transaction, all or nothing; so is a run's beginning.
    const ends = this.#decided.filter((length) => length > this.#flushed);
    const cuts = this.#flushed === 0 ? ends : [this.#flushed, ...ends];
    this.#flushed = cuts[Math.floor(this.#random() * cuts.length)] ?? this.#flushed;
    this.#records = this.#records.slice(0, this.#flushed);
    this.#decided = this.#decided.filter((length) => length <= this.#flushed);
    const ir = this.#edit();
    this.#snapshot = foldLog(this.#program, this.#records);
    this.#attempts.remember(this.#records);
    this.#events = [];
    this.#waiting = [];
    this.#people.notes.drop();
    this.#passed = new Set();
    this.#crashes += 1;
    const other = ir === undefined ? {} : { ir };
    this.#control({ kind: "control", verb: "resume", owner: "next", ...other, at: this.#now });
    this.#people.notes.takeAll();
  }

  /** Once, whoever goes on has edited the program meanwhile; one that dies before it could say so edits it again. */
  #edit(): Ir | undefined {
    const isTold = this.#records.some((record) => record.kind === "control" && "ir" in record);
    this.#edited ??= this.#records.length === 0 ? undefined : this.#options.edited?.(this.#records);
    if (isTold || this.#edited === undefined) return undefined;
    this.#program = this.#calling(link(this.#edited));
    return this.#edited;
  }

  #control(completion: Completion): readonly RecordBody[] {
    const wasHeld = this.#snapshot.held;
    const result = this.#decide(completion);
    this.#follow(result, completion);
    if (wasHeld && !this.#snapshot.held) this.#letGo();
    if (isRewind(result.records)) this.#attempts.remember(this.#records);
    return result.records;
  }

  /** What waited happens now. */
  #letGo(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { completion, id } of waiting) this.#schedule(completion, this.#now, id);
  }

  /** Nothing is under way any more. */
  #settle(): void {
    const isTheirs = ({ completion }: Event) =>
      completion.kind === "control" || this.#people.notes.isNote(completion);
    this.#events = [...this.#events, ...this.#waiting].filter(isTheirs);
    this.#waiting = [];
  }

  /** What waited for an answer that has come happens now. */
  #goOnWithDecided(): void {
    const goesOn = ({ completion }: Event) => !isDeferred(this.#snapshot, completion);
    for (const { completion, id } of this.#waiting.filter(goesOn)) {
      this.#schedule(completion, this.#now, id);
    }
    this.#waiting = this.#waiting.filter((event) => !goesOn(event));
  }

  /** Whoever is asked answers after a while, or when nothing else is left. */
  #answerAsked(): void {
    const open = openInterrupts(this.#snapshot);
    if (open.length === 0 || (this.#options.answersLast === true && this.#isBusy)) return;
    if (this.#options.answersLast === true) this.#noteWait();
    for (const asked of open) {
      const { question, home } = asked;
      const { id, interrupt } = question;
      const isDue = this.#events.some(
        ({ completion }) => completion.kind === "answer" && completion.interrupt === interrupt,
      );
      if (isDue) continue;
      const answer = this.#answerTo(question);
      // Then its time passes.
      if (answer === "nobody") continue;
      if (this.#people.answersElsewhere(asked)) continue;
      const at = this.#now + this.#random() * 50;
      const where = { id, ...(home === undefined ? {} : { sub: home }) };
      this.#schedule({ kind: "answer", ...where, interrupt, answer, from: "script", at }, at);
    }
  }

  #answerTo(question: OpenInterrupt): Answer | "nobody" {
    return this.#options.answer?.(question) ?? usualAnswer(question);
  }

  /** Deadlines aside, which may be far. */
  get #isBusy(): boolean {
    return this.#events.some(({ completion }) => completion.kind !== "timer");
  }

  /** Nothing but a question is left: then the run must say that it waits. */
  #noteWait(): void {
    this.#waits += 1;
    const { status } = this.#snapshot;
    if (status !== "waiting" && status !== "paused") this.#unwaiting.push(status);
  }

  #start({ id, attempt, notBefore = 0 }: Start): void {
    const jitterMs = this.#options.durationMs === undefined ? this.#random() : 0;
    const at = Math.max(this.#now, notBefore) + jitterMs;
    const source = this.#locate(id)?.run.source;
    const next =
      source === undefined
        ? ({ kind: "started", id, attempt, at } as const)
        : ({ kind: "item", id, attempt, at, ...newsOf(this.#options, source, attempt) } as const);
    this.#schedule(next, at, id);
  }

  /** An attempt's life: started, then each call (intent, outcome), then its end. */
  #goOnAfter(completion: Completion): void {
    if (
      completion.kind === "intent" ||
      completion.kind === "outcome" ||
      completion.kind === "started"
    ) {
      const at = this.#locate(completion.id);
      if (at?.run.status !== "running" || at.run.attempt !== completion.attempt) return;
      this.#countRunning();
      // What it calls has attempts of its own.
      const calls = at.program.nodes[at.run.node]?.called !== undefined;
      if (calls && outputToJudge(at) === undefined) return;
      if (completion.kind === "intent") this.#attempts.call(at, completion.call);
      else this.#attempts.goOn(at, completion.kind === "started" ? 0 : completion.call + 1);
    }
  }

  #locate(id: number): Located | undefined {
    return locate(this.#program, this.#snapshot, id);
  }

  #countRunning(): void {
    this.#parallelMax = Math.max(this.#parallelMax, runningIn(this.#snapshot));
  }
}

/** After so many crashes, or so many visits, it is left alone: it must come to an end. */
const OFTEN_MAX = 50;

/** What has been said once. */
const HEARD_ONCE: readonly Completion["kind"][] = [
  ...(["started", "succeeded", "failed", "answer", "item"] as const),
];

function isRewind(records: readonly RecordBody[]): boolean {
  return records.some((record) => record.kind === "control" && record.verb === "rewind");
}

/** How many attempts are under way; a node run that calls a graph has those of that one. */
function runningIn({ open, children }: Snapshot): number {
  let running = 0;
  for (const { id, status } of open.values()) {
    const child = children.get(id);
    if (child !== undefined) running += runningIn(child.snapshot);
    else if (status === "running") running += 1;
  }
  return running;
}

/** Yes; but a limit is a limit. */
function usualAnswer({ ask }: OpenInterrupt): Answer {
  return ask === "limit" ? { kind: "deny" } : { kind: "approve" };
}
