/** Lists the graphs that a run has called, each with its state and its steps. */
import type { Ir } from "../../dsl/index.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import type { Failure } from "../failure.ts";
import type { RewindRecord } from "../records/control-records.ts";
import { callersOf, innermost, type LogRecord } from "../records/records.ts";
import type { RunStatus } from "../run-status.ts";
import { type Child, emptySnapshot, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Usage } from "../usage.ts";
import { type CalledPlace, isMeant } from "./called-place.ts";
import { stateOf } from "./state-of.ts";
import { RunStep } from "./step.ts";

/** The run of a graph that a node run has called. */
export interface CalledRun {
  /** The labels that lead to it from the run: `["go#1"]`. */
  readonly path: readonly string[];
  /** The last of them. */
  readonly label: string;
  readonly graph: string;
  /** The graph that was called; for a plan, the one that was made of it. */
  readonly ir: Ir;
  readonly status: RunStatus;
  readonly input: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | undefined;
  readonly failure: Failure | undefined;
  readonly usage: Usage;
  /** Its own commits, which are no steps of the run; of a plan that took another one's place, that one's before them. */
  readonly steps: readonly RunStep[];
  /** The graphs that it has called itself. */
  readonly children: readonly CalledRun[];
  child(label: string): CalledRun | undefined;
}

interface CalledRunEntry {
  readonly id: number;
  readonly caller: number | undefined;
  readonly path: readonly string[];
  /** The record that began it. */
  readonly seq: number;
  child: Child;
  /** The numbers that its node run has had: a rewind gives it another. */
  readonly ids: readonly number[];
  /** Another one has taken its place. */
  isReplaced: boolean;
  readonly steps: RunStep[];
  /** The steps of the plans whose place it took. */
  readonly earlier: readonly RunStep[];
}

/** Follows the records of a run. */
export class CalledRuns {
  #entries: CalledRunEntry[] = [];
  #byId = new Map<number, CalledRunEntry>();
  #snapshot: Snapshot = emptySnapshot();
  /** The node runs whose plan another one is to replace. */
  readonly #modified = new Set<number>();

