/** Reads from a log the way that a run went: its changes, what node runs asked and said, and their status. */
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import { isRewind, pathOf } from "../history/log-path.ts";
import type { RunPosition } from "../history/run-position.ts";
import type { RunStep } from "../history/step.ts";
import type { Answer } from "../interrupt.ts";
import type { EffectKind } from "../records/call-records.ts";
import {
  type AttemptRecord,
  type CommitRecord,
  callersOf,
  innermost,
  type LogRecord,
  type RecordBody,
  STATUS_AFTER_ATTEMPT,
} from "../records/records.ts";
import type { Patch } from "../state/patch.ts";
import { patchedAll } from "./patch-way.ts";
import { RebuiltStates } from "./path-states.ts";

/** An entry of the outline: a start, step, failure, edit or end in a run or a graph that it has called. */
export interface WalkEntry {
  readonly kind: "start" | "step" | "failure" | "edit" | "end";
  readonly seq: number;
  readonly at: number;
  /** The node runs that called the graph, outermost first; none for the run's own. */
  readonly callers: readonly number[];
  /** Their labels: `["go#1"]`. */
  readonly path: readonly string[];
  /** The number of commits of the run's own graph up to here. */
  readonly step: number;
  readonly patches: readonly Patch[];
  /** Of a step: its commit, and what its node run did. */
  readonly commit?: CommitRecord;
  readonly did?: NodeRunFacts;
  /** Of a failure: the attempt that failed, whatever followed. */
  readonly failed?: AttemptRecord;
  /** Of an edit: what it set, and why. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

/** The facts of one node run in the log, over all its attempts. */
export interface NodeRunFacts {
  readonly node: string;
  readonly ordinal: number;
  /** Its place in the order of its graph. */
  readonly key: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly calls: readonly OutlinedCall[];
  readonly failures: readonly { readonly attempt: number; readonly failure: Failure }[];
  readonly answers: readonly Answer[];
}

export interface OutlinedCall {
  readonly attempt: number;
  readonly effect: Exclude<EffectKind, "intercept">;
  /** The model's id, the tool's or the function's name. */
  readonly name: string;
  readonly request?: unknown;
  readonly value?: unknown;
  readonly failure?: Failure;
  /** The texts that people sent to the run before it. */
  readonly steers?: readonly Sent[];
}

/** The status of a node run from a record on, in the words of the view `node_runs`. */
export interface Mark {
  readonly seq: number;
  readonly graph: string;
  readonly nodeRun: number;
  readonly node: string;
  readonly status: "running" | "waiting" | "ready" | "succeeded" | "failed" | "skipped";
}

/** The first state of a graph and all its changes, in order. */
export interface GraphChanges {
  readonly first: Readonly<Record<string, unknown>>;
  readonly changes: readonly OutlineChange[];
}

interface OutlineChange {
  readonly seq: number;
  readonly patches: readonly Patch[];
}

type OutlineCursor = Pick<RunPosition, "records" | "walked">;

/** `search#2` */
export function labelOf({ node, ordinal }: Pick<NodeRunFacts, "node" | "ordinal">): string {
  return `${node}#${ordinal}`;
}

/** One graph of a run, by the node runs that called it. */
export function graphKey(callers: readonly number[]): string {
  return callers.join("/");
}

/** Reads the records on the path to where a run stands. */
export class WalkReader {
  readonly entries: WalkEntry[] = [];
  readonly marks: Mark[] = [];
  readonly graphs = new Map<string, GrowingChanges>();
  readonly #did = new Map<number, NodeRunFacts>();
  readonly #states = new Map<string, RebuiltStates>();
  /** Of a run that went on with another program: its fields may be called otherwise since, which no patch says. */
  readonly #steps = new Map<number, Pick<RunStep, "state">>();
  #hasOtherProgram = false;
  /** The number of records and steps read so far. */
  #taken = 0;
  #walked = 0;
  readonly #renumbered = new Map<number, number>();
  #step = 0;

