/** Drives one run: decides on each completion of its mailbox, logs what was decided, tells listeners, and starts attempts. */

import type { AttemptHost, Ended } from "../attempt/attempt-host.ts";
import { keepCached } from "../attempt/cached.ts";
import { performAttempt } from "../attempt/perform-attempt.ts";
import { EachStreams, OfferedStreams } from "../attempt/streams.ts";
import { type MakeCall, madeOf } from "../attempt/with-calls.ts";
import { Cancellation } from "../cancellation.ts";
import type { Journal } from "../history/journal.ts";
import { standsStill } from "../history/standstill.ts";
import { type LogRecord, numberRecord } from "../records/records.ts";
import { type Advance, isDeferred, type Start } from "../scheduler/advance.ts";
import { labelOf, locate } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { grown } from "../state/persistent.ts";
import type { SummaryUpdate } from "../store/run-store.ts";
import { keepsFields, keptWrites } from "../threads/load-lasting-fields.ts";
import { memoryChanges } from "../threads/memory-changes.ts";
import type { Driver } from "./driver.ts";
import { restsUntil } from "./due.ts";
import type { EngineParts } from "./engine-parts.ts";
import { type Advanced, advanceOrHold, type Goal, type Hold } from "./hold.ts";
import { Mailbox } from "./mailbox.ts";
import {
  answerOf,
  isOfAttempt,
  isRewind,
  isSaid,
  type MailboxEntry,
  REFUSED,
} from "./mailbox-entry.ts";

