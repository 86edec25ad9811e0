/** Keeps the history of a run in memory: its records, its snapshot, its events and its steps. */
import type { Observable } from "rxjs";
import type { Ir } from "../../dsl/index.ts";
import { mapDefined, type Show, shows, toAsyncIterable } from "../event-stream/stream.ts";
import type { StreamMode, Streams } from "../event-stream/stream-types.ts";
import { Tape } from "../event-stream/tape.ts";
import { type EventReader, eventReader } from "../events/event-reader.ts";
import { flowNames } from "../events/flow-names.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import { perGraph } from "../per-graph.ts";
import type { LogRecord } from "../records/records.ts";
import { applyRecord } from "../scheduler/fold.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunMeta } from "../store/run-store.ts";
import { CalledRuns } from "./called-runs.ts";
import { Journal } from "./journal.ts";
import type { SnapshotAt } from "./keep-snapshots.ts";
import { extendPath, isRewind, pathEndOf } from "./log-path.ts";
import { Cut, type Past } from "./past.ts";
import { pathAtHand, type RewoundPath, rewoundCut } from "./rewound-cut.ts";
import { stateOf } from "./state-of.ts";
import { RunStep } from "./step.ts";
import { StoredPath } from "./stored-path.ts";
import { type StoredPast, type StoredStep, stepIn } from "./stored-steps.ts";

const namesOf = perGraph(flowNames);

/** After the end of a run, few records follow. */
const RECORDS_LATELY = 16;

/** Fewer records than this, about 10 MB, are not worth reading again. */
const RELEASED_MIN = 16_384;

/** Told behind so many of the records. */
interface LaterAction {
  readonly behind: number;
  readonly action: () => void;
}

export class RunHistory {
  #records: LogRecord[] = [];
  /** The records of the path so far, as far as somebody has asked for them. */
  #path: LogRecord[] = [];
  #pathTo = 0;
  /** The place at which the log was cut: the records before it are read when somebody asks for them. */
  #cut: Cut | undefined;
  snapshot: Snapshot = emptySnapshot();
  /** The chunks of the stored snapshot with which it began. */
  storedChunks: ReadonlySet<string> = new Set();
  /** The program of the last resume, if it was another one: such a log is never cut. */
  program: Ir | undefined;
  readonly #steps: RunStep[] = [];
  readonly #walked: RunStep[] = [];
  readonly #called = new CalledRuns();
  /**
   * Actions that have their place among the records, until somebody asks for events or steps; undefined from then on.
   * Until then nothing is derived from the records: most callers want the output alone.
   */
  #later: LaterAction[] | undefined = [];
  /** The number of records whose events and steps are there, and the snapshot behind them. */
  #derived = { count: 0, snapshot: emptySnapshot() };
  /** The last commit of the run's own that came while this was kept, and the step that it was made. */
  #made: StoredStep | undefined;
  #lastStep: RunStep | undefined;
  readonly #program: Program;
  readonly #runId: string;
  readonly #reader: EventReader;
  readonly #tape: Tape;
  readonly #undelivered: (RunEvent | (() => void))[] = [];
  #isTelling = false;

  constructor(program: Program, meta: RunMeta) {
    this.#program = program;
    this.#runId = meta.runId;
    const newReader = () => eventReader({ ...meta, names: namesOf(meta.ir) });
    this.#reader = newReader();
    this.#tape = new Tape(newReader);
  }

  get events$(): Observable<RunEvent> {
    this.#tellAll();
    return this.#tape.events$;
  }

  get steps(): readonly RunStep[] {
    this.#tellAll();
    return this.#steps;
  }

  /** The steps of the run and of the graphs that it has called, in the order of their commits, as a debugger walks through them. */
  get walked(): readonly RunStep[] {
    this.#tellAll();
    return this.#walked;
  }

  /** The number of the run's own steps. */
  get stepCount(): number {
    return this.snapshot.steps;
  }

  /** The record of a step of the run's own, 0 for its start; undefined where there is no such step. */
  seqOf(step: number): number | undefined {
    const stored = this.#storedPath;
    if (stored !== undefined) return step > this.stepCount ? undefined : stored.seqOf(step);
    return (step === 0 ? this.records[0] : this.steps[step - 1])?.seq;
  }