  static of(position: OutlineCursor): WalkReader {
    const reader = new WalkReader();
    for (const record of pathOf(position.records)) reader.#take(record);
    reader.#taken = position.records.length;
    return reader.#withSteps(position);
  }

  /** The same once more has been recorded; what a rewind undid is read anew. */
  grown(position: OutlineCursor): WalkReader {
    const { records } = position;
    if (records.length === this.#taken) return this;
    const news = records.slice(this.#taken);
    if (records.length < this.#taken || news.some(isRewind)) return WalkReader.of(position);
    for (const record of news) this.#take(record);
    this.#taken = records.length;
    return this.#withSteps(position);
  }

  #withSteps(position: OutlineCursor): WalkReader {
    if (!this.#hasOtherProgram) return this;
    const { walked } = position;
    for (const step of walked.slice(this.#walked)) this.#steps.set(step.seq, step);
    this.#walked = walked.length;
    return this;
  }

  /** The node of a node run. */
  readonly nameOf = (nodeRun: number): string => this.#did.get(nodeRun)?.node ?? "";

  /** The number that a node run had first: a rewind gives another to those that go on. */
  readonly #first = (id: number): number => this.#renumbered.get(id) ?? id;

  /** The state of a graph in front of a record: that behind its last step, with what changed it since. */
  readonly stateBefore = (callers: readonly number[], seq: number): unknown => {
    const key = graphKey(callers);
    const { first, changes } = this.graphs.get(key) ?? NO_CHANGES;
    const end = countBefore(changes, seq);
    if (!this.#hasOtherProgram) return this.#states.get(key)?.before(end) ?? first;
    let from = end;
    let state: unknown;
    while (from > 0 && state === undefined) {
      state = this.#steps.get(changes[from - 1]?.seq ?? -1)?.state;
      if (state === undefined) from -= 1;
    }
    const left = changes.slice(from, end).flatMap(({ patches }) => patches);
    return patchedAll(state ?? first, left);
  };

  #take(logged: LogRecord): void {
    const record = innermost(logged);
    const callers = callersOf(logged).map(this.#first);
    this.#follow(record);
    this.#mark(record, { seq: logged.seq, graph: graphKey(callers) });
    this.#change(record, { logged, callers });
  }

  /** Notes the questions and messages of node runs. */
  #follow(record: RecordBody): void {
    switch (record.kind) {
      case "start": {
        const { id, node, ordinal, key, args } = record;
        const begun = { node, ordinal, key, ...(args === undefined ? {} : { args }) };
        this.#add(id, (did) => ({ ...did, ...begun }));
        return;
      }
      case "intent":
      case "outcome":
        this.#add(record.id, (did) => ({ ...did, calls: withCall(did.calls, record) }));
        return;
      case "attempt": {
        const { attempt, failure } = record;
        const failed = { attempt, failure };
        this.#add(record.id, (did) => ({ ...did, failures: [...did.failures, failed] }));
        return;
      }
      case "answer": {
        const { answer } = record;
        this.#add(record.id, (did) => ({ ...did, answers: [...did.answers, answer] }));
        return;
      }
      case "control":
        if (record.verb === "resume" && record.ir !== undefined) this.#hasOtherProgram = true;
        if (record.verb !== "rewind") return;
        for (const { from, id } of record.renumbered) {
          this.#renumbered.set(id, this.#first(from));
        }
    }
  }

  #add(id: number, more: (did: NodeRunFacts) => NodeRunFacts): void {
    const first = this.#first(id);
    this.#did.set(first, more(this.#did.get(first) ?? NOTHING_DONE));
  }

  #begin(key: string, state: Readonly<Record<string, unknown>>): void {
    const first = { ...state };
    const changes: OutlineChange[] = [];
    const patches: (readonly Patch[])[] = [];
    this.#states.set(key, new RebuiltStates(first, patches));
    this.graphs.set(key, {
      first,
      changes,
      add: (change) => {
        changes.push(change);
        patches.push(change.patches);
      },
    });
  }

  #mark(record: RecordBody, at: Pick<Mark, "seq" | "graph">): void {
    const status = statusBehind(record);
    if (status === undefined || !("id" in record) || record.id === undefined) return;
    const node = "node" in record ? (record.node ?? "") : "";
    this.marks.push({ ...at, nodeRun: this.#first(record.id), node, status });
  }

  #change(
    record: RecordBody,
    { logged, callers }: { readonly logged: LogRecord; readonly callers: readonly number[] },
  ): void {
    const { seq, at } = logged;
    const patches = "patches" in record ? (record.patches ?? []) : [];
    const key = graphKey(callers);
    if (record.kind === "run") this.#begin(key, record.state);
    if (patches.length > 0) this.graphs.get(key)?.add({ seq, patches });
    if (record.kind === "commit" && callers.length === 0) this.#step = record.step;
    const path = callers.map((id) => labelOf(this.#did.get(id) ?? NOTHING_DONE));
    const place = { seq, at, callers, path, step: this.#step, patches };
    if (record.kind === "run" && callers.length === 0)
      this.entries.push({ kind: "start", ...place });
    if (record.kind === "edit") {
      const { values, reason } = record;
      const why = reason === undefined ? {} : { reason };
      this.entries.push({ kind: "edit", ...place, values, ...why });
    }
    // Where lines are joined late, in the order of the graph.
    if (record.kind === "end" && patches.length > 0) this.entries.push({ kind: "end", ...place });
    if (record.kind === "attempt" && record.revised !== true) {
      const did = this.#did.get(this.#first(record.id)) ?? { ...NOTHING_DONE, node: record.node };
      this.entries.push({ kind: "failure", ...place, failed: record, did });
    }
    if (record.kind === "commit") {
      const did = this.#did.get(this.#first(record.id)) ?? { ...NOTHING_DONE, node: record.node };
      this.entries.push({ kind: "step", ...place, commit: record, did });
    }
  }
}

const NO_CHANGES: GraphChanges = { first: {}, changes: [] };

/** Counts the changes before a record. */
function countBefore(changes: GraphChanges["changes"], seq: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface GrowingChanges extends GraphChanges {
  add(change: OutlineChange): void;
}

const NOTHING_DONE: NodeRunFacts = {
  node: "",
  ordinal: 1,
  key: "",
  calls: [],
  failures: [],
  answers: [],
};

/** The outcome of a call stands with what was asked. */
function withCall(
  calls: readonly OutlinedCall[],
  record: RecordBody & { readonly kind: "intent" | "outcome" },
): readonly OutlinedCall[] {
  const { attempt, effect, name } = record;
  // Interceptors of a node are asked by an effect, which is no call of its work.
  if (effect === "intercept") return calls;
  if (record.kind === "intent") {
    const { request, steers } = record;
    const asked = {
      ...(request === undefined ? {} : { request }),
      ...(steers === undefined ? {} : { steers }),
    };
    return [...calls, { attempt, effect, name, ...asked }];
  }
  const { value, failure } = record;
  const outcome = failure === undefined ? { value } : { failure };
  const asked = calls.at(-1);
  const isAsked =
    asked?.attempt === attempt && asked.name === name && !("value" in asked) && !asked.failure;
  return isAsked
    ? [...calls.slice(0, -1), { ...asked, ...outcome }]
    : [...calls, { attempt, effect, name, ...outcome }];
}

function statusBehind(record: RecordBody): Mark["status"] | undefined {
  switch (record.kind) {
    case "start":
    case "answer":
      return "running";
    case "interrupt":
      return "waiting";
    case "commit":
      return "succeeded";
    case "attempt":
      return STATUS_AFTER_ATTEMPT[record.next];
    default:
      return undefined;
  }
}
