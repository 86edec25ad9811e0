/** A run as people hold it: its state, its steps, its end, and the verbs that act on it. */
import { type Observable, ReplaySubject } from "rxjs";
import type { Ir } from "../../dsl/index.ts";
import type { Clock } from "../clock.ts";
import { flowNames } from "../events/names.ts";
import { type EventReader, eventReader } from "../events/reader.ts";
import type { RunEvent } from "../events.ts";
import { type Failure, RunError } from "../failure.ts";
import type { LogRecord } from "../records.ts";
import type { RunStatus } from "../run-status.ts";
import { applyRecord } from "../scheduler/fold.ts";
import { shownState } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot.ts";
import { freezeJson } from "../state/json.ts";
import type { Patch } from "../state/patch.ts";
import type { RunLog, RunMeta } from "../store/index.ts";
import type { Usage } from "../usage.ts";
import { Engine, type EngineParts, standsStill } from "./engine.ts";
import { toAsyncIterable } from "./stream.ts";

/** One commit, as a person steps through them. */
export interface Step<S = Record<string, unknown>, N extends string = string> {
  /** n-th commit of the run, from 1. */
  readonly step: number;
  readonly node: N;
  readonly nodeRunId: string;
  readonly attempt: number;
  readonly output: unknown;
  readonly patches: readonly Patch[];
  readonly state: S;
}

export type StreamMode = "values" | "updates" | "messages" | "events" | "debug";

export interface Run<
  O = Record<string, unknown>,
  S = Record<string, unknown>,
  N extends string = string,
> extends AsyncIterable<Step<S, N>> {
  readonly id: string;
  readonly thread: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly status: RunStatus;
  readonly reason: string | undefined;
  /** What everything committed so far folds to; frozen. */
  readonly state: S;
  /** The returned fields; rejects with `RunError` when the run fails or is aborted; open while paused. A resumed run has a new one. */
  readonly output: Promise<O>;
  readonly steps: readonly Step<S, N>[];
  readonly usage: Usage;
  /** Why it failed. */
  readonly failure: Failure | undefined;
  /** How long it has been running, without waits and pauses, up to its last pause or its end. */
  readonly activeMs: number;
  /** Node runs whose attempt did not end when it was cancelled; their late results are ignored. */
  readonly unended: readonly string[];
  readonly events$: Observable<RunEvent>;
  /** Resolves when the run stands still: it ended or is paused, and its log is stored. */
  settled(): Promise<void>;
  stream(mode: StreamMode): AsyncIterable<unknown>;
  /** Stops between two records and cancels what is in flight; what was done is kept and costs no retry. */
  pause(options: { now: true; reason?: string }): Promise<void>;
  /** Goes on from where it stands; nothing that succeeded runs again. */
  resume(): Promise<void>;
  abort(reason?: string): Promise<void>;
}

/** How a run gets what it runs on; called again for each resume. */
export interface RunParts {
  readonly program: Program;
  readonly meta: RunMeta;
  readonly clock: Clock;
  /** Who drives it, for the log. */
  readonly owner: string;
  openLog(): RunLog;
  /** Throws what would keep a stored run from going on: a model that is not configured, a tool that is gone. */
  assertReady?(): void;
  engine(log: RunLog): Pick<EngineParts, "performer" | "driver" | "redact">;
  /** Told after each record, for the trace. */
  recorded?(record: LogRecord): void;
}

export class GraphRun implements Run {
  readonly #parts: RunParts;
  readonly #reader: EventReader;
  #events = new ReplaySubject<RunEvent>();
  readonly #steps: Step[] = [];
  readonly #records: LogRecord[];
  #outcome = unwatched<Record<string, unknown>>();
  #standstill = unwatched<void>();
  #engine: Engine | undefined;
  #snapshot: Snapshot = emptySnapshot();

