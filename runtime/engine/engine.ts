/** One run under way: the mailbox, its one loop, and what follows each step of it. Advance, log, publish, start, emit. */

import type { AttemptHost, Ended } from "../attempt/attempt-host.ts";
import { keepCached } from "../attempt/cached.ts";
import { performAttempt } from "../attempt/perform-attempt.ts";
import { OfferedStreams, Streams } from "../attempt/streams.ts";
import { type MakeCall, madeOf } from "../attempt/with-calls.ts";
import { Cancellation } from "../cancellation.ts";
import type { Journal } from "../history/journal.ts";
import { standsStill } from "../history/standstill.ts";
import { numberRecord } from "../records/number-record.ts";
import type { LogRecord } from "../records/records.ts";
import { type Advance, isDeferred } from "../scheduler/advance.ts";
import { labelOf, locate } from "../scheduler/called-graphs/locate.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { Start } from "../scheduler/consequences.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { SummaryUpdate } from "../store/run-store.ts";
import { keepsFields, keptWrites } from "../threads/lasting-fields.ts";
import type { Driver } from "./driver.ts";
import type { EngineParts } from "./engine-parts.ts";
import { type Advanced, advanceOrHold, type Goal, type Hold } from "./hold.ts";
import {
  answerOf,
  isOfAttempt,
  isRewind,
  isSaid,
  type MailboxEntry,
  type Position,
  REFUSED,
} from "./mailbox-entry.ts";

