/**
 * The replay driver: runs the scheduler again from the log alone. Whatever came from outside is taken from the records,
 * whatever the scheduler made of it is decided anew and compared; no performer, clock, chance or function is asked.
 */
import type { Ir } from "../../dsl/index.ts";
import {
  firstDifference,
  type JsonDifference,
  jsonDifferences,
} from "../compare/json-difference.ts";
import { messageOf } from "../failure.ts";
import type { LogRecord, RecordBody } from "../records/records.ts";
import type { RunStatus } from "../run-status.ts";
import { advance } from "../scheduler/advance.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import { applyRecord, foldLog } from "../scheduler/fold.ts";
import { shownState } from "../scheduler/lookup.ts";
import { link } from "../scheduler/program/link.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Path } from "../state/path.ts";
import { completionOf } from "./completion-of.ts";
import { type Divergence, divergenceOf, type ReplayPosition } from "./divergence.ts";
import { foldPatches } from "./fold-patches.ts";

/** The result of a replay. */
export interface Replay {
  /** Every record was decided as it was, and their patches fold to the same state. */
  readonly ok: boolean;
  /** Records that were decided as they had been. */
  readonly records: number;
  readonly steps: number;
  readonly status: RunStatus;
  /** The state at the end of the replay. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The first divergence from the log, if there is one. */
  readonly divergence?: Divergence;
}

export interface ReplayOptions {
  /** The program it began with. */
  readonly recorded: Ir;
  /** Another one, to see whether the run would have gone the same way. */
  readonly ir?: Ir;
}

/** Replays a log; never throws: what can't be followed is where it diverges. */
export function replayLog(records: readonly LogRecord[], options: ReplayOptions): Replay {
  return new Replayer(records, options).run();
}

/** Tells whether a path leads to the words of a failure, which a later version may say better: its code is compared. */
function isWording(path: Path): boolean {
  const [holder, member] = path.slice(-2);
  return holder === "failure" && ["message", "hint", "feedback"].includes(String(member));
}

class Replayer {
  readonly #records: readonly LogRecord[];
  readonly #options: ReplayOptions;
  #program: Program;
  #snapshot: Snapshot = emptySnapshot();
  /** The number of records that have been compared. */
  #taken = 0;

  constructor(records: readonly LogRecord[], options: ReplayOptions) {
    this.#records = records;
    this.#options = options;
    this.#program = link(options.ir ?? options.recorded);
  }

  run(): Replay {
    const divergence = this.#follow() ?? this.#stateDivergence();
    const { status, steps } = this.#snapshot;
    return {
      ok: divergence === undefined,
      records: this.#taken,
      steps,
      status,
      state: shownState(this.#program, this.#snapshot),
      ...(divergence === undefined ? {} : { divergence }),
    };
  }

  #follow(): Divergence | undefined {
    while (this.#taken < this.#records.length) {
      const divergence = this.#next();
      if (divergence !== undefined) return divergence;
    }
    return undefined;
  }

  /** Everything that one completion led to. */
  #next(): Divergence | undefined {
    const first = this.#records[this.#taken];
    if (first === undefined) return undefined;
    if (first.seq !== this.#taken) {
      return this.#divergence({ path: ["seq"], a: first.seq, b: this.#taken });
    }
    this.#relink(first);
    try {
      return this.#compare(first, this.#decide(first));
    } catch (error) {
      return this.#divergence({ path: [], a: first.kind, b: undefined }, messageOf(error));
    }
  }

  /** Decides on a record; results of functions may also be in the records behind the first one, which are folded with it. */
  #decide(first: LogRecord): readonly RecordBody[] {
    const completion = completionOf(first);
    let { calls = [] } = completion;
    for (let next = this.#taken + 1; ; next += 1) {
      try {
        return advance(this.#program, this.#snapshot, { ...completion, calls }).records;
      } catch (error) {
        const more = this.#records[next];
        if (!(error instanceof CallNeeded) || more === undefined) throw error;
        calls = [...calls, ...(more.calls ?? [])];
      }
    }
  }

  /** Record by record, as far as they were written: a process may have died between two of them. */
  #compare(first: LogRecord, replayed: readonly RecordBody[]): Divergence | undefined {
    if (replayed.length === 0) {
      return this.#divergence({ path: [], a: first.kind, b: undefined });
    }
    for (const [index, body] of replayed.entries()) {
      const record = this.#records[this.#taken];
      if (index > 0 && (record === undefined || isAnotherProcess(record))) return undefined;
      const { seq: _, at, calls: __, ...recorded } = record ?? first;
      const { calls: ___, ...decided } = body;
      const found = jsonDifferences(recorded, decided).find(({ path }) => !isWording(path));
      if (found !== undefined) return this.#divergence(found);
      this.#snapshot = applyRecord(this.#program, this.#snapshot, record ?? first, at);
      this.#taken += 1;
    }
    return undefined;
  }

  /** A resumed run goes on with its program of then; one that was asked for stays. */
  #relink(record: LogRecord): void {
    if (this.#options.ir !== undefined || record.kind !== "control") return;
    if (record.verb !== "resume" || record.ir === undefined) return;
    this.#program = link(record.ir);
    // It has all numbers of the log, and what it adds was there from the start for it.
    this.#snapshot = foldLog(this.#program, this.#records.slice(0, this.#taken));
  }

  #stateDivergence(): Divergence | undefined {
    const found = firstDifference(
      foldPatches(this.#records),
      shownState(this.#program, this.#snapshot),
    );
    return found === undefined
      ? undefined
      : this.#divergence({ ...found, path: ["state", ...found.path] });
  }

  #divergence(found: JsonDifference, thrown?: string): Divergence {
    const record = this.#records[this.#taken] ?? this.#records.at(-1);
    return divergenceOf(this.#place(record), found, thrown);
  }

  #place(record: LogRecord | undefined): ReplayPosition {
    const { recorded, ir = recorded } = this.#options;
    return { record, snapshot: this.#snapshot, program: this.#program, recorded, ir };
  }
}

function isAnotherProcess(record: LogRecord): boolean {
  return record.kind === "control" && record.verb === "resume";
}