  /** `past` is the log of a run that goes on. */
  constructor(parts: RunParts, past: readonly LogRecord[] = []) {
    const { meta, program } = parts;
    this.#parts = parts;
    this.#records = [...past];
    this.#reader = eventReader({ ...meta, names: flowNames(meta.ir) });
    for (const record of past) {
      this.#snapshot = applyRecord(program, this.#snapshot, record, record.at);
      this.#publish(record);
    }
    // Nobody here drives it: it stands still until it is resumed.
    if (past.length > 0) this.#standstill.resolve();
    if (isOver(this.#snapshot)) this.#decide(this.#snapshot);
  }

  get output(): Promise<Record<string, unknown>> {
    return this.#outcome.promise;
  }

  get id(): string {
    return this.#parts.meta.runId;
  }
  get thread(): string {
    return this.#parts.meta.threadId;
  }
  get graph(): string {
    return this.#parts.meta.graph;
  }
  get graphHash(): string {
    return this.#parts.meta.graphHash;
  }
  get ir(): Ir {
    return this.#parts.program.ir;
  }
  get status(): RunStatus {
    return this.#snapshot.status;
  }
  get reason(): string | undefined {
    return this.#snapshot.reason === "" ? undefined : this.#snapshot.reason;
  }
  get state(): Record<string, unknown> {
    return stateOf(this.#parts.program, this.#snapshot)();
  }
  get steps(): readonly Step[] {
    return this.#steps;
  }
  get usage(): Usage {
    return this.#snapshot.usage;
  }
  get failure(): Failure | undefined {
    return this.#snapshot.failure;
  }
  get activeMs(): number {
    return this.#snapshot.activeMs;
  }
  /** Whether this process drives it at the moment. */
  get isUnderWay(): boolean {
    return this.#engine !== undefined;
  }
  get events$(): Observable<RunEvent> {
    return this.#events.asObservable();
  }

  /** Starts a new run. */
  begin(input: Readonly<Record<string, unknown>>): void {
    this.#open().post({ kind: "begin", input, at: this.#parts.clock.now() });
  }

  settled(): Promise<void> {
    return this.#standstill.promise;
  }

  async pause(options: { now: true; reason?: string }): Promise<void> {
    await this.#control("pause", options.reason);
  }

  async abort(reason?: string): Promise<void> {
    if (this.#engine === undefined && !isOver(this.#snapshot)) {
      this.#assertBegun();
      this.#open();
    }
    await this.#control("abort", reason);
  }

  async resume(): Promise<void> {
    if (this.#engine !== undefined) return;
    if (this.status === "succeeded") {
      throw new RunError("M5004", `run \`${this.id}\` has succeeded; there is nothing to resume`, {
        hint: "start a new run, or fork this one",
        runId: this.id,
      });
    }
    this.#assertBegun();
    const { owner, assertReady } = this.#parts;
    assertReady?.();
    const engine = this.#open();
    this.#standstill = unwatched();
    if (isOver(this.#snapshot)) {
      this.#outcome = unwatched();
      this.#events = continued(this.#events);
    }
    engine.post({ kind: "control", verb: "resume", owner, at: this.#parts.clock.now() });
  }

  /** A run without a record has not even its input: its process died in the moment of its start. */
  #assertBegun(): void {
    if (this.#records.length > 0) return;
    throw new RunError(
      "M5004",
      `nothing of run \`${this.id}\` was stored before its process died`,
      {
        hint: "start it again, as a new run",
        runId: this.id,
      },
    );
  }

  stream(mode: StreamMode): AsyncIterable<unknown> {
    return toAsyncIterable(this.#events, this.settled(), (event) => this.#shown(event, mode));
  }

  [Symbol.asyncIterator](): AsyncIterator<Step> {
    let next = 0;
    const steps = toAsyncIterable(this.#events, this.settled(), (event) => {
      if (event.kind !== "commit") return undefined;
      next += 1;
      return this.#steps[next - 1];
    });
    return steps[Symbol.asyncIterator]() as AsyncIterator<Step>;
  }

  async #control(verb: "pause" | "abort", reason: string | undefined): Promise<void> {
    if (this.#engine === undefined) return;
    const at = this.#parts.clock.now();
    this.#engine.post({ kind: "control", verb, at, ...(reason === undefined ? {} : { reason }) });
    await this.settled();
  }

  #open(): Engine {
    const { program, meta, clock } = this.#parts;
    const log = this.#parts.openLog();
    const past =
      this.#records.length === 0
        ? {}
        : { past: { snapshot: this.#snapshot, records: this.#records } };
    this.#engine = new Engine({
      program,
      meta,
      clock,
      log,
      ...this.#parts.engine(log),
      ...past,
      listener: {
        recorded: (record, snapshot) => this.#take(record, snapshot),
        delta: (nodeRun, text) => {
          this.#events.next(this.#reader.delta({ nodeRun, text, at: clock.now() }));
        },
        settled: (snapshot, unended) => this.#settle(snapshot, unended),
        broken: (error) => this.#break(error),
      },
    });
    return this.#engine;
  }

  #take(record: LogRecord, snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#records.push(record);
    this.#publish(record);
    this.#parts.recorded?.(record);
  }

  #publish(record: LogRecord): void {
    for (const event of this.#reader.read(record)) {
      if (event.kind === "commit") {
        const { step, node, nodeRunId, attempt, output, patches } = event;
        const state = stateOf(this.#parts.program, this.#snapshot);
        this.#steps.push(withState({ step, node, nodeRunId, attempt, output, patches }, state));
      }
      this.#events.next(event);
    }
  }

  #settle(snapshot: Snapshot, unended: readonly string[]): void {
    this.#snapshot = snapshot;
    this.#engine = undefined;
    for (const label of unended) this.#unended.push(label);
    if (isOver(snapshot)) this.#decide(snapshot);
    this.#standstill.resolve();
  }

  #decide(snapshot: Snapshot): void {
    this.#events.complete();
    if (snapshot.status === "succeeded") this.#outcome.resolve(snapshot.output ?? {});
    else this.#outcome.reject(this.#errorOf(snapshot));
  }

  readonly #unended: string[] = [];
  get unended(): readonly string[] {
    return this.#unended;
  }

  #break(error: unknown): void {
    this.#engine = undefined;
    this.#outcome.reject(error);
    this.#standstill.reject(error);
  }

  #errorOf(snapshot: Snapshot): RunError {
    const { failure } = snapshot;
    if (failure === undefined) {
      return new RunError("M5005", `run \`${this.id}\` was aborted: ${snapshot.reason}`, {
        hint: `madrigal resume ${this.id}`,
        runId: this.id,
      });
    }
    const end = this.#records.findLast((record) => record.kind === "end");
    return new RunError(failure.code, failure.message, {
      hint: failure.hint,
      runId: this.id,
      cause: causeOf(failure),
      ...(end?.kind === "end" ? { node: end.node, attempt: end.attempt } : {}),
    });
  }

  #shown(event: RunEvent, mode: StreamMode): unknown {
    switch (mode) {
      case "events":
        return event.kind === "model.delta" ? undefined : event;
      case "debug":
        return event;
      case "messages":
        return event.kind === "model.delta" ? event : undefined;
      case "updates":
        return event.kind === "commit" ? { node: event.node, patches: event.patches } : undefined;
      case "values":
        return event.kind === "commit" ? this.#steps[event.step - 1]?.state : undefined;
    }
  }
}

/** The state at a snapshot, worked out when it is first looked at: snapshots share what they have in common. */
function stateOf(program: Program, snapshot: Snapshot): () => Record<string, unknown> {
  let state: Record<string, unknown> | undefined;
  return () => {
    state ??= freezeJson(shownState(program, snapshot));
    return state;
  };
}

function withState(step: Omit<Step, "state">, state: () => Step["state"]): Step {
  return Object.defineProperty({ ...step }, "state", { enumerable: true, get: state }) as Step;
}

/** A promise that nobody need wait for: the status and the events say the same. */
function unwatched<T>() {
  const promise = Promise.withResolvers<T>();
  promise.promise.catch(() => {});
  return promise;
}

/** The same events again, with more to come. */
function continued<T>(events: ReplaySubject<T>): ReplaySubject<T> {
  const more = new ReplaySubject<T>();
  events.subscribe((event) => more.next(event));
  return more;
}

/** The exception of a user's function, as the cause of the run's error. */
function causeOf({ message, stack }: Failure): Error | undefined {
  if (stack === undefined) return undefined;
  const cause = new Error(message);
  cause.stack = stack;
  return cause;
}

function isOver(snapshot: Snapshot): boolean {
  return standsStill(snapshot) && snapshot.status !== "paused";
}