export class Engine {
  readonly #parts: EngineParts;
  #driver: Driver;
  readonly #host: AttemptHost;
  readonly #streams: Streams;
  #journal: Journal;
  #mailbox: MailboxEntry[] = [];
  #position: Position;
  #goal: Goal = "end";
  /** Attempts that breakpoints have held already. */
  readonly #passed = new Set<string>();
  /** Whether a branch was ever held by itself. */
  #holdsBranches = false;
  /** Letters that wait for functions in expressions; the others don't wait for them. */
  readonly #keepsFields: boolean;
  readonly #parked = new Set<MailboxEntry>();
  readonly #calling = new Cancellation();
  #seq: number;
  #draining = false;
  #clearing = false;
  #stopped = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#keepsFields = keepsFields(parts.program);
    this.#position = { snapshot: parts.past ?? emptySnapshot(), taken: 0, waiting: [] };
    this.#journal = parts.journal();
    this.#seq = parts.lastSeq + 1;
    this.#host = this.#newHost();
    this.#driver = this.#newDriver();
    const { offered = new OfferedStreams(), clock } = parts;
    this.#streams = new Streams({ offered, clock, call: (call) => this.#call(call) });
  }

  get snapshot(): Snapshot {
    return this.#position.snapshot;
  }

  /** Puts a completion into the mailbox. What comes after the run stands still changes nothing. */
  post(completion: Completion, more: Pick<MailboxEntry, "answer" | "goal"> = {}): void {
    this.#deliver({ completion, ...more });
  }

  /** Stops driving a run that waits: it goes on waiting in its log. */
  async rest(): Promise<void> {
    if (!this.#stopped) await this.#settle();
  }

  #deliver(letter: MailboxEntry): void {
    if (this.#stopped || (this.#clearing && isOfAttempt(letter))) {
      letter.answer?.(REFUSED);
      return;
    }
    this.#mailbox.push(letter);
    if (this.#draining) return;
    this.#draining = true;
    // In a turn of its own: whoever posts is never run over by what follows from it.
    void RESOLVED.then(this.#drain);
  }

  /** Reads the mailbox for one turn; no promise of its own, as a plain step needs none. */
  #drain = (): void => {
    const since = performance.now();
    let commits = 0;
    try {
      while (commits < COMMITS_A_TURN && performance.now() - since < TURN_MS) {
        const letter = this.#stopped ? undefined : this.#next();
        if (letter === undefined) {
          this.#drained();
          return;
        }
        const read = this.#read(letter);
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
    this.#position = { ...this.#position, taken: 0 };
    this.#mailbox = [];
    this.#draining = false;
    if (this.snapshot.status === "waiting" && !this.#stopped) {
      this.#parts.listener.waiting(this.snapshot);
    }
  }

  #next(): MailboxEntry | undefined {
    const { snapshot, taken, waiting } = this.#position;
    const first =
      waiting.length === 0
        ? undefined
        : waiting.find(({ completion }) => !isDeferred(snapshot, completion));
    return first ?? this.#mailbox[taken];
  }

  /** The position behind a letter: out of the mailbox, or out of those that waited. */
  #behind(letter: MailboxEntry, snapshot: Snapshot): Position {
    const { taken, waiting } = this.#position;
    if (waiting.length === 0 || !waiting.includes(letter)) {
      return { snapshot, taken: taken + 1, waiting };
    }
    return { snapshot, taken, waiting: waiting.filter((other) => other !== letter) };
  }

  #read(letter: MailboxEntry): number | Promise<number> {
    const { snapshot, taken, waiting } = this.#position;
    if (letter.cancellation?.isCancelled === true) {
      this.#position = this.#behind(letter, snapshot);
      letter.answer?.({ taken: false });
      return 0;
    }
    if (isDeferred(snapshot, letter.completion)) {
      this.#position = { snapshot, taken: taken + 1, waiting: [...waiting, letter] };
      return 0;
    }
    if (letter.goal !== undefined) this.#goal = letter.goal;
    if (isRewind(letter.completion)) return this.#clear().then(() => this.#take(letter));
    return this.#take(letter);
  }

  #take(letter: MailboxEntry): number | Promise<number> {
    const { snapshot } = this.#position;
    const advanced = this.#tryAdvance(letter);
    if (advanced instanceof CallNeeded) {
      this.#position = this.#behind(letter, snapshot);
      const answered = this.#answered(letter, advanced);
      // Before its first record there is nothing that others could be told of.
      return snapshot.status === "created" ? answered.then(() => 0) : 0;
    }
    const { hold, result, at } = advanced;
    const records = this.#log(result, at);
    const behind = this.#behind(letter, result.snapshot);
    this.#position =
      result.deferred === true ? { ...behind, waiting: [letter, ...behind.waiting] } : behind;
    const taken: Taken = { letter, result, hold, records };
    if (records.length > 0 && this.#isStoredFirst(taken, snapshot)) {
      return this.#parts.log.flush().then(() => this.#tell(taken));
    }
    return this.#tell(taken);
  }

  /** Numbers what was decided and hands it to the log. */
  #log({ records: bodies, snapshot }: Advance, at: number): readonly LogRecord[] {
    if (bodies.length === 0) return NONE;
    const { log, redact, cache } = this.#parts;
    const first = this.#seq;
    const records = bodies.map((body, index) =>
      redact(numberRecord(body, { seq: first + index, at })),
    );
    this.#seq += records.length;
    const summary = summaryOf(snapshot);
    const last = this.#keepsFields ? { ...summary, ...this.#kept(records, snapshot) } : summary;
    for (const record of records) {
      log.append(record, record.seq === this.#seq - 1 ? last : summary);
      this.#journal.note(record);
      keepCached(cache, record);
    }
    return records;
  }

  /** Whether nobody is told of it before it is on disk. */
  #isStoredFirst({ letter, result, hold }: Taken, before: Snapshot): boolean {
    // The first record has the input: with it on disk, whatever happens, the run can go on from its start.
    if (before.status === "created" || this.#parts.meta.durability === "sync") return true;
    return hold !== undefined || result.snapshot.status === "waiting" || isSaid(letter);
  }

  /** What follows from a letter once it is logged. */
  #tell({ letter, result, hold, records }: Taken): number | Promise<number> {
    this.#follow(result);
    for (const record of records) this.#parts.listener.recorded(record, result.snapshot);
    if (isRewind(letter.completion)) this.#journal = this.#parts.journal();
    // Behind the events: an attempt goes on from here at once. Before the hold: a move that it ends has begun by then.
    if (result.deferred !== true) letter.answer?.(answerOf(result));
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

  #tryAdvance(letter: MailboxEntry): Advanced | CallNeeded {
    try {
      return this.#advance(this.#dated(letter));
    } catch (error) {
      if (error instanceof CallNeeded) return error;
      throw error;
    }
  }

  /** Has the calls made that a letter needs, and puts it at the end of the mailbox again; a run's first one stays the first. */
  async #answered(letter: MailboxEntry, needed: CallNeeded): Promise<void> {
    this.#parked.add(letter);
    const { calls: known = [] } = letter.completion;
    try {
      const made = await madeOf(needed, (call) => this.#call(call));
      if (!this.#parked.delete(letter)) return;
      const again = { ...letter, completion: { ...letter.completion, calls: [...known, ...made] } };
      if (this.snapshot.status !== "created") this.#deliver(again);
      else this.#position = { ...this.#position, waiting: [again, ...this.#position.waiting] };
    } catch (error) {
      // Only an engine that stops calls off; whoever waits has been told by then.
      if (this.#parked.delete(letter)) this.#break(error);
    }
  }

  #call: MakeCall = (call) => {
    const { call: make } = this.#parts;
    if (make === undefined) throw new Error(`M9000: nobody calls \`${call.name}\``);
    return make(call, this.#calling);
  };

  /** What waited happens when the run goes on: the times of a log never go back. */
  #dated({ completion }: MailboxEntry): Completion {
    const { snapshot, waiting } = this.#position;
    if (completion.at >= snapshot.lastAt) return completion;
    const hasWaited =
      completion.calls !== undefined || waiting.some((letter) => letter.completion === completion);
    return hasWaited ? { ...completion, at: snapshot.lastAt } : completion;
  }

  /** Decides on a completion, and on the hold instead of it or behind it. */
  #advance(completion: Completion): Advanced {
    const { program, redact, breakpoints } = this.#parts;
    const { snapshot } = this.#position;
    if (completion.kind === "branch" || breakpoints.holdsBranches) this.#holdsBranches = true;
    const standing = {
      ...{ program, snapshot, breakpoints, goal: this.#goal, passed: this.#passed },
      holdsBranches: this.#holdsBranches,
    };
    return advanceOrHold(standing, completion, redact);
  }

  #follow({ starts, cancels, timers }: Advance): void {
    for (const id of cancels) this.#driver.cancel(id);
    this.#streams.closeGone(this.#isOpen);
    for (const timer of timers) this.#driver.keep(timer);
    for (const start of starts) this.#driver.start(start);
  }

  #isOpen = (id: number): boolean => locate(this.#parts.program, this.snapshot, id) !== undefined;

  /** Calls off everything that is under way, before a rewind: what it still says is heard by nobody. */
  async #clear(): Promise<void> {
    this.#clearing = true;
    this.#refuse(isOfAttempt);
    this.#position = { ...this.#position, waiting: [] };
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

  /** From here on nothing is taken; whoever waits for an answer is told so. */
  #refuseRest(): void {
    this.#stopped = true;
    this.#calling.cancel();
    this.#refuse(() => true);
  }

  #refuse(which: (letter: MailboxEntry) => boolean): void {
    const { taken, waiting } = this.#position;
    for (const letter of [...waiting, ...this.#mailbox.slice(taken), ...this.#parked]) {
      if (!which(letter)) continue;
      this.#parked.delete(letter);
      letter.answer?.(REFUSED);
    }
  }

  #break(error: unknown): void {
    this.#refuseRest();
    const report = () => this.#parts.listener.broken(error);
    const close = () => this.#parts.log.close();
    // The log may be what broke; its error is the one that is told.
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

  /** What attempts need of the run. */
  #newHost(): AttemptHost {
    const { program, meta, clock, performer, log, listener, earlier, cache, serving } = this.#parts;
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
      delta: (id, text) => listener.delta(id, text),
    };
  }

  #label(id: number): string {
    const located = locate(this.#parts.program, this.snapshot, id);
    return located === undefined ? `node run ${id}` : labelOf(located);
  }
}

interface Taken {
  readonly letter: MailboxEntry;
  readonly result: Advance;
  readonly hold: Hold | undefined;
  readonly records: readonly LogRecord[];
}

const NONE: readonly never[] = [];
const RESOLVED = Promise.resolve();

/** The loop gives way to the rest of the process this often. */
const COMMITS_A_TURN = 256;
const TURN_MS = 5;

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