  /** The last step that was walked through; of a stored run without reading all of it, where that can be. */
  get last(): RunStep | undefined {
    const found = this.#storedPath?.last(this.stepCount, this.#made);
    if (found === undefined) return this.walked.at(-1);
    const { made } = found;
    if (made === undefined) return undefined;
    if (this.#lastStep?.seq !== made.record.seq)
      this.#lastStep = stepIn(made, { program: this.#program, runId: this.#runId });
    // With others of its decision in front of it, nothing says where its node run was.
    return this.#lastStep ?? this.walked.at(-1);
  }

  /** While its beginning has not been read. */
  get #storedPath(): StoredPath | undefined {
    const cut = this.#cut;
    if (cut?.steps === undefined) return undefined;
    return new StoredPath(cut.steps, pathEndOf(this.#records, cut.seq));
  }

  get called(): CalledRuns {
    this.#tellAll();
    return this.#called;
  }

  get records(): readonly LogRecord[] {
    this.#recall();
    return this.#records;
  }

  /** The last records, back to the end of the run where it has ended. */
  get recentRecords(): readonly LogRecord[] {
    const near = [...(this.#cut?.near(RECORDS_LATELY) ?? []), ...this.#records];
    return near.some(({ kind }) => kind === "end") ? near : this.records;
  }

  /** The records on the way from the start to where it stands: rewinds leave what they undid in the log. */
  get path(): readonly LogRecord[] {
    for (const record of this.records.slice(this.#pathTo)) extendPath(this.#path, record);
    this.#pathTo = this.#records.length;
    return this.#path;
  }

  get lastSeq(): number {
    return this.#records.at(-1)?.seq ?? this.#cut?.seq ?? -1;
  }

  /** The records after `seq`, which must be at hand. */
  recordsAfter(seq: number): readonly LogRecord[] {
    return this.#records.filter((record) => record.seq > seq);
  }

  /** The record that it was cut behind; -1 where all of it is folded here. */
  get cutSeq(): number {
    return this.#cut?.seq ?? -1;
  }

  /** The journal from which attempts are served. */
  journal(): Journal {
    const last = this.#records.at(-1);
    const cut = this.#cut;
    // A rewind may go back to before the cut.
    if (last !== undefined && this.#records.some(isRewind)) {
      if (isRewind(last) || cut !== undefined)
        return Journal.behind(rewoundCut(this.#wayTo(last, cut), this.snapshot.next.run));
      return Journal.of(this.#records);
    }
    return cut?.journal(this.#records) ?? Journal.of(this.#records);
  }

  #wayTo(last: LogRecord, cut: Cut | undefined): RewoundPath {
    if (cut?.steps === undefined) return pathAtHand(this.path);
    const { steps } = cut;
    const end = pathEndOf(this.#records, cut.seq);
    return {
      all: () => this.path.filter(({ seq }) => seq <= last.seq),
      near: (count) => [...steps.near(end.upTo, count), ...end.records],
    };
  }

  /** The log of a run that goes on. */
  begin({ cut, records }: Past): void {
    if (cut !== undefined) {
      this.#cut = cut;
      this.snapshot = cut.snapshot;
      this.storedChunks = cut.chunks;
    }
    this.fold(records);
  }

  /** The next records of the log, as they are read from it. */
  fold(records: readonly LogRecord[]): void {
    for (const record of records) {
      // Whoever was told of the one before may have had it read by now.
      if (record.seq <= this.lastSeq) continue;
      this.take(record, applyRecord(this.#program, this.snapshot, record, record.at));
    }
  }

  /** The next record and the snapshot behind it. */
  take(record: LogRecord, snapshot: Snapshot): void {
    if (record.kind === "commit") this.#made = { record, before: this.snapshot, snapshot };
    this.snapshot = snapshot;
    this.#records.push(record);
    if (record.kind === "control" && record.verb === "resume")
      this.program = record.ir ?? this.program;
    const isDerived = this.#later === undefined && this.#derived.count === this.#records.length - 1;
    if (isDerived) this.#follow(record, snapshot);
  }

  /** Lets go of the records up to one of a long run, all of which are stored, unless somebody has asked for what they say. */
  release(at: SnapshotAt, past: StoredPast): void {
    const { seq, since, snapshot } = at;
    const isKnown = Math.min(since, seq) > this.cutSeq;
    if (this.#later === undefined || !isKnown || seq - this.cutSeq < RELEASED_MIN) return;
    // A rewind may go back to before it.
    if (this.#records.some(isRewind)) return;
    const before = this.#records.filter((record) => record.seq <= seq);
    const records = before.filter((record) => record.seq >= since || record.seq === seq);
    const cut = Cut.behind(at, { program: this.#program, records, past });
    const { steps } = cut;
    if (steps === undefined) return;
    this.#cut = cut;
    this.snapshot.trail.release(snapshot.steps, (kept) => steps.trailBefore(kept.steps));
    this.#records = this.#records.slice(before.length);
    [this.#path, this.#pathTo] = [[], 0];
    this.#moveLater(-before.length);
  }

  #follow(record: LogRecord, snapshot: Snapshot): void {
    this.#derived = { count: this.#derived.count + 1, snapshot };
    const events = this.#reader.read(record);
    this.#tape.follow(record);
    this.#called.take(record, events, snapshot);
    for (const event of events) {
      if (event.kind === "run.rewound") this.#undo(event);
      if (event.kind === "commit") this.#keepStep(event, snapshot);
      this.#tell(event);
    }
  }

  #inTurn(action: () => void): void {
    if (this.#later === undefined) action();
    else this.#later.push({ behind: this.#records.length, action });
  }

  /** Puts the records before the cut in front of those after it. */
  #recall(): void {
    const cut = this.#cut;
    if (cut === undefined) return;
    const before = cut.before();
    this.#cut = undefined;
    this.#records = [...before, ...this.#records];
    [this.#path, this.#pathTo] = [[], 0];
    this.#moveLater(before.length);
  }

  #moveLater(by: number): void {
    this.#later = this.#later?.map(({ behind, action }) => ({ behind: behind + by, action }));
  }

  #tellAll(): void {
    this.#recall();
    const later = this.#later;
    if (later === undefined) return;
    this.#later = undefined;
    for (const { behind, action } of later) {
      this.#followTo(behind);
      action();
    }
    this.#followTo(Number.POSITIVE_INFINITY);
  }

  #followTo(count: number): void {
    for (;;) {
      const { count: derivedCount, snapshot } = this.#derived;
      const record = derivedCount < count ? this.#records[derivedCount] : undefined;
      if (record === undefined) return;
      this.#follow(record, applyRecord(this.#program, snapshot, record, record.at));
    }
  }

  /** Tells what just happened to a node run under way and no record has. */
  transient(...of: Parameters<EventReader["transient"]>): void {
    this.#inTurn(() => this.#tell(this.#reader.transient(...of)));
  }

  /** No events come any more. */
  end(): void {
    this.#inTurn(() => this.#tell(() => this.#tape.end()));
  }

  /** The run continues after its end: reopens the stream. New subscribers get past events first. */
  reopen(): void {
    this.#inTurn(() => this.#tell(() => this.#tape.reopen()));
  }

  /** The events as a mode shows them, from the first on. */
  show$<M extends StreamMode>(mode: M): Observable<Streams[M]> {
    const show: Show<M> = shows[mode];
    return this.events$.pipe(mapDefined((event) => show(event, () => this.#stepAt(event))));
  }

  /** The events as a mode shows them, up to `settled`. */
  stream<M extends StreamMode>(mode: M, settled: Promise<void>): AsyncIterable<Streams[M]> {
    return toAsyncIterable(this.show$(mode), settled);
  }

  iterate(settled: Promise<void>): AsyncIterable<RunStep> {
    const steps$ = this.events$.pipe(mapDefined((event) => this.#stepAt(event)));
    return toAsyncIterable(steps$, settled);
  }

  /** A listener may have more read: that comes behind what everybody is being told. */
  #tell(next: RunEvent | (() => void)): void {
    if (this.#isTelling) {
      this.#undelivered.push(next);
      return;
    }
    this.#isTelling = true;
    try {
      this.#say(next);
      for (let more = this.#undelivered.shift(); more; more = this.#undelivered.shift())
        this.#say(more);
    } finally {
      this.#isTelling = false;
    }
  }

  #say(next: RunEvent | (() => void)): void {
    if (typeof next === "function") next();
    else this.#tape.say(next);
  }

  #keepStep(event: RunEvent & { readonly kind: "commit" }, snapshot: Snapshot): void {
    if (event.caller !== undefined) {
      const inner = this.#called.step(event);
      if (inner !== undefined) this.#walked.push(inner);
      return;
    }
    const step = new RunStep(event, stateOf(this.#program, snapshot));
    this.#steps.push(step);
    this.#walked.push(step);
  }

  #undo({ step, to }: RunEvent & { readonly kind: "run.rewound" }): void {
    this.#steps.length = step;
    while ((this.#walked.at(-1)?.seq ?? -1) > to) this.#walked.pop();
  }

  /** The step of an event, unless it was undone since. */
  #stepAt(event: RunEvent): RunStep | undefined {
    if (event.kind !== "commit" || event.caller !== undefined) return undefined;
    const step = this.#steps[event.step - 1];
    return step?.seq === event.seq ? step : undefined;
  }
}
