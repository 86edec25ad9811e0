/**
 * The simulated driver: seeded virtual time, faults and crashes, no promise and no clock, thousands of schedules a
 * second. What it drives is the very scheduler and the very fold of the log that real runs use.
 */
import type { Failure } from "../failure.ts";
import type { LogRecord } from "../records.ts";
import { advance, type Start } from "../scheduler/advance.ts";
import { type AttemptView, attemptView } from "../scheduler/attempt-view.ts";
import { type FunctionCall, type Functions, keyOf } from "../scheduler/calls.ts";
import type { Completion } from "../scheduler/completion.ts";
import { EvaluationError } from "../scheduler/evaluation-error.ts";
import { foldLog } from "../scheduler/fold.ts";
import { locate, placeOf } from "../scheduler/locate.ts";
import type { Program } from "../scheduler/program.ts";
import { emptySnapshot, type NodeRun, type Snapshot } from "../scheduler/snapshot.ts";
import { innermost } from "../sub-record.ts";
import { noUsage, type Usage } from "../usage.ts";

export interface SimulationOptions {
  readonly seed: number;
  /** What an attempt gives; the same attempt must give the same in every schedule. */
  readonly output: (attempt: SimulatedAttempt) => unknown;
  /** What an attempt fails with instead, if it does. */
  readonly failure?: (attempt: SimulatedAttempt) => Failure | undefined;
  /** How long an attempt takes beside its calls; random up to 10 ms when absent. */
  readonly durationMs?: number | ((node: string) => number);
  /** Model calls of each attempt. */
  readonly calls?: number;
  readonly usage?: Usage;
  /** What functions in expressions and reducers come to; called again where a record does not say it. */
  readonly functions?: (call: FunctionCall) => unknown;
  /** How likely the process dies at each event, from 0 to 1. */
  readonly crashes?: number;
  /** Called with each pair of snapshots, for what must hold at every step. */
  readonly observe?: (record: LogRecord, snapshot: Snapshot) => void;
  /** After so many events the simulation is taken to hang. */
  readonly eventsMax?: number;
}

export interface SimulatedAttempt {
  readonly run: NodeRun;
  readonly node: string;
  readonly attempt: number;
  readonly view: AttemptView;
  /** The graph that the node is of, and the node runs that called it, outermost first. */
  readonly program: Program;
  readonly path: readonly string[];
}

