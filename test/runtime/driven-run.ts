/** Runs on a clock of the test, with performers of the test: the one place that knows how a run is put together. */
import { onTestFinished } from "vitest";
import type { Ir } from "../../dsl/index.ts";
import type { RunServing } from "../../runtime/attempt/attempt-host.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Goal } from "../../runtime/engine/hold.ts";
import { createRxDriver } from "../../runtime/engine/rx-driver.ts";
import { FailureError } from "../../runtime/failure.ts";
import { pastIn, recentLog } from "../../runtime/history/past.ts";
import { type StoredPast, storedPast } from "../../runtime/history/stored-steps.ts";
import type { Attempt, Performer, PerformerContext } from "../../runtime/performer.ts";
import type { LogRecord } from "../../runtime/records/records.ts";
import type { FollowedLog } from "../../runtime/remote/remote-owner.ts";
import { GraphRun } from "../../runtime/run/run.ts";
import type { RunParts } from "../../runtime/run/run-parts.ts";
import { foldLog } from "../../runtime/scheduler/fold.ts";
import { link } from "../../runtime/scheduler/program/link.ts";
import type { Program } from "../../runtime/scheduler/program/program.ts";
import { SNAPSHOT_LAYOUT, snapshotText } from "../../runtime/scheduler/snapshot/snapshot-text.ts";
import { packChunk } from "../../runtime/store/log/chunk-bytes.ts";
import { memoryRunStore } from "../../runtime/store/open-store.ts";
import type { RunMeta, RunStore, StoredSnapshot } from "../../runtime/store/run-store.ts";
import { noUsage } from "../../runtime/usage.ts";
import { graphOf, sampleOf } from "../support/run-graph.ts";
import { manualClock } from "./store/fixtures.ts";

/** What an attempt does; its result is the node's output. */
export type Does = (attempt: Attempt, context: PerformerContext) => unknown;

export interface DrivenTestRun {
  readonly run: GraphRun;
  readonly clock: ReturnType<typeof manualClock>;
  readonly store: RunStore;
  /** The labels of the attempts that were performed, in the order of their starts. */
  readonly performed: readonly string[];
  /** The run as another process finds it: from its log alone, or its first records, and from what it sees of that later on. */
  found(stored?: FollowedLog, count?: number, parts?: DrivenOptions["parts"]): GraphRun;
  /** The same, out of a store that also has where it stood behind these records. */
  cut(behind: readonly number[]): { readonly run: GraphRun; readonly store: RunStore };
}

export interface DrivenOptions {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly does?: Does;
  readonly goal?: Goal;
  /** What a judge says; without one nobody judges. */
  readonly judge?: NonNullable<Performer["judge"]>;
  /** Instead of the text's only graph. */
  readonly ir?: Ir;
  /** What it is served of another run. */
  readonly serving?: RunServing;
  /** Changes what it is made of. */
  readonly parts?: (parts: RunParts) => RunParts;
}

let runs = 0;

/** Starts a run of the only graph of a text, in memory. */
export function drive(text: string, options: DrivenOptions = {}): DrivenTestRun {
  const { input = {}, does = sample, goal = "begin" } = options;
  const ir = options.ir ?? graphOf(text);
  runs += 1;
  const runId = `run-${runs}`;
  const meta: RunMeta = {
    runId,
    threadId: runId,
    graph: ir.name,
    graphHash: ir.hash,
    ir,
    models: {},
    durability: "async",
    createdAt: 0,
  };
  const store = memoryRunStore();
  const owner = { id: "test", pid: process.pid, host: "here" };
  const clock = manualClock();
  const performed: string[] = [];
  const program = link(ir);
  const partsOf = (openLog: RunParts["openLog"]): RunParts => ({
    program,
    meta,
    clock: asClock(clock),
    owner: owner.id,
    openLog,
    engine: () => ({
      performer: {
        perform: async (attempt, context) => {
          performed.push(attempt.label);
          return await does(attempt, context);
        },
        ...(options.judge === undefined ? {} : { judge: options.judge }),
      },
      driver: (host) => createRxDriver(host, asClock(clock)),
      redact: (part) => part,
      ...(options.serving === undefined ? {} : { serving: options.serving }),
    }),
  });
  let isNew = true;
  const openLog = () => {
    if (!isNew) return store.open(runId, owner);
    isNew = false;
    return store.create(meta, owner);
  };
  const parts = partsOf(openLog);
  const run = new GraphRun(options.parts?.(parts) ?? parts);
  run.begin(input, goal);
  return {
    run,
    clock,
    store,
    performed,
    found: (stored, count, change = (own) => own) => {
      const seenOf: typeof partsOf = (open) =>
        change({ ...partsOf(open), ...(stored === undefined ? {} : { stored }) });
      return found(seenOf, meta, store.read(runId).slice(0, count));
    },
    cut: (behind) => cutRun(partsOf, { meta, program, records: store.read(runId), behind }),
  };
}

