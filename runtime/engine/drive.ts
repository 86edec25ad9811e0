/** Drives a run in this process, or follows the process that drives it, and passes on what happens. */
import type { Ir } from "../../dsl/index.ts";
import type { Acknowledgement } from "../attempt/post-completion.ts";
import { Breakpoints } from "../breakpoints/breakpoints.ts";
import { Moves } from "../breakpoints/moves.ts";
import { isSameShape } from "../edited-program/same-shape.ts";
import { messageOf, RunError } from "../failure.ts";
import { type SnapshotAt, SnapshotKeeper } from "../history/keep-snapshots.ts";
import type { Past } from "../history/past.ts";
import { RunHistory } from "../history/run-history.ts";
import { isSameText } from "../history/same-text.ts";
import { isOver, stopAt, stopOf } from "../history/standstill.ts";
import type { LogRecord } from "../records/records.ts";
import { Inbox } from "../remote/inbox.ts";
import { RemoteOwner } from "../remote/remote-owner.ts";
import { Outbox } from "../remote/run-notes.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import {
  drivenElsewhere,
  endError,
  lostProcess,
  nothingStored,
  otherProgramFirst,
} from "../run/run-errors.ts";
import type { RunParts } from "../run/run-parts.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Note, RunLog } from "../store/run-store.ts";
import { Engine } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import { RunPromises } from "./run-promises.ts";

export interface DriveHost {
  readonly run: DrivenRun;
  readonly parts: RunParts;
  /** Nothing goes on before somebody answers. */
  waiting(): void;
  /** Called after each record of this process's engine. */
  recorded(record: LogRecord, snapshot: Snapshot): void;
  /** Takes in what somebody said to the run elsewhere; what came of it. */
  noted(note: Note): Promise<string | undefined>;
}

export class Drive {
  readonly history: RunHistory;
  readonly breakpoints: Breakpoints;
  readonly moves = new Moves();
  readonly promises = new RunPromises();
  readonly remoteOwner: RemoteOwner;
  /** Notes to a run that another process drives. */
  readonly outbox: Outbox;
  readonly #inbox: Inbox;
  readonly unended: string[] = [];
  readonly #closing = new Closing();
  readonly #host: DriveHost;
  #engine: Engine | undefined;

  /** `past` is the log of a run that goes on. */
  constructor(host: DriveHost, past: Past) {
    const { program, meta } = host.parts;
    this.#host = host;
    this.history = new RunHistory(program, meta);
    this.breakpoints = new Breakpoints(program.ir);
    this.remoteOwner = this.#newElsewhere();
    const { clock, stored } = host.parts;
    const notes = stored?.notes;
    const isDriven = () => this.remoteOwner.isDriven();
    this.outbox = new Outbox({ runId: meta.runId, clock, notes, isDriven });
    this.#inbox = new Inbox({ clock, notes, take: (note) => host.noted(note) });
    this.history.begin(past);
    // Nobody here drives it: it stands still until it is resumed.
    if (this.history.lastSeq >= 0) this.promises.standsStill();
  }

  /** The engine of this process, while it drives the run. */
  get engine(): Engine | undefined {
    return this.#engine;
  }

  get snapshot(): Snapshot {
    return this.history.snapshot;
  }

  get isAtItsEnd(): boolean {
    return this.#engine === undefined && isOver(this.snapshot);
  }

  /** True while another process drives the run. */
  get isElsewhere(): boolean {
    return this.#engine === undefined && this.remoteOwner.isDriven();
  }

  /** Resolves when the process that drives it has brought it to rest. */
  async untilRest(): Promise<void> {
    this.remoteOwner.follow();
    if (this.remoteOwner.isWatching) await this.settled();
    this.catchUp();
  }

  settled(): Promise<void> {
    this.remoteOwner.keepAlive();
    return this.promises.settled;
  }

