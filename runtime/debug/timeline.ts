/** A run step by step, to be leafed through: at each place what changed, what was said, and how the nodes stood. */

import { calledGraph, type Ir } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import type { RunView } from "../history/run-view.ts";
import { shownOutput, shownValue } from "../redaction/show-to-people.ts";
import { shortRunId } from "../run-names.ts";
import { type Path, pathText, valueAt } from "../state/path.ts";
import { patched } from "./patch-way.ts";
import { graphKey, labelOf, type Mark, type WalkEntry, WalkReader } from "./run-outline.ts";
import { saidAt, type TranscriptEntry, valueText } from "./transcript.ts";

/** One place of a timeline. */
export interface TimelineEntry {
  /** 0 is the start of the run. */
  readonly index: number;
  readonly kind: WalkEntry["kind"];
  /** The number of own steps up to here, as `rewind` and `fork` take it. */
  readonly step: number;
  /** `step 3: search#2`, `step 1 in go#1: search#1`, `a person edited draft`. */
  readonly title: string;
  readonly node?: string;
  readonly attempt?: number;
  /** The labels that lead to the called graph; empty in the run's own. */
  readonly path: readonly string[];
}

/** One place of a timeline as people see it: without private values and likely secrets. */
export interface TimelinePage extends TimelineEntry {
  readonly at: number;
  readonly changes: readonly TimelineChange[];
  readonly transcript: readonly TranscriptEntry[];
  /** The graph in which it happened. */
  readonly graph: Ir;
  /** The node of that graph at which it happened. */
  readonly marked?: string;
  /** The status of its node runs at this place. */
  readonly nodeRuns: readonly Pick<Mark, "node" | "status">[];
}

export interface TimelineChange {
  /** `findings[2].text` */
  readonly path: string;
  readonly op: "add" | "replace" | "remove";
  /** Absent where there was nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The timeline of one run; it grows with the run. */
export class Timeline<R extends RunView = RunView> {
  readonly run: R;
  #read: WalkReader | undefined;

  constructor(run: R) {
    this.run = run;
  }

  /** The number of places, including the start of the run. */
  get length(): number {
    return this.#reader().entries.length;
  }

  get entries(): readonly TimelineEntry[] {
    return this.#reader().entries.map(entryOf);
  }

  /** Returns the page of one place. Throws M5456 where there is none. */
  at(index: number): TimelinePage {
    const reader = this.#reader();
    const entry = reader.entries[index];
    if (entry === undefined) throw this.#noPlace(index, reader.entries.length);
    const { state, changes } = changesAt(entry, reader);
    const { run } = this;
    const { ir, position } = run;
    const showing = {
      ...{ ir, position, state: [state, run.state] },
      // Only where something is private: of a stored run that has its whole log read.
      get steps() {
        return run.steps;
      },
    };
    const transcript = saidAt(entry, position.snapshot.input, {
      value: (value) => shownValue(value, showing),
      output: (text) => shownOutput(text, entry.commit?.node, showing),
    });
    const shown = shownValue({ changes, transcript: transcript }, showing);
    return {
      ...entryOf(entry, index),
      at: entry.at,
      ...shown,
      ...this.#drawnAt(entry, reader),
    };
  }

  toString(): string {
    return timelineText(this);
  }

  /** The graph that is shown there: a called one, or, where that is not known by its name, the one around it. */
  #drawnAt(
    { callers, commit, failed, seq }: WalkEntry,
    { marks, nameOf }: WalkReader,
  ): Pick<TimelinePage, "graph" | "marked" | "nodeRuns"> {
    let graph = this.run.ir;
    let marked = (commit ?? failed)?.node;
    let depth = 0;
    for (const caller of callers) {
      const name = nameOf(caller);
      const call = graph.nodes.find((node) => node.name === name)?.call;
      const called = call && calledGraph(graph, call.callee.join("."));
      if (called === undefined) {
        marked = name;
        break;
      }
      graph = called;
      depth += 1;
    }
    const key = graphKey(callers.slice(0, depth));
    return {
      graph,
      ...(marked === undefined ? {} : { marked }),
      nodeRuns: nodeRunsAt(marks, { key, seq }),
    };
  }

