/**
 * The simulated driver: seeded virtual time, faults and crashes, no promise and no clock, thousands of schedules a
 * second. What it drives is the very scheduler and the very fold of the log that real runs use.
 */
import type { Answer } from "../interrupt.ts";
import type { LogRecord } from "../records.ts";
import { type Advance, advance, isDeferred, type Start } from "../scheduler/advance.ts";
import { type FunctionCall, type Functions, keyOf } from "../scheduler/calls.ts";
import type { Completion } from "../scheduler/completion.ts";
import { foldLog } from "../scheduler/fold.ts";
import { openInterrupts } from "../scheduler/interrupts.ts";
import { type Located, locate } from "../scheduler/locate.ts";
import type { Program } from "../scheduler/program.ts";
import { emptySnapshot, type OpenInterrupt, type Snapshot } from "../scheduler/snapshot.ts";
import { noUsage } from "../usage.ts";
import { Journal } from "./journal.ts";
import { pathOf } from "./log-path.ts";
import { endOfAttempt, lastingPlace } from "./simulated-attempt.ts";
import type { Simulation, SimulationOptions } from "./simulation.ts";

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
  readonly #program: Program;
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
  #journal = new Journal();
  #crashes = 0;
  #verbs = 0;
  #parallelMax = 0;
  readonly #made = new Map<string, number>();
  readonly #repeated: string[] = [];
  readonly #misserved: string[] = [];
  readonly #leaked: number[] = [];

  constructor(program: Program, options: SimulationOptions) {
    const { functions } = options;
    this.#program = functions === undefined ? program : { ...program, functions: known(functions) };
    this.#options = options;
    this.#random = seeded(options.seed);
  }

  run(input: Readonly<Record<string, unknown>>): Simulation {
    this.#schedule({ kind: "begin", input, at: 0 }, 0);
    let left = this.#options.eventsMax ?? 20_000;
    for (let event = this.#next(); event !== undefined; event = this.#next()) {
      left -= 1;
      if (left < 0) throw new Error(`the simulation with seed ${this.#options.seed} does not end`);
      if (this.#isTime("crashes")) this.#crash();
      else if (this.#isTime("people")) this.#meddle(event);
      else this.#take(event);
    }
    return {
      records: this.#records,
      snapshot: this.#snapshot,
      crashes: this.#crashes,
      verbs: this.#verbs,
      virtualMs: this.#now,
      parallelMax: this.#parallelMax,
      made: this.#made,
      repeated: this.#repeated,
      misserved: this.#misserved,
      leaked: this.#leaked,
    };
  }

  #isTime(what: "crashes" | "people"): boolean {
    const likely = this.#options[what] ?? 0;
    const often = what === "crashes" ? this.#crashes : this.#verbs;
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
    if (completion.kind === "control") {
      // Somebody else may have let it go since, and it may have ended.
      if (this.#snapshot.status === "paused") this.#control(completion);
      return;
    }
    if (isDeferred(this.#snapshot, completion)) {
      this.#waiting.push(event);
      return;
    }
    this.#listenFor(completion);
    const result = this.#decide(completion);
    this.#follow(result, completion);
    if (result.deferred === true) this.#waiting.push(event);
    else this.#echo(event);
  }

  #decide(completion: Completion): Advance {
    const result = advance(this.#program, this.#snapshot, completion);
    this.#snapshot = result.snapshot;
    for (const body of result.records) {
      const record = { ...body, seq: this.#records.length, at: completion.at };
      this.#records.push(record);
      this.#journal.note(record);
      this.#options.observe?.(record, result.snapshot);
      if (record.kind === "end") this.#flushed = this.#records.length;
    }
    this.#decided.push(this.#records.length);
    return result;
  }

  #follow({ starts, cancels, timers }: Advance, completion: Completion): void {
    const gone = new Set(cancels);
    const isThere = ({ id }: Event) => id === undefined || !gone.has(id);
    this.#events = this.#events.filter(isThere);
    this.#waiting = this.#waiting.filter(isThere);
    for (const timer of timers) {
      this.#schedule({ kind: "timer", timer, at: timer.due }, timer.due, timer.id ?? timer.sub);
    }
    for (const start of starts) this.#start(start);
    this.#goOnAfter(completion);
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
    const isHeardOnce = kind === "started" || kind === "succeeded" || kind === "failed";
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
    this.#snapshot = foldLog(this.#program, this.#records);
    this.#journal = Journal.of(this.#records);
    this.#events = [];
    this.#waiting = [];
    this.#crashes += 1;
    this.#control({ kind: "control", verb: "resume", owner: "next", at: this.#now });
  }

  /** A person comes by, and does what people do twice; then it goes on. */
  #meddle(event: Event): void {
    this.#events.push(event);
    this.#verbs += 1;
    const at = this.#now;
    const wish = this.#random();
    if (wish < 0.4) {
      this.#twice({ kind: "control", verb: "hold", at });
      this.#schedule({ kind: "control", verb: "release", at }, at + this.#random() * 20);
    } else if (wish < 0.7) {
      this.#twice({ kind: "control", verb: "pause", at });
      this.#settle();
      this.#schedule({ kind: "control", verb: "resume", at }, at + this.#random() * 20);
    } else this.#rewind();
  }

  #twice(completion: Completion): void {
    this.#control(completion);
    this.#control(completion);
  }

  #control(completion: Completion): void {
    const wasHeld = this.#snapshot.held;
    const result = this.#decide(completion);
    this.#follow(result, completion);
    if (wasHeld && !this.#snapshot.held) this.#letGo();
  }

  /** What waited happens now. */
  #letGo(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { completion, id } of waiting) this.#schedule(completion, this.#now, id);
  }

  /** Nothing is under way any more. */
  #settle(): void {
    this.#events = this.#events.filter(({ completion: { kind } }) => kind === "control");
    this.#waiting = [];
  }

  #rewind(): void {
    const at = this.#now;
    this.#control({ kind: "control", verb: "hold", at });
    const steps = pathOf(this.#records).filter(({ kind }) => kind === "run" || kind === "commit");
    // Not far: whoever always goes back to the start never comes to the end.
    const step = Math.max(0, steps.length - 1 - Math.floor(this.#random() * BACK_MAX));
    const to = steps[step]?.seq ?? 0;
    this.#settle();
    this.#control({ kind: "control", verb: "rewind", step, to, at });
    this.#journal = Journal.of(this.#records);
    this.#schedule({ kind: "control", verb: "release", at }, at + this.#random() * 20);
  }

  /** What waited for an answer that has come happens now. */
  #goOnWithDecided(): void {
    const goesOn = ({ completion }: Event) => !isDeferred(this.#snapshot, completion);
    for (const { completion, id } of this.#waiting.filter(goesOn)) {
      this.#schedule(completion, this.#now, id);
    }
    this.#waiting = this.#waiting.filter((event) => !goesOn(event));
  }

  /** Whoever is asked answers after a while. */
  #answerAsked(): void {
    for (const { question, home } of openInterrupts(this.#snapshot)) {
      const { id, interrupt } = question;
      const isDue = this.#events.some(
        ({ completion }) => completion.kind === "answer" && completion.interrupt === interrupt,
      );
      if (isDue) continue;
      const answer = this.#options.answer?.(question) ?? usualAnswer(question);
      const at = this.#now + this.#random() * 50;
      const where = { id, ...(home === undefined ? {} : { sub: home }) };
      this.#schedule({ kind: "answer", ...where, interrupt, answer, from: "script", at }, at);
    }
  }

  #start({ id, attempt, notBefore = 0 }: Start): void {
    const jitterMs = this.#options.durationMs === undefined ? this.#random() : 0;
    const at = Math.max(this.#now, notBefore) + jitterMs;
    this.#schedule({ kind: "started", id, attempt, at }, at, id);
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
      if (at.program.nodes[at.run.node]?.called !== undefined) return;
      if (completion.kind === "intent") this.#call(at, completion.call);
      else this.#goOn(at, completion.kind === "started" ? 0 : completion.call + 1);
    }
  }

  #locate(id: number): Located | undefined {
    return locate(this.#program, this.#snapshot, id);
  }

  #goOn(located: Located, call: number): void {
    const { id, attempt } = located.run;
    const at = this.#now + this.#durationOf(located);
    if (call >= callsOf(located, this.#options)) {
      this.#schedule(endOfAttempt(located, at, this.#options), at, id);
      return;
    }
    const recorded = this.#journal.outcome(id, attempt, call);
    if (recorded !== undefined) {
      const name = callName(located, call);
      if (recorded.value !== name) this.#misserved.push(name);
      this.#goOn(located, call + 1);
      return;
    }
    const asked = { id, attempt, call, effect: "model", name: "rules", at } as const;
    this.#schedule({ kind: "intent", ...asked }, at, id);
  }

  #durationOf({ program, run }: Located): number {
    const { durationMs } = this.#options;
    if (typeof durationMs !== "function") return durationMs ?? this.#random() * 10;
    return durationMs(program.nodes[run.node]?.ir.name ?? "");
  }

  #call(located: Located, call: number): void {
    const { id, attempt } = located.run;
    const key = callName(located, call);
    if (this.#journal.outcome(id, attempt, call) !== undefined) this.#repeated.push(key);
    this.#made.set(key, (this.#made.get(key) ?? 0) + 1);
    const durationMs = this.#random() * 100;
    const usage = this.#options.usage ?? { ...noUsage, modelCalls: 1 };
    const at = this.#now + durationMs;
    const of = { id, attempt, call, effect: "model", name: "rules" } as const;
    this.#schedule({ kind: "outcome", ...of, value: key, usage, durationMs, at }, at, id);
  }

  #countRunning(): void {
    this.#parallelMax = Math.max(this.#parallelMax, runningIn(this.#snapshot));
  }
}

/** After so many crashes, or so many visits, it is left alone: it must come to an end. */
const OFTEN_MAX = 50;
const BACK_MAX = 5;

function callsOf({ program, run }: Located, { calls = 0 }: SimulationOptions): number {
  return program.nodes[run.node]?.isWait === true ? 0 : calls;
}

/** A call by its place in the order of the graph, which no crash and no rewind changes. */
function callName(located: Located, call: number): string {
  return `${lastingPlace(located)}:${located.run.attempt}:${call}`;
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

function known(functions: (call: FunctionCall) => unknown): Functions {
  return {
    result: (call) => ({ name: call.name, key: keyOf(call), value: functions(call) }),
  };
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Yes; but a limit is a limit. */
function usualAnswer({ ask }: OpenInterrupt): Answer {
  return ask === "limit" ? { kind: "deny" } : { kind: "approve" };
}