  /** A run without a record has not even its input: its process died in the moment of its start. */
  assertBegun(): void {
    const isThere = this.history.lastSeq >= 0 || this.#engine !== undefined;
    if (!isThere) throw nothingStored(this.#host.run);
  }

  assertHere(verb?: string): void {
    if (this.remoteOwner.isWatching) throw drivenElsewhere(this.#host.run, verb);
  }

  /**
   * Has the run take what a person says, also where it stands still, and says whether that came too late: the run was
   * coming to rest, and stands now.
   */
  async isTooLate(completionAt: (at: number) => Completion): Promise<boolean> {
    const wasResting = this.#engine === undefined;
    const engine = this.#engine ?? this.reopen();
    const { promise, resolve } = Promise.withResolvers<Acknowledgement>();
    engine.post(completionAt(this.#host.parts.clock.now()), { answer: resolve });
    const isLate = isRefused(await promise);
    if (wasResting || isLate) await this.settled();
    return isLate;
  }

  /** Drives a run that stood still; `goesOn` where what is told it first tells its log the program. */
  reopen({ recordsProgram = false }: { readonly recordsProgram?: boolean } = {}): Engine {
    const { run, parts } = this.#host;
    if (!recordsProgram && isReshaped(this.history, parts)) throw otherProgramFirst(run);
    return this.open(() => {
      // Between the last look and the lease, its process may have written more.
      this.catchUp();
      this.remoteOwner.stop();
      this.promises.underWay();
      this.#renew();
    });
  }

  /** `renew` makes it a run under way for whoever is told that it starts. */
  open(renew: () => void = () => {}): Engine {
    const { run, parts, waiting } = this.#host;
    const { program, meta, clock, started } = parts;
    const log = parts.openLog();
    renew();
    started?.(run);
    const { history, moves } = this;
    this.#engine = new Engine({
      program,
      meta,
      clock,
      log,
      ...parts.engine(log),
      ...(history.lastSeq < 0 ? {} : { past: history.snapshot }),
      breakpoints: this.breakpoints,
      lastSeq: history.lastSeq,
      journal: () => history.journal(),
      ...this.#keeper(log),
      listener: {
        recorded: (record, snapshot) => this.#take(record, snapshot),
        transient: (nodeRun, body) => history.transient({ nodeRun, at: clock.now() }, body),
        waiting,
        held: (hold) => moves.held(stopAt(hold, run)),
        settled: (snapshot) => this.#settle(snapshot),
        broken: (error) => this.#break(error),
        unended: (label) => this.unended.push(label),
      },
    });
    this.#inbox.open(history.lastSeq >= 0);
    return this.#engine;
  }

  /** Takes what others wrote to the log since. */
  catchUp(): void {
    const { stored } = this.#host.parts;
    if (this.#engine !== undefined || stored === undefined) return;
    const news = stored.readAfter(this.history.lastSeq);
    if (news.length === 0) return;
    this.#renew();
    this.history.fold(news);
    // Whoever was told of them may have gone on with it.
    if (!this.isAtItsEnd) return;
    this.decide();
    this.promises.standsStill();
  }

  /** Tells those who wait what has come of it, if it is over. */
  decide(): void {
    const { status, output = {} } = this.snapshot;
    if (!isOver(this.snapshot)) return;
    this.history.end();
    if (status === "succeeded") this.promises.succeeded(output);
    else this.promises.failed(endError(this.#host.run, () => this.history.recentRecords));
  }

  /** Closes what its performers have open; throws what could not be closed. */
  close(): Promise<void> {
    const { run, parts } = this.#host;
    return this.#closing.end(run, parts.dispose);
  }

  /** The run is no longer over: renews the promise of its output. */
  #renew(): void {
    if (isOver(this.snapshot)) this.history.reopen();
    else if (!this.promises.isGivenUp) return;
    this.promises.renewOutput();
  }

  /** Stores snapshots only while one program, that of its start, folds the whole log. */
  #keeper(log: RunLog): Pick<EngineParts, "snapshots"> {
    const { meta, program, snapshots, past } = this.#host.parts;
    const { hash } = program.ir;
    if (snapshots === undefined || hash !== meta.graphHash) return {};
    const isKept = () => this.history.program === undefined;
    const passed = (earlier: SnapshotAt) => {
      if (past !== undefined) this.history.release(earlier, past);
    };
    const parts = { snapshots, meta, log, isKept, passed };
    return { snapshots: new SnapshotKeeper(parts, this.history.cutSeq, this.history.storedChunks) };
  }

  #newElsewhere(): RemoteOwner {
    const { clock, stored } = this.#host.parts;
    return new RemoteOwner({
      clock,
      stored,
      snapshot: () => (this.#engine === undefined ? this.snapshot : undefined),
      catchUp: () => this.catchUp(),
      begun: () => {
        this.promises.underWay();
        this.#renew();
      },
      rested: () => this.promises.standsStill(),
      lost: () => this.promises.giveUp(lostProcess(this.#host.run)),
      failed: (error) => this.#break(error),
    });
  }

  #take(record: LogRecord, snapshot: Snapshot): void {
    this.history.take(record, snapshot);
    this.#host.parts.recorded?.(record);
    this.#host.recorded(record, snapshot);
  }

  #settle(snapshot: Snapshot): void {
    this.history.snapshot = snapshot;
    this.#engine = undefined;
    this.#inbox.close();
    if (isOver(snapshot)) {
      this.#closing.begin(this.#host.parts.dispose, true);
      this.decide();
    }
    this.promises.standsStill();
    this.moves.settled(stopOf(snapshot));
  }

  #break(error: unknown): void {
    this.#engine = undefined;
    this.#inbox.close();
    this.promises.broken(error);
    this.moves.broken(error);
  }
}

/** A log that does not say so would be read with the numbers of another program. */
function isReshaped(history: RunHistory, { program, meta }: RunParts): boolean {
  const last = history.program ?? meta.ir;
  return last.hash !== program.ir.hash && !isSameShape(last, program.ir);
}

/** The program that the run goes on with, where its log has another one. */
export function otherProgram(history: RunHistory, { program, meta }: RunParts): Ir | undefined {
  const last = history.program ?? meta.ir;
  return isSameText(last, program.ir) ? undefined : program.ir;
}

/** Returns whether an entry was refused because the run was coming to rest. */
export function isRefused(asked: Acknowledgement): boolean {
  return !asked.taken && asked.isRefused === true;
}

type Dispose = ((isOver: boolean) => Promise<readonly unknown[]>) | undefined;

/** Lets go of what a run has open when it is over; what that failed with waits until somebody asks. */
class Closing {
  #errors: Promise<readonly unknown[]> = Promise.resolve([]);

  begin(dispose: Dispose, isOver: boolean): void {
    if (dispose === undefined) return;
    const before = this.#errors;
    this.#errors = dispose(isOver).then(async (errors) => [...(await before), ...errors]);
    this.#errors.catch(() => {});
  }

  /** Throws M8510 with everything that could not be closed, once. */
  async end({ id: runId }: { readonly id: string }, dispose: Dispose): Promise<void> {
    this.begin(dispose, false);
    const errors = await this.#errors;
    this.#errors = Promise.resolve([]);
    if (errors.length === 0) return;
    const messages = errors.map(messageOf).join("; ");
    throw new RunError("M8510", `${errors.length} sessions could not be closed: ${messages}`, {
      hint: "their processes may still run; end them by hand",
      runId,
      cause: new AggregateError(errors),
    });
  }
}