  #reader(): WalkReader {
    const { position } = this.run;
    this.#read = this.#read?.grown(position) ?? WalkReader.of(position);
    return this.#read;
  }

  #noPlace(index: number, length: number): RunError {
    return new RunError(
      "M5456",
      `the timeline of run \`${shortRunId(this.run.id)}\` has no place ${index}`,
      {
        hint: `its places: 0 (the start) to ${length - 1}`,
        runId: this.run.id,
      },
    );
  }
}

function entryOf(entry: WalkEntry, index: number): TimelineEntry {
  const { kind, step, path, commit, failed } = entry;
  const of = commit ?? failed;
  return {
    index,
    kind,
    step,
    title: entryTitle(entry),
    path,
    ...(of === undefined ? {} : { node: of.node, attempt: of.attempt }),
  };
}

/** `step 3: search#2`, `search#2 failed (M8301)`, `a person set draft`. */
export function entryTitle({ kind, path, commit, failed, did, values, reason }: WalkEntry): string {
  const where = path.length === 0 ? "" : ` in ${path.join(" › ")}`;
  const attempt = (commit ?? failed)?.attempt ?? 1;
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const label = did === undefined ? "" : labelOf(did);
  switch (kind) {
    case "start":
      return "start";
    case "end":
      return `end${where}`;
    case "edit": {
      const who = reason === "fork" ? "the fork" : "a person";
      return `${who} set ${Object.keys(values ?? {}).join(", ")}${where}`;
    }
    case "failure":
      return `${label}${where} failed (${failed?.failure.code})${again}`;
    case "step":
      return `step ${commit?.step}${where}: ${label}${again}`;
  }
}

/** Returns the changes of an entry, against the state of its graph before it. */
function changesAt(
  { callers, seq, patches }: WalkEntry,
  { stateBefore }: WalkReader,
): { readonly state: unknown; readonly changes: readonly TimelineChange[] } {
  const before = stateBefore(callers, seq);
  let state: unknown = before;
  const changes = patches.map(({ op, path, value }): TimelineChange => {
    const old = op === "add" ? undefined : valueAt(state, path as Path);
    state = patched(state, { op, path, ...(op === "remove" ? {} : { value }) });
    return {
      path: pathText(path),
      op,
      ...(old === undefined ? {} : { before: old }),
      ...(op === "remove" ? {} : { after: value }),
    };
  });
  return { state: [before, state], changes };
}

function nodeRunsAt(
  marks: readonly Mark[],
  { key, seq }: { readonly key: string; readonly seq: number },
): TimelinePage["nodeRuns"] {
  const last = new Map<number, Pick<Mark, "node" | "status">>();
  for (const { graph, nodeRun, node, status, seq: marked } of marks) {
    if (marked > seq) break;
    if (graph === key) last.set(nodeRun, { node, status });
  }
  return [...last.values()];
}

/** More is not read: `timeline.at(n)` has each of them. */
const PLACES_SHOWN = 40;
const CHANGES_SHOWN = 5;
const VALUE_CHARACTERS = 60;

function timelineText(timeline: Timeline): string {
  const { run, length } = timeline;
  const left = Math.max(0, length - PLACES_SHOWN);
  const shown = Array.from({ length: length - left }, (_, index) =>
    placeText(timeline, left + index),
  );
  return [
    `timeline of run ${shortRunId(run.id)} of ${run.graph}: ${run.status}, ${counted(run.stepCount)}`,
    ...(left === 0 ? [] : [`  … ${left} places before these; timeline.at(n) has each`]),
    ...shown.flat(),
  ].join("\n");
}

function counted(steps: number): string {
  return steps === 1 ? "1 step" : `${steps} steps`;
}

function placeText(timeline: Timeline, index: number): readonly string[] {
  const { title, changes } = timeline.at(index);
  const more = changes.length - CHANGES_SHOWN;
  return [
    `  ${index}  ${title}`,
    ...changes.slice(0, CHANGES_SHOWN).map((change) => `       ${changeText(change)}`),
    ...(more > 0 ? [`       … and ${more} more`] : []),
  ];
}

/** `notes[0] = "seen"`, `tasks = ["a"] (was [])`, `draft is gone`. */
function changeText({ path, op, before, after }: TimelineChange): string {
  if (op === "remove") return `${path} is gone`;
  const was = before === undefined ? "" : ` (was ${brief(before)})`;
  return `${path} = ${brief(after)}${was}`;
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : valueText(value);
  if (text.length <= VALUE_CHARACTERS) return text;
  return `${text.slice(0, VALUE_CHARACTERS - 1).toWellFormed()}…`;
}