/** In a store of its own, so that the lease of the first process is not in its way. */
function found(
  partsOf: (openLog: RunParts["openLog"]) => RunParts,
  meta: RunMeta,
  records: readonly LogRecord[],
): GraphRun {
  const store = memoryRunStore();
  const other = { id: "other", pid: process.pid, host: "here" };
  const log = store.create(meta, other);
  const summary = { status: "paused", steps: 0, usage: {} as never } as const;
  for (const record of records) log.append(record, summary);
  void log.close();
  return new GraphRun(
    partsOf(() => store.open(meta.runId, other)),
    { records },
  );
}

function cutRun(
  partsOf: (openLog: RunParts["openLog"]) => RunParts,
  of: {
    readonly meta: RunMeta;
    readonly program: Program;
    readonly records: readonly LogRecord[];
    readonly behind: readonly number[];
  },
) {
  const { meta, program, records, behind } = of;
  const store = memoryRunStore();
  const other = { id: "other", pid: process.pid, host: "here" };
  store.restore({ meta, records, summary: { status: "paused", steps: 0, usage: noUsage } });
  const kept = records
    .filter(({ seq }) => behind.includes(seq))
    .map(({ seq }) => standing(of, seq));
  const last = kept.at(-1);
  if (last !== undefined) store.snapshots.put(meta.runId, last);
  const past: StoredPast = {
    ...storedPast(store, meta),
    // The store keeps none that are so close.
    snapshotBefore: ({ step, upTo }) =>
      kept.findLast(({ seq, steps }) => steps < step && seq <= upTo),
  };
  const log = recentLog(store, meta) ?? store.read(meta.runId);
  const run = new GraphRun(
    partsOf(() => store.open(meta.runId, other)),
    pastIn(log, program, past),
  );
  return { store, run };
}

/** Where a run stood behind a record, as it is stored. */
function standing(
  { meta: { graphHash }, program, records }: Parameters<typeof cutRun>[1],
  seq: number,
): StoredSnapshot {
  const snapshot = foldLog(
    program,
    records.filter((record) => record.seq <= seq),
  );
  const max = Number.POSITIVE_INFINITY;
  const limits = { lengthMax: max, chunksLengthMax: max, isStored: () => false, pack: packChunk };
  const { text = "" } = snapshotText(snapshot, limits) ?? {};
  const { steps } = snapshot;
  return { seq, steps, since: 0, graphHash, layout: SNAPSHOT_LAYOUT, text };
}

const sample: Does = ({ node, prompt }) => sampleOf(node, prompt ?? "");

export function asClock(clock: ReturnType<typeof manualClock>): Clock {
  return {
    ...clock,
    sleep: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
  };
}

/** A call that ends when the test says so. */
export function gate<T>(value: T) {
  const entered = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<T>();
  onTestFinished(() => opened.resolve(value));
  return {
    /** Resolves when the call is made. */
    entered: entered.promise,
    open: () => opened.resolve(value),
    pass: (signal?: AbortSignal): Promise<T> => {
      entered.resolve();
      signal?.addEventListener("abort", () => opened.reject(cancelled));
      return opened.promise;
    },
  };
}

const cancelled = new FailureError({ class: "aborted", code: "M8111", message: "cancelled" });
