/** One run under way: the mailbox, its one loop, and what follows each step of it. Advance, log, publish, start, emit. */
import type { Clock } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { Performer } from "../performer.ts";
import type { LogRecord, RecordBody } from "../records.ts";
import { type Advance, advance, type Start } from "../scheduler/advance.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { Program } from "../scheduler/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot.ts";
import type { RunLog, RunMeta, SummaryUpdate } from "../store/run-store.ts";
import type { Driver, DriverHost } from "./driver.ts";
import { Journal } from "./journal.ts";
import { type Asked, performAttempt } from "./perform-attempt.ts";

export interface EngineParts {
  readonly program: Program;
  readonly meta: RunMeta;
  readonly log: RunLog;
  readonly performer: Performer;
  readonly clock: Clock;
  readonly driver: (host: DriverHost) => Driver;
  /** Takes what may not be stored out of a completion and out of its records, before anything else sees them. */
  readonly redact: <T extends LogRecord | Completion>(part: T) => T;
  readonly listener: EngineListener;
  /** The log so far, when the run goes on. */
  readonly past?: { readonly snapshot: Snapshot; readonly records: readonly LogRecord[] };
}

export interface EngineListener {
  recorded(record: LogRecord, snapshot: Snapshot): void;
  delta(id: number, text: string): void;
  /** The run stands still: it ended or was paused, everything it started has ended, its log is stored. */
  settled(snapshot: Snapshot, unended: readonly string[]): void;
  /** The engine itself, or its store, can't go on. */
  broken(error: unknown): void;
}

interface Letter {
  readonly completion: Completion;
  readonly answer?: (asked: Asked) => void;
}

export class Engine {
  readonly #parts: EngineParts;
  readonly #driver: Driver;
  readonly #journal: Journal;
  #mailbox: Letter[] = [];
  /** The snapshot and how much of the mailbox is in it: changed together, in one assignment. */
  #position: { readonly snapshot: Snapshot; readonly taken: number };
  #seq: number;
  #draining = false;
  #stopped = false;

