/** Compares run B with run A: the first divergence and its cause, their steps side by side, the results of each. */

import { jsonDifferences } from "../../compare/json-difference.ts";
import { RunError } from "../../failure.ts";
import type { RunView } from "../../history/run-view.ts";
import { shownValue } from "../../redaction/show-to-people.ts";
import { shortRunId } from "../../run-names.ts";
import type { RunStatus } from "../../run-status.ts";
import { pathText } from "../../state/path.ts";
import { type WalkEntry, WalkReader } from "../run-outline.ts";
import { entryTitle } from "../timeline.ts";
import { valueText } from "../transcript.ts";
import { type AlignedEntry, alignedEntries } from "./aligned-steps.ts";
import { divergenceOf, type RunDivergence } from "./divergence.ts";

/** One place of the common way. */
export interface AlignedStep {
  readonly kind: AlignedEntry["kind"];
  /** Places of the timelines. */
  readonly a?: number;
  readonly b?: number;
  /** `step 3: search#2`, as the first that has it calls it. */
  readonly title: string;
  /** The differing part: `model`, `output`, …. */
  readonly differs?: string;
}

/** One of the two, in short. */
export interface ComparedRun {
  readonly runId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly status: RunStatus;
  readonly reason?: string;
}

/** One measure of both runs; `null` where a cost is not known. */
export interface ComparedTotal {
  readonly measure: (typeof MEASURES)[number];
  readonly a: number | null;
  readonly b: number | null;
}

const MEASURES = [
  ...(["steps", "active_ms", "model_calls", "tool_calls"] as const),
  ...(["input_tokens", "output_tokens", "cost_usd"] as const),
] as const;

/** As they are when they are compared: without what is private, and what looks like a secret. */
export class RunDiff {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** The first divergence; absent where the runs are equal. */
  readonly divergence?: RunDivergence;
  readonly steps: readonly AlignedStep[];
  /** The paths at which their states differ, at most a thousand. */
  readonly state: readonly ValueDifference[];
  readonly output: readonly ValueDifference[];
  readonly totals: readonly ComparedTotal[];

  private constructor(of: Omit<RunDiff, "isSame" | "toJSON" | "toString">) {
    const { a, b, divergence, steps, state, output, totals } = of;
    this.a = a;
    this.b = b;
    if (divergence !== undefined) this.divergence = divergence;
    this.steps = steps;
    this.state = state;
    this.output = output;
    this.totals = totals;
  }

  /** M5457 for what is no run of this process, and for runs of graphs that have nothing in common. */
  static of(a: RunView, other: RunView | undefined): RunDiff {
    if (other === undefined) throw noRun();
    assertRelated(a, other);
    const sides = {
      a: { run: a, reader: WalkReader.of(a.position) },
      b: { run: other, reader: WalkReader.of(other.position) },
    };
    const [left, right] = [sides.a.reader.entries, sides.b.reader.entries];
    const aligned = alignedEntries(left, right, a.graphHash === other.graphHash);
    const divergence = divergenceOf(sides, aligned);
    const shown = shownBoth(a, other, {
      ...(divergence === undefined ? {} : { divergence }),
      state: valueDifferences(a.state, other.state),
      output: valueDifferences(outputOf(a), outputOf(other)),
    });
    const places = { a: placesOf(left), b: placesOf(right) };
    return new RunDiff({
      a: comparedRun(a),
      b: comparedRun(other),
      steps: aligned.map((entry) => alignedStep(entry, places)),
      totals: totalsOf(a, other),
      ...shown,
    });
  }

  get isSame(): boolean {
    return this.divergence === undefined;
  }