  /** The next record, the events that follow from it, and the snapshot behind it. */
  take(record: LogRecord, events: readonly RunEvent[], snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    if (record.kind === "control" && record.verb === "rewind") this.#rewind(record);
    const made = innermost(record);
    if (made.kind === "modify") this.#modified.add(made.id);
    if (record.kind !== "sub") return;
    const callers = callersOf(record);
    const id = callers.at(-1) ?? -1;
    const child = childAt(snapshot, callers);
    if (child === undefined) return;
    const begun = events.find((event) => event.kind === "graph.started");
    if (begun !== undefined) {
      const { path = [] } = begun;
      this.#add({
        id,
        ids: [id],
        caller: callers.at(-2),
        path,
        seq: record.seq,
        child,
        isReplaced: false,
        steps: [],
        earlier: this.#modified.delete(id) ? allSteps(this.#byId.get(id)) : [],
      });
    }
    const entry = this.#byId.get(id);
    if (entry !== undefined) entry.child = child;
  }

  /** A step of the graph that a node run has called; undefined where that is not known. */
  step(event: RunEvent & { readonly kind: "commit" }): RunStep | undefined {
    const entry = event.caller === undefined ? undefined : this.#byId.get(event.caller);
    if (entry === undefined) return undefined;
    const { program, snapshot } = this.#childOf(entry);
    const step = new RunStep(event, stateOf(program, snapshot));
    entry.steps.push(step);
    return step;
  }

  /** The graphs that the run itself, or a node run of it, has called. */
  list(caller?: number): readonly CalledRun[] {
    const entries = this.#entries.filter((entry) => entry.caller === caller);
    return entries.map((entry) => this.#called(entry));
  }

  /** The called graphs that a path may mean, as `isMeant` reads it; the latest of each label. */
  meant(path: readonly string[]): readonly CalledPlace[] {
    const found = this.#entries.filter((entry) => isMeant(path, entry.path));
    const latest = new Map(found.map((entry) => [entry.path.join("/"), entry]));
    return [...latest.values()].map((entry) => ({
      id: entry.id,
      path: entry.path,
      isLive: this.#liveOf(entry) !== undefined,
      owns: (record) => record.seq >= entry.seq && this.#isIn(entry, callersOf(record)),
      ...this.#childOf(entry),
    }));
  }

  #isIn(entry: CalledRunEntry, callers: readonly number[]): boolean {
    let at: CalledRunEntry | undefined = entry;
    for (const caller of callers.toReversed()) {
      if (at?.ids.includes(caller) !== true) return false;
      at = at.caller === undefined ? undefined : this.#byId.get(at.caller);
    }
    return callers.length > 0 && at === undefined;
  }

  #called(entry: CalledRunEntry): CalledRun {
    const { id, path } = entry;
    const { program, snapshot } = this.#childOf(entry);
    const { input, output, failure, usage } = snapshot;
    const children = () => this.list(id);
    return {
      path,
      label: path.at(-1) ?? "",
      graph: program.ir.name,
      status: this.#statusOf(entry),
      input,
      output,
      failure,
      usage,
      steps: allSteps(entry),
      get ir() {
        return program.ir;
      },
      get state() {
        return stateOf(program, snapshot)();
      },
      get children() {
        return children();
      },
      child: (label) => labelled(children(), label),
    };
  }

  /** A called graph that its caller dropped has not ended by itself. */
  #statusOf(entry: CalledRunEntry): RunStatus {
    const { status } = this.#childOf(entry).snapshot;
    const isOver = status === "succeeded" || status === "failed";
    return isOver || this.#liveOf(entry) !== undefined ? status : "aborted";
  }

  #childOf(entry: CalledRunEntry): Child {
    return this.#liveOf(entry) ?? entry.child;
  }

  #liveOf(entry: CalledRunEntry): Child | undefined {
    if (entry.isReplaced) return undefined;
    const callers: number[] = [];
    for (let at: CalledRunEntry | undefined = entry; at !== undefined; ) {
      callers.unshift(at.id);
      at = at.caller === undefined ? undefined : this.#byId.get(at.caller);
    }
    return childAt(this.#snapshot, callers);
  }

  #add(entry: CalledRunEntry): void {
    const before = this.#byId.get(entry.id);
    if (before !== undefined) before.isReplaced = true;
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
  }

  /** Takes the called graphs back to a step, and drops those that began since. */
  #rewind({ to, renumbered }: RewindRecord): void {
    const ids = new Map(renumbered.map(({ from, id }) => [from, id]));
    const entries = this.#entries.filter(({ seq }) => seq <= to);
    this.#entries = [];
    this.#byId = new Map();
    for (const { id, caller, steps, earlier, ...entry } of entries) {
      this.#add({
        ...entry,
        id: ids.get(id) ?? id,
        ids: [...entry.ids, ids.get(id) ?? id],
        caller: caller === undefined ? undefined : (ids.get(caller) ?? caller),
        isReplaced: false,
        steps: steps.filter(({ seq }) => seq <= to),
        earlier: earlier.filter(({ seq }) => seq <= to),
      });
    }
  }
}

function allSteps(entry: CalledRunEntry | undefined): readonly RunStep[] {
  return entry === undefined ? [] : [...entry.earlier, ...entry.steps];
}

/** The latest of this label: a later attempt calls anew. */
export function labelled(runs: readonly CalledRun[], label: string): CalledRun | undefined {
  return runs.findLast((run) => run.label === label);
}

function childAt(snapshot: Snapshot, callers: readonly number[]): Child | undefined {
  let at: Snapshot | undefined = snapshot;
  let child: Child | undefined;
  for (const caller of callers) {
    child = at?.children.get(caller);
    at = child?.snapshot;
  }
  return child;
}