  constructor(parts: EngineParts) {
    const records = parts.past?.records ?? [];
    this.#parts = parts;
    this.#position = { snapshot: parts.past?.snapshot ?? emptySnapshot(), taken: 0 };
    this.#journal = Journal.of(records);
    this.#seq = (records.at(-1)?.seq ?? -1) + 1;
    this.#driver = parts.driver({
      post: (completion) => this.post(completion),
      perform: (start, signal) => this.#perform(start, signal),
      label: (id) => this.#label(id),
    });
  }

  get snapshot(): Snapshot {
    return this.#position.snapshot;
  }

  /** Puts a completion into the mailbox. What comes after the run stands still changes nothing. */
  post(completion: Completion): void {
    this.#deliver({ completion });
  }

  #ask(completion: Completion): Promise<Asked> {
    return new Promise((answer) => this.#deliver({ completion, answer }));
  }

  #deliver(letter: Letter): void {
    if (this.#stopped) {
      letter.answer?.({ taken: false });
      return;
    }
    this.#mailbox.push(letter);
    if (this.#draining) return;
    this.#draining = true;
    // In a turn of its own: whoever posts is never run over by what follows from it.
    queueMicrotask(() => {
      this.#drain().catch((error: unknown) => this.#break(error));
    });
  }

  async #drain(): Promise<void> {
    let since = performance.now();
    let commits = 0;
    for (;;) {
      const letter = this.#mailbox[this.#position.taken];
      if (letter === undefined || this.#stopped) break;
      commits += await this.#take(letter);
      if (commits < COMMITS_A_TURN && performance.now() - since < TURN_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      commits = 0;
      since = performance.now();
    }
    this.#position = { ...this.#position, taken: 0 };
    this.#mailbox = [];
    this.#draining = false;
  }

  async #take(letter: Letter): Promise<number> {
    const { program, redact } = this.#parts;
    const { snapshot, taken } = this.#position;
    // Before it is folded: a run that goes on has the log alone, and must come to the same state.
    const result = advance(program, snapshot, redact(letter.completion));
    const records = this.#number(result.records, letter.completion.at);
    for (const record of records) {
      this.#parts.log.append(record, summaryOf(result.snapshot));
      this.#journal.note(record);
    }
    this.#position = { snapshot: result.snapshot, taken: taken + 1 };
    // The first record has the input: with it on disk, whatever happens, the run can go on from its start.
    const isAwaited = snapshot.status === "created" || this.#parts.meta.durability === "sync";
    if (records.length > 0 && isAwaited) await this.#parts.log.flush();
    letter.answer?.(answerOf(result));
    this.#follow(result);
    for (const record of records) this.#parts.listener.recorded(record, result.snapshot);
    // Also from one standstill to the next: a paused run is aborted.
    // Also from one standstill to the next: an abort while paused, a resume that its limit ends at once.
    if (standsStill(result.snapshot) && records.length > 0) await this.#settle();
    return result.records.length;
  }

  #number(bodies: readonly RecordBody[], at: number): readonly LogRecord[] {
    return bodies.map((body) => {
      const seq = this.#seq;
      this.#seq += 1;
      return this.#parts.redact({ ...body, seq, at });
    });
  }

  #follow({ starts, cancels, timers }: Advance): void {
    for (const id of cancels) this.#driver.cancel(id);
    for (const timer of timers) this.#driver.keep(timer);
    for (const start of starts) this.#driver.start(start);
  }

  async #settle(): Promise<void> {
    this.#refuseRest();
    const unended = await this.#driver.stop();
    await this.#parts.log.close();
    this.#parts.listener.settled(this.snapshot, unended);
  }

  /** From here on nothing is taken; whoever waits for an answer is told so. */
  #refuseRest(): void {
    this.#stopped = true;
    for (const { answer } of this.#mailbox.slice(this.#position.taken)) answer?.({ taken: false });
  }

  #break(error: unknown): void {
    this.#refuseRest();
    const report = () => this.#parts.listener.broken(error);
    const close = () => this.#parts.log.close();
    // The log may be what broke; its error is the one that is told.
    this.#driver.stop().then(close).then(report, report);
  }

  #perform(start: Start, signal: AbortSignal): Promise<Completion | undefined> {
    const { program, meta, clock, performer, log, listener } = this.#parts;
    return performAttempt(
      {
        program,
        runId: meta.runId,
        clock,
        performer,
        journal: this.#journal,
        snapshot: () => this.snapshot,
        ask: (completion) => this.#ask(completion),
        flush: () => log.flush(),
        delta: (id, _, text) => listener.delta(id, text),
      },
      start,
      signal,
    );
  }

  #label(id: number): string {
    const run = this.snapshot.open.get(id);
    const node = run === undefined ? undefined : this.#parts.program.nodes[run.node];
    return node === undefined ? `node run ${id}` : `${node.ir.name}#${run?.ordinal}`;
  }
}

/** The loop gives way to the rest of the process this often. */
const COMMITS_A_TURN = 256;
const TURN_MS = 5;

/** Whether a run waits for nobody: it ended, or a person stopped it. */
export function standsStill({ status }: Snapshot): boolean {
  return status !== "created" && status !== "running" && status !== "waiting";
}

function answerOf({ records }: Advance): Asked {
  const [first] = records;
  if (first === undefined) return { taken: false };
  if (first.kind === "start" || first.kind === "intent" || first.kind === "outcome") {
    return { taken: true };
  }
  const failure: Failure | undefined = first.kind === "attempt" ? first.failure : undefined;
  return failure === undefined ? { taken: false } : { taken: false, failure };
}

function summaryOf(snapshot: Snapshot): SummaryUpdate {
  const { status, reason, steps, usage, failure } = snapshot;
  return {
    status,
    reason,
    steps,
    usage,
    ...(failure === undefined ? {} : { error: { code: failure.code, message: failure.message } }),
  };
}