  /** As `madrigal diff --json` prints it. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { a, b, divergence, steps, state, output, totals } = this;
    return {
      a: runJson(a),
      b: runJson(b),
      same: this.isSame,
      divergence: divergence === undefined ? null : divergenceJson(divergence),
      steps,
      state,
      output,
      totals,
    };
  }

  toString(): string {
    return diffText(this);
  }
}

function noRun(): RunError {
  return new RunError("M5457", "this is no run that can be compared", {
    hint: "`run.diff(other)` takes what `graph.run` or `runs.open` gives: `run.diff(runs.open(id))`",
  });
}

function assertRelated(a: RunView, b: RunView): void {
  const names = new Set(a.ir.nodes.map(({ name }) => name));
  if (a.graph === b.graph || b.ir.nodes.some(({ name }) => names.has(name))) return;
  const what = `run \`${shortRunId(a.id)}\` is of \`${a.graph}\` and run \`${shortRunId(b.id)}\` of \`${b.graph}\``;
  throw new RunError("M5457", `${what}, which have no node in common`, {
    hint: `\`madrigal runs --graph ${a.graph}\` lists those that can be compared with the first`,
    runId: a.id,
  });
}

/** The texts of each may stand in the other. */
function shownBoth<T>(a: RunView, b: RunView, value: T): T {
  return shownValue(shownValue(value, a), b);
}

function outputOf({ position: { snapshot } }: RunView): unknown {
  return snapshot.output ?? {};
}

function comparedRun({ id, graph, graphHash, status, reason }: RunView): ComparedRun {
  return {
    runId: id,
    graph,
    graphHash,
    status,
    ...(reason === undefined ? {} : { reason }),
  };
}

type StepPlaces = ReadonlyMap<WalkEntry, number>;

function placesOf(entries: readonly WalkEntry[]): StepPlaces {
  return new Map(entries.map((entry, index) => [entry, index]));
}

function alignedStep(
  { a, b, kind, difference }: AlignedEntry,
  places: { readonly a: StepPlaces; readonly b: StepPlaces },
): AlignedStep {
  const entry = a ?? b;
  const [left, right] = [a && places.a.get(a), b && places.b.get(b)];
  return {
    kind,
    ...(left === undefined ? {} : { a: left }),
    ...(right === undefined ? {} : { b: right }),
    title: entry === undefined ? "" : entryTitle(entry),
    ...(difference === undefined ? {} : { differs: difference.kind }),
  };
}

function totalsOf(a: RunView, b: RunView): readonly ComparedTotal[] {
  const [left, right] = [measuresOf(a), measuresOf(b)];
  return MEASURES.map((measure) => ({ measure, a: left[measure], b: right[measure] }));
}

function measuresOf({
  steps,
  activeMs,
  usage,
}: RunView): Readonly<Record<(typeof MEASURES)[number], number | null>> {
  return {
    steps: steps.length,
    active_ms: activeMs,
    model_calls: usage.modelCalls,
    tool_calls: usage.toolCalls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd,
  };
}

function runJson({ runId, graph, graphHash, status, reason }: ComparedRun) {
  return { run_id: runId, graph, graph_hash: graphHash, status, reason: reason ?? null };
}

function divergenceJson({ a, b, node, inA, inB, ...of }: RunDivergence) {
  return {
    ...of,
    a: a ?? null,
    b: b ?? null,
    node: node ?? null,
    in_a: inA ?? null,
    in_b: inB ?? null,
  };
}

const STEPS_SHOWN = 40;
const PLACES_SHOWN = 20;
const VALUE_CHARACTERS = 60;

function diffText({ a, b, divergence, steps, state, output, totals }: RunDiff): string {
  const statusText = ({ status, reason }: typeof a) =>
    reason === undefined || reason === "done" ? status : `${status} (${reason})`;
  const graphs = a.graphHash === b.graphHash ? "" : ` (${b.graphHash.slice(0, 8)})`;
  const left = a.graphHash === b.graphHash ? "" : ` (${a.graphHash.slice(0, 8)})`;
  return [
    `A  run ${shortRunId(a.runId)} of ${a.graph}${left}: ${statusText(a)}`,
    `B  run ${shortRunId(b.runId)} of ${b.graph}${graphs}: ${statusText(b)}`,
    divergence === undefined
      ? "the same steps, the same state"
      : `part behind step ${divergence.step} (${divergence.cause}): ${divergence.message}`,
    ...(divergence === undefined ? [] : listed("steps", steps.map(stepText), STEPS_SHOWN)),
    ...listed("state", state.map(differenceText), PLACES_SHOWN),
    ...listed("output", output.map(differenceText), PLACES_SHOWN),
    ...listed("took", totals.filter(isTold).map(totalText), PLACES_SHOWN),
  ].join("\n");
}

function listed(title: string, lines: readonly string[], most: number): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - most;
  return [
    `${title}:`,
    ...lines.slice(0, most).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

const SIGNS = {
  same: "  ",
  differs: "! ",
  moved: "~ ",
  "only in A": "- ",
  "only in B": "+ ",
} as const;

function stepText({ kind, title, differs }: AlignedStep): string {
  return `${SIGNS[kind]}${title}${differs === undefined ? "" : ` (${differs})`}`;
}

/** `draft: "a" → "b"`, with `-` where a side has nothing. */
function differenceText({ path, a, b }: ValueDifference): string {
  return `${path}: ${brief(a)} → ${brief(b)}`;
}

function brief(value: unknown): string {
  if (value === undefined) return "-";
  const text = typeof value === "string" ? JSON.stringify(value) : valueText(value);
  if (text.length <= VALUE_CHARACTERS) return text;
  return `${text.slice(0, VALUE_CHARACTERS - 1).toWellFormed()}…`;
}

/** Tells whether a measure is shown: durations always, all others where they differ. */
export function isTold({ measure, a, b }: ComparedTotal): boolean {
  return a !== b || measure === "active_ms";
}

/** `output_tokens: 12 → 30 (+18)`, `time: 3 ms → 2 ms (-1 ms)`. */
function totalText(total: ComparedTotal): string {
  const { name, a, b, delta } = totalTexts(total);
  return `${name}: ${a} → ${b}${delta === "" ? "" : ` (${delta})`}`;
}

/** The same in pieces. */
export function totalTexts({ measure, a, b }: ComparedTotal) {
  const isTime = measure === "active_ms";
  const text = (value: number | null) =>
    value === null ? "not known" : `${value}${isTime ? " ms" : ""}`;
  const delta = a === null || b === null ? undefined : Number((b - a).toPrecision(6));
  const sign = delta !== undefined && delta >= 0 ? "+" : "";
  return {
    name: isTime ? "time" : measure,
    a: text(a),
    b: text(b),
    delta: delta === undefined ? "" : `${sign}${text(delta)}`,
  };
}

/** One place; a side that has nothing there is absent. */
interface ValueDifference {
  /** `plan.steps[2].title` */
  readonly path: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

/** More are not read one by one. */
const DIFFERENCES_MAX = 1_000;

/** The first thousand, in the order of the members of `a`, then those that only `b` has. */
function valueDifferences(a: unknown, b: unknown): readonly ValueDifference[] {
  return jsonDifferences(a, b)
    .take(DIFFERENCES_MAX)
    .map(({ path, ...sides }) => ({
      path: pathText(path),
      ...(sides.a === undefined ? {} : { a: sides.a }),
      ...(sides.b === undefined ? {} : { b: sides.b }),
    }))
    .toArray();
}