export interface Simulation {
  readonly records: readonly LogRecord[];
  readonly snapshot: Snapshot;
  readonly crashes: number;
  readonly virtualMs: number;
  /** How many node runs ran side by side at most. */
  readonly parallelMax: number;
  /** For each call by node run, attempt and number: how often it was made. */
  readonly made: ReadonlyMap<string, number>;
  /** Those whose outcome was on disk when they were made again: must be none. */
  readonly repeated: readonly string[];
}

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
  #records: LogRecord[] = [];
  /** Records that a crash can't take away. */
  #flushed = 0;
  #snapshot: Snapshot = emptySnapshot();
  #crashes = 0;
  #parallelMax = 0;
  readonly #made = new Map<string, number>();
  readonly #repeated: string[] = [];

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
      if (this.#random() < (this.#options.crashes ?? 0) && this.#records.length > 0) this.#crash();
      else this.#take(event);
    }
    return {
      records: this.#records,
      snapshot: this.#snapshot,
      crashes: this.#crashes,
      virtualMs: this.#now,
      parallelMax: this.#parallelMax,
      made: this.#made,
      repeated: this.#repeated,
    };
  }

  #next(): Event | undefined {
    const [first] = this.#events.sort((a, b) => a.at - b.at || a.rank - b.rank);
    this.#events = this.#events.slice(1);
    if (first !== undefined) this.#now = Math.max(this.#now, first.at);
    return first;
  }

  #schedule(completion: Completion, at: number, id?: number): void {
    const event = { at, rank: this.#random(), completion: { ...completion, at } };
    this.#events.push(id === undefined ? event : { ...event, id });
  }

  #take({ completion }: Event): void {
    const result = advance(this.#program, this.#snapshot, completion);
    this.#snapshot = result.snapshot;
    for (const body of result.records) {
      const record = { ...body, seq: this.#records.length, at: completion.at };
      this.#records.push(record);
      this.#options.observe?.(record, result.snapshot);
      if (record.kind === "end") this.#flushed = this.#records.length;
    }
    const gone = new Set(result.cancels);
    this.#events = this.#events.filter(({ id }) => id === undefined || !gone.has(id));
    for (const timer of result.timers) {
      this.#schedule({ kind: "timer", timer, at: timer.due }, timer.due, timer.id ?? timer.sub);
    }
    for (const start of result.starts) this.#start(start);
    this.#follow(completion);
  }

  /** Some of what is not flushed yet reaches the disk; the process dies and another one goes on from it. */
  #crash(): void {
    const unflushed = this.#records.length - this.#flushed;
    // A run whose first record is not stored has never been: the crash comes right behind it.
    this.#flushed = Math.max(1, this.#flushed + Math.floor(this.#random() * (unflushed + 1)));
    this.#records = this.#records.slice(0, this.#flushed);
    this.#snapshot = foldLog(this.#program, this.#records);
    this.#events = [];
    this.#crashes += 1;
    this.#schedule({ kind: "control", verb: "resume", owner: "next", at: this.#now }, this.#now);
  }

  #start({ id, attempt, notBefore = 0 }: Start): void {
    const jitterMs = this.#options.durationMs === undefined ? this.#random() : 0;
    const at = Math.max(this.#now, notBefore) + jitterMs;
    this.#schedule({ kind: "started", id, attempt, at }, at, id);
  }

  /** An attempt's life: started, then each call (intent, outcome), then its end. */
  #follow(completion: Completion): void {
    if (
      completion.kind === "intent" ||
      completion.kind === "outcome" ||
      completion.kind === "started"
    ) {
      const located = locate(this.#program, this.#snapshot, completion.id);
      const run = located?.run;
      if (run?.status !== "running" || run.attempt !== completion.attempt) return;
      this.#countRunning();
      // What it calls has attempts of its own.
      if (located?.program.nodes[run.node]?.called !== undefined) return;
      if (completion.kind === "intent") this.#call(run, completion.call);
      else this.#goOn(run, completion.kind === "started" ? 0 : completion.call + 1);
    }
  }

  #goOn(run: NodeRun, call: number): void {
    const { id, attempt } = run;
    const at = this.#now + this.#durationOf(run);
    if (call >= (this.#options.calls ?? 0)) {
      this.#schedule(this.#endOf(run, at), at, id);
      return;
    }
    if (this.#isRecorded(run, call)) {
      this.#goOn(run, call + 1);
      return;
    }
    this.#schedule(
      { kind: "intent", id, attempt, call, effect: "model", name: "rules", at },
      at,
      id,
    );
  }

  #durationOf({ node }: NodeRun): number {
    const { durationMs } = this.#options;
    if (typeof durationMs !== "function") return durationMs ?? this.#random() * 10;
    return durationMs(this.#program.nodes[node]?.ir.name ?? "");
  }

  #call(run: NodeRun, call: number): void {
    const { id, attempt } = run;
    const located = locate(this.#program, this.#snapshot, id);
    const key = `${located === undefined ? id : placeOf(located)}:${attempt}:${call}`;
    if (this.#isRecorded(run, call)) this.#repeated.push(key);
    this.#made.set(key, (this.#made.get(key) ?? 0) + 1);
    const durationMs = this.#random() * 100;
    const usage = this.#options.usage ?? { ...noUsage, modelCalls: 1 };
    const at = this.#now + durationMs;
    this.#schedule(
      {
        kind: "outcome",
        id,
        attempt,
        call,
        effect: "model",
        name: "rules",
        value: call,
        usage,
        durationMs,
        at,
      },
      at,
      id,
    );
  }

  #isRecorded({ id, attempt }: NodeRun, call: number): boolean {
    return this.#records.some((logged) => {
      const record = innermost(logged);
      return (
        record.kind === "outcome" &&
        record.id === id &&
        record.attempt === attempt &&
        record.call === call
      );
    });
  }

  #endOf(run: NodeRun, at: number): Completion {
    const { id, attempt } = run;
    const located = locate(this.#program, this.#snapshot, id);
    if (located === undefined) throw new Error(`M9000: no node run ${id}`);
    const { program, snapshot, callers } = located;
    const node = program.nodes[run.node]?.ir.name ?? "";
    try {
      const view = attemptView(program, snapshot, run);
      const given = { run, node, attempt, view, program, path: callers.map(({ label }) => label) };
      const failure = this.#options.failure?.(given);
      if (failure !== undefined) return { kind: "failed", id, attempt, failure, at };
      return { kind: "succeeded", id, attempt, output: this.#options.output(given), at };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const failure: Failure = { class: "invalid", code: "M5011", message: error.message };
      return { kind: "failed", id, attempt, failure, at };
    }
  }

  #countRunning(): void {
    this.#parallelMax = Math.max(this.#parallelMax, runningIn(this.#snapshot));
  }
}

function known(functions: (call: FunctionCall) => unknown): Functions {
  return {
    result: (call) => ({ name: call.name, key: keyOf(call), value: functions(call) }),
  };
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