export class Engine {
  readonly #parts: EngineParts;
  #driver: Driver;
  readonly #host: AttemptHost;
  readonly #streams: EachStreams;
  #journal: Journal;
  readonly #mailbox: Mailbox;
  #goal: Goal = "end";
  /** Attempts that breakpoints have held already. */
  readonly #passed = new Set<string>();
  /** Set once a single branch was held while others went on. */
  #holdsBranches = false;
  readonly #keepsFields: boolean;
  readonly #calling = new Cancellation();
  #seq: number;
  #draining = false;
  #clearing = false;
  #stopped = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#keepsFields = keepsFields(parts.program);
    this.#mailbox = new Mailbox(parts.past ?? emptySnapshot());
    this.#journal = parts.journal();
    this.#seq = parts.lastSeq + 1;
    this.#host = this.#newHost();
    this.#driver = this.#newDriver();
    const { offered = new OfferedStreams(), clock } = parts;
    this.#streams = new EachStreams({ offered, clock, call: (call) => this.#call(call) });
  }

  get snapshot(): Snapshot {
    return this.#mailbox.snapshot;
  }

  /** Puts a completion into the mailbox; a run that has stopped refuses it. */
  post(completion: Completion, more: Pick<MailboxEntry, "answer" | "goal"> = {}): void {
    this.#deliver({ completion, ...more });
  }

  /** Stops driving a run that waits. In its log it goes on waiting. */
  async rest(): Promise<void> {
    if (!this.#stopped) await this.#settle();
  }

  /** Lets the process end before what a waiting run waits for is due. While the process lasts, the run goes on when it is. */
  releaseProcess(): void {
    this.#driver.release();
  }

  #deliver(entry: MailboxEntry): void {
    if (this.#stopped || (this.#clearing && isOfAttempt(entry))) {
      entry.answer?.(REFUSED);
      return;
    }
    this.#mailbox.push(entry);
    if (this.#draining) return;
    this.#draining = true;
    // In a microtask: `post` returns before the loop runs.
    void RESOLVED.then(this.#drain);
  }

  /** Reads the mailbox for one turn of the event loop. It makes no promise of its own: a plain step needs none. */
  #drain = (): void => {
    const since = performance.now();
    let commits = 0;
    try {
      while (commits < COMMITS_A_TURN && performance.now() - since < TURN_MS) {
        const entry = this.#stopped ? undefined : this.#mailbox.next();
        if (entry === undefined) {
          this.#drained();
          return;
        }
        const read = this.#read(entry);
        if (typeof read !== "number") {
          read.then(this.#drain, (error: unknown) => this.#break(error));
          return;
        }
        commits += read;
      }
      setImmediate(this.#drain);
    } catch (error) {
      this.#break(error);
    }
  };

  #drained(): void {
    this.#mailbox.clearRead();
    this.#draining = false;
    if (this.snapshot.status === "waiting" && !this.#stopped) {
      this.#parts.listener.waiting(this.snapshot);
    }
  }

  #read(entry: MailboxEntry): number | Promise<number> {
    if (entry.cancellation?.isCancelled === true) {
      this.#mailbox.remove(entry);
      entry.answer?.({ taken: false });
      return 0;
    }
    if (isDeferred(this.snapshot, entry.completion)) {
      this.#mailbox.defer(entry);
      return 0;
    }
    if (entry.goal !== undefined) this.#goal = entry.goal;
    if (isRewind(entry.completion)) return this.#clear().then(() => this.#take(entry));
    return this.#take(entry);
  }

  #take(entry: MailboxEntry): number | Promise<number> {
    const { snapshot } = this;
    const advanced = this.#tryAdvance(entry);
    if (advanced instanceof CallNeeded) {
      this.#mailbox.park(entry);
      const answered = this.#answered(entry, advanced);
      // Before the first record of a run, nothing else can be decided.
      return snapshot.status === "created" ? answered.then(() => 0) : 0;
    }
    const { hold, result, at } = advanced;
    const records = this.#log(result, at);
    if (result.deferred === true) this.#mailbox.postpone(entry, result.snapshot);
    else this.#mailbox.remove(entry, result.snapshot);
    const taken: DecidedEntry = { entry, result, hold, records };
    if (records.length > 0 && this.#isStoredFirst(taken, snapshot)) {
      return this.#parts.log.flush().then(() => this.#tell(taken));
    }
    return this.#tell(taken);
  }

  /** Numbers what was decided and hands it to the log. */
  #log({ records: bodies, snapshot }: Advance, at: number): readonly LogRecord[] {
    if (bodies.length === 0) return NONE;
    const { log, redact, cache } = this.#parts;
    let records: LogRecord[] = [];
    const first = this.#seq;
    for (const body of bodies) {
      records = grown(records, redact(numberRecord(body, first + records.length, at)));
    }
    this.#seq += records.length;
    const summary = summaryOf(snapshot);
    const memories = memoryChanges(this.#parts.meta, records);
    const last = {
      ...summary,
      ...(this.#keepsFields ? this.#kept(records, snapshot) : {}),
      ...(memories.length === 0 ? {} : { memories }),
    };
    for (const record of records) {
      log.append(record, record.seq === this.#seq - 1 ? last : summary);
      this.#journal.note(record);
      keepCached(cache, record);
    }
    return records;
  }

  /** Returns whether the entry must be on disk before listeners are told. */
  #isStoredFirst({ entry, result, hold }: DecidedEntry, before: Snapshot): boolean {
    // The first record has the input: with it on disk, the run can always begin again.
    if (before.status === "created" || this.#parts.meta.durability === "sync") return true;
    return hold !== undefined || result.snapshot.status === "waiting" || isSaid(entry);
  }

  /** Does what follows from an entry that is logged: starts, cancels, events, the answer to its sender. */
  #tell({ entry, result, hold, records }: DecidedEntry): number | Promise<number> {
    this.#follow(result);
    for (const record of records) this.#parts.listener.recorded(record, result.snapshot);
    if (isRewind(entry.completion)) this.#journal = this.#parts.journal();
    // After the events, since the attempt continues at once; before the hold, since a step that it ends has begun by then.
    if (result.deferred !== true) entry.answer?.(answerOf(result));
    if (hold !== undefined) this.#parts.listener.held(hold);
    const { length } = records;
    if (length > 0) this.#parts.snapshots?.note(this.#seq - 1, result.snapshot, this.#journal);
    // Also from one standstill to the next: an abort while paused, a resume that its limit ends at once.
    if (length > 0 && standsStill(result.snapshot)) return this.#settle().then(() => length);
    return length;
  }

  #kept(records: readonly LogRecord[], after: Snapshot): Pick<SummaryUpdate, "kept"> {
    const { program, meta } = this.#parts;
    return { kept: keptWrites(program, meta, { before: this.snapshot, after, records }) };
  }

  #tryAdvance(entry: MailboxEntry): Advanced | CallNeeded {
    try {
      return this.#advance(this.#dated(entry));
    } catch (error) {
      if (error instanceof CallNeeded) return error;
      throw error;
    }
  }

  /** Makes the calls that an entry needs, and puts it at the end of the mailbox; the first entry of a run stays the first. */
  async #answered(entry: MailboxEntry, needed: CallNeeded): Promise<void> {
    const { calls: known = [] } = entry.completion;
    try {
      const made = await madeOf(needed, (call) => this.#call(call));
      if (!this.#mailbox.unpark(entry)) return;
      const again = { ...entry, completion: { ...entry.completion, calls: [...known, ...made] } };
      if (this.snapshot.status !== "created") this.#deliver(again);
      else this.#mailbox.pushFirst(again);
    } catch (error) {
      // Only an engine that stops cancels calls; senders have been told by then.
      if (this.#mailbox.unpark(entry)) this.#break(error);
    }
  }

  #call: MakeCall = (call) => {
    const { call: make } = this.#parts;
    if (make === undefined) throw new Error(`M9000: nobody calls \`${call.name}\``);
    return make(call, this.#calling);
  };

  /** Gives what waited the time at which the run continued: the times of a log never go back. */
  #dated({ completion }: MailboxEntry): Completion {
    const { lastAt } = this.snapshot;
    if (completion.at >= lastAt) return completion;
    const hasWaited = completion.calls !== undefined || this.#mailbox.isWaiting(completion);
    return hasWaited ? { ...completion, at: lastAt } : completion;
  }

  /** Decides on a completion, and on the hold instead of it or behind it. */
  #advance(completion: Completion): Advanced {
    const { program, redact, breakpoints } = this.#parts;
    const { snapshot } = this;
    if (completion.kind === "branch" || breakpoints.holdsBranches) this.#holdsBranches = true;
    const context = {
      ...{ program, snapshot, breakpoints, goal: this.#goal, passed: this.#passed },
      holdsBranches: this.#holdsBranches,
    };
    return advanceOrHold(context, completion, redact);
  }

  #follow({ starts, cancels, timers }: Advance): void {
    for (const id of cancels) this.#driver.cancel(id);
    this.#streams.closeGone(this.#isOpen);
    for (const timer of timers) this.#driver.keep(timer);
    for (const start of starts) this.#driver.start(start);
  }

  #isOpen = (id: number): boolean => locate(this.#parts.program, this.snapshot, id) !== undefined;

  /** Cancels everything that is under way, before a rewind, and refuses what it still posts. */
  async #clear(): Promise<void> {
    this.#clearing = true;
    this.#mailbox.refuse(isOfAttempt);
    this.#mailbox.clearWaiting();
    await this.#stopDriver();
    this.#driver = this.#newDriver();
    this.#clearing = false;
  }

  async #settle(): Promise<void> {
    this.#refuseRest();
    await this.#stopDriver();
    await this.#parts.log.close();
    this.#parts.snapshots?.rest(this.#seq - 1, this.snapshot, this.#journal);
    this.#parts.listener.settled(this.snapshot);
  }

  async #stopDriver(): Promise<void> {
    const [unended] = await Promise.all([this.#driver.stop(), this.#streams.close()]);
    for (const label of unended) this.#parts.listener.unended(label);
  }

  /** Takes nothing from here on, and tells the senders that wait. */
  #refuseRest(): void {
    this.#stopped = true;
    this.#calling.cancel();
    this.#mailbox.refuse(() => true);
  }

  #break(error: unknown): void {
    this.#refuseRest();
    const report = () => this.#parts.listener.broken(error);
    const close = () => this.#parts.log.close();
    // The log may be what broke: the first error is the one that is reported.
    const stopped = Promise.all([this.#driver.stop(), this.#streams.close()]);
    stopped.then(close).then(report, report);
  }

  #newDriver(): Driver {
    return this.#parts.driver({
      post: (completion) => this.post(completion),
      perform: (start, of) => this.#perform(start, of),
      label: (id) => this.#label(id),
      broken: (error) => this.#break(error),
    });
  }

  #perform(start: Start, of: { readonly cancellation: Cancellation; readonly ended: Ended }): void {
    const { program } = this.#parts;
    const own = this.snapshot.open.get(start.id);
    const located =
      own === undefined || own.source !== undefined
        ? locate(program, this.snapshot, start.id)
        : undefined;
    if (located?.run.source === undefined) performAttempt(this.#host, start, of);
    else void this.#streams.completion(located, start, of.cancellation).then(of.ended);
  }

  /** The methods of the run that attempts call. */
  #newHost(): AttemptHost {
    const { program, meta, clock, performer, log, listener } = this.#parts;
    const { earlier, cache, serving, interceptors, embed } = this.#parts;
    const journal = () => this.#journal;
    return {
      program,
      runId: meta.runId,
      threadId: meta.threadId,
      clock,
      performer,
      get journal() {
        return journal();
      },
      snapshot: () => this.snapshot,
      post: (completion, answer, cancellation) =>
        this.#deliver({ completion, answer, cancellation }),
      flush: () => log.flush(),
      call: this.#call,
      ...(earlier === undefined ? {} : { earlier }),
      ...(cache === undefined ? {} : { cache }),
      ...(serving === undefined ? {} : { serving }),
      ...(embed === undefined ? {} : { embed }),
      ...(interceptors === undefined ? {} : { interceptors }),
      transient: (id, body) => listener.transient(id, body),
    };
  }

  #label(id: number): string {
    const located = locate(this.#parts.program, this.snapshot, id);
    return located === undefined ? `node run ${id}` : labelOf(located);
  }
}

interface DecidedEntry {
  readonly entry: MailboxEntry;
  readonly result: Advance;
  readonly hold: Hold | undefined;
  readonly records: readonly LogRecord[];
}

const NONE: readonly never[] = [];
const RESOLVED = Promise.resolve();

/** The loop gives way to the rest of the process this often. */
const COMMITS_A_TURN = 256;
const TURN_MS = 5;

/** The summary of a run as lists show it. */
export function summaryOf(snapshot: Snapshot): SummaryUpdate {
  const { status, reason, steps, usage, failure } = snapshot;
  const summary = { status, reason, steps, usage, dueAt: () => restsUntil(snapshot) };
  if (failure === undefined) return summary;
  const { code, message } = failure;
  return { ...summary, error: { code, message } };
}
