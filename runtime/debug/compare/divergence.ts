/** Finds the first record at which run B took another way than run A, and the reason. */
import { canonicalJson, type Ir, withoutSpans } from "../../../dsl/index.ts";
import { firstDifference, type JsonDifference } from "../../compare/json-difference.ts";
import type { RunView } from "../../history/run-view.ts";
import { pathText } from "../../state/path.ts";
import type { WalkEntry, WalkReader } from "../run-outline.ts";
import { entryTitle } from "../timeline.ts";
import { valueText } from "../transcript.ts";
import type { AlignedEntry } from "./aligned-steps.ts";
import type { ContentDifference } from "./step-content.ts";

/** The reason for which two runs differ. */
export type DivergenceCause =
  /** They were given something else: as input, or by their thread. */
  | ("input" | "start")
  /** The graph, or the node, is another one. */
  | "graph"
  /** Somebody outside answered otherwise. */
  | ("model" | "tool" | "function" | "controller" | "person")
  /** Another model was asked, a person said or set something, an attempt failed. */
  | ("chosen" | "steer" | "edit" | "failure")
  /** Node runs ended in another order, on which something depends. */
  | "order"
  /** The same node came to something else, or met another state, and the log does not say why. */
  | ("asked" | "output" | "state")
  /** An arrow, a join or a limit led elsewhere; one of them ended, or stands still. */
  | ("way" | "end");

export interface RunDivergence {
  readonly cause: DivergenceCause;
  /** The place in the timeline of each run; absent where that one has nothing there. */
  readonly a?: number;
  readonly b?: number;
  /** The number of own steps that both runs have behind them. */
  readonly step: number;
  readonly node?: string;
  /** The path of the difference: `request.messages[0].content`; empty where the whole differs. */
  readonly path: string;
  readonly inA?: unknown;
  readonly inB?: unknown;
  readonly message: string;
}

/** One of the two. */
export interface ComparedSide {
  readonly run: RunView;
  readonly reader: WalkReader;
}

export function divergenceOf(
  sides: { readonly a: ComparedSide; readonly b: ComparedSide },
  aligned: readonly AlignedEntry[],
): RunDivergence | undefined {
  const begun = startDivergence(sides);
  if (begun !== undefined) return begun;
  const moved = aligned.find(({ kind }) => kind === "moved");
  const found = aligned.find(({ kind }) => kind !== "same" && kind !== "moved");
  if (found !== undefined) {
    const first = editBefore(aligned, found) ?? found;
    return entryDivergence(sides, { found: first, aligned, moved });
  }
  if (moved !== undefined) {
    const message = `the same steps, in another order: ${titleOf(moved)} came earlier in B`;
    return { cause: "order", ...placesOf(sides, moved), path: "", message };
  }
  return endDivergence(sides);
}

/** Finds the edit by a person in one of the runs before their first other difference. */
function editBefore(
  aligned: readonly AlignedEntry[],
  found: AlignedEntry,
): AlignedEntry | undefined {
  const stepsBefore = ({ a, b }: AlignedEntry) => {
    const entry = a ?? b;
    return entry === undefined ? 0 : entry.step - (isOwnStep(entry) ? 1 : 0);
  };
  return aligned.find((entry) => {
    const isOnly = entry.a === undefined || entry.b === undefined;
    const isEdit = (entry.a ?? entry.b)?.kind === "edit";
    return isOnly && isEdit && stepsBefore(entry) <= stepsBefore(found);
  });
}

type Sides = Parameters<typeof divergenceOf>[0];

function startDivergence({ a, b }: Sides): RunDivergence | undefined {
  const [left, right] = [a, b].map(({ run }) => run.position.snapshot.input);
  const input = firstDifference(left, right);
  const at = { a: 0, b: 0, step: 0 };
  if (input !== undefined) {
    const path = pathText(["input", ...input.path]);
    return {
      cause: "input",
      ...at,
      ...valuesOf(path, input),
      message: differenceText(path, input),
    };
  }
  const state = firstDifference(firstState(a), firstState(b));
  const isOneGraph = a.run.graphHash === b.run.graphHash;
  if (state === undefined || !isOneGraph) return undefined;
  const path = pathText(state.path);
  const message = `they began with another state: ${differenceText(path, state)}`;
  return { cause: "start", ...at, ...valuesOf(path, state), message };
}

function firstState({ reader }: ComparedSide): unknown {
  return reader.graphs.get("")?.first;
}

interface DivergenceSearch {
  readonly found: AlignedEntry;
  readonly aligned: readonly AlignedEntry[];
  readonly moved: AlignedEntry | undefined;
}

function entryDivergence(sides: Sides, { found, aligned, moved }: DivergenceSearch): RunDivergence {
  const places = placesOf(sides, found);
  const title = titleOf(found);
  const graph = graphChange(sides, found);
  if (found.difference === undefined) {
    const only = found.a === undefined ? "B" : "A";
    const edit = (found.a ?? found.b)?.kind === "edit";
    if (edit) return { cause: "edit", ...places, path: "", message: `only in ${only}, ${title}` };
    if (graph !== undefined) return { cause: "graph", ...places, path: "", message: graph };
    return missing(sides, { found, aligned, moved }, { only, title });
  }
  const { difference: what } = found;
  const path = what.path.length === 0 ? "" : pathText(what.path);
  const values = valuesOf(path, what);
  // What it was given, asked or met follows from something before it.
  const isInner = ["given", "asked", "output", "state"].includes(what.kind);
  if (graph !== undefined && isInner) {
    return { cause: "graph", ...places, ...values, message: `${title}: ${graph}` };
  }
  if (moved !== undefined && isInner) {
    const order = `${title} follows from another order of steps: ${titleOf(moved)} came earlier in B`;
    return { cause: "order", ...places, ...values, message: order };
  }
  const cause = causeOf(what, nodeIn(sides.a.run.ir, found)?.kind);
  return { cause, ...places, ...values, message: `${title}: ${whyText(cause, what)}` };
}

/** A step that only one of them made. */
function missing(
  sides: Sides,
  { found, aligned, moved }: DivergenceSearch,
  { only, title }: { readonly only: "A" | "B"; readonly title: string },
): RunDivergence {
  const [other, name] = only === "A" ? ([sides.b, "B"] as const) : ([sides.a, "A"] as const);
  const places = placesOf(sides, found);
  if (isFollowed(aligned, { found, only })) {
    const message = `${title} is only in ${only}: ${name} went another way`;
    return { cause: moved === undefined ? "way" : "order", ...places, path: "", message };
  }
  const { failure } = other.run;
  const failed = other.reader.entries.findLastIndex(({ kind }) => kind === "failure");
  const there = failure === undefined || failed === -1 ? {} : { [name.toLowerCase()]: failed };
  const stands = `${name} has no step from there on (${standText(other.run)})`;
  const message = `${title} is only in ${only}: ${stands}`;
  const cause = failure === undefined ? "end" : "failure";
  return { cause, ...places, ...there, path: "", message };
}

function causeOf({ kind }: ContentDifference, node: string | undefined): DivergenceCause {
  if (kind === "given") return "state";
  // Functions are called without an entry of their own in the log.
  const isCalled = node === "run" || node === "reduce" || node === "tool";
  return kind === "output" && isCalled ? "function" : kind;
}

function whyText(cause: DivergenceCause, { by, path, ...values }: ContentDifference): string {
  const who = by === undefined ? "" : ` \`${by}\``;
  const what = differenceText(path.length === 0 ? "it" : pathText(path), values);
  return `${WHY[cause] ?? cause}${who}: ${what}`;
}

const WHY: Readonly<Partial<Record<DivergenceCause, string>>> = {
  model: "another answer of the model",
  tool: "another answer of the tool",
  function: "the function came to something else",
  controller: "another answer of the operator",
  person: "another answer of a person",
  chosen: "another model or tool was asked",
  steer: "a person said something else",
  failure: "an attempt failed otherwise",
  asked: "something else was asked",
  output: "it came to something else",
  state: "it met another state",
};

/** Describes the change of the node, or of the graph that leads to it; undefined where the graphs are equal. */
function graphChange({ a, b }: Sides, found: AlignedEntry): string | undefined {
  const [before, after] = [a.run.ir, b.run.ir];
  if (before.hash === after.hash) return undefined;
  const [left, right] = [nodeIn(before, found), nodeIn(after, found)];
  const name = (found.a ?? found.b)?.commit?.node ?? "";
  if (left === undefined && right === undefined) return "the graph is another one";
  if (left === undefined) return `\`${name}\` is only in the graph of B`;
  if (right === undefined) return `\`${name}\` is only in the graph of A`;
  const parts = new Set([...Object.keys(left), ...Object.keys(right)]);
  const changed = [...parts].filter(
    (part) =>
      part !== "span" &&
      !isSame(left[part as keyof typeof left], right[part as keyof typeof right]),
  );
  if (changed.length > 0) return `\`${name}\` is another one in B: its ${changed.join(", ")}`;
  return found.difference === undefined ? "the arrows of the graph are others" : undefined;
}

/** The node of a step, where that stands in the run's own graph. */
function nodeIn({ nodes, graphs = [] }: Ir, { a, b }: AlignedEntry) {
  const entry = a ?? b;
  const all = entry?.path.length === 0 ? nodes : graphs.flatMap((graph) => graph.nodes);
  return all.find(({ name }) => name === entry?.commit?.node);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutSpans(a ?? null)) === canonicalJson(withoutSpans(b ?? null));
}

/** Tells whether the run that does not have it goes on behind that place. */
function isFollowed(
  aligned: readonly AlignedEntry[],
  { found, only }: { readonly found: AlignedEntry; readonly only: "A" | "B" },
): boolean {
  const behind = aligned.slice(aligned.indexOf(found) + 1);
  return behind.some((entry) => (only === "A" ? entry.b : entry.a) !== undefined);
}

function endDivergence(sides: Sides): RunDivergence | undefined {
  const { a, b } = sides;
  const [left, right] = [standText(a.run), standText(b.run)];
  const places = { a: a.reader.entries.length - 1, b: b.reader.entries.length - 1 };
  const at = { ...places, step: a.run.steps.length };
  if (left !== right) {
    const values = { path: "status", inA: a.run.status, inB: b.run.status };
    const message = `the same steps, and A is ${left} where B is ${right}`;
    return { cause: "end", ...at, ...values, message };
  }
  const state = firstDifference(a.run.state, b.run.state);
  if (state === undefined) return undefined;
  const path = pathText(state.path);
  return { cause: "state", ...at, ...valuesOf(path, state), message: differenceText(path, state) };
}

function standText({ status, reason, failure }: RunView): string {
  if (failure !== undefined) return `${status}: ${failure.code} ${failure.message}`;
  return reason === undefined || reason === "done" ? status : `${status}: ${reason}`;
}

function placesOf(
  { a, b }: Sides,
  found: AlignedEntry,
): Pick<RunDivergence, "a" | "b" | "step" | "node"> {
  const [left, right] = [placeIn(a, found.a), placeIn(b, found.b)];
  const entry = found.a ?? found.b;
  const node = entry?.commit?.node;
  return {
    ...(left === undefined ? {} : { a: left }),
    ...(right === undefined ? {} : { b: right }),
    step: entry === undefined ? 0 : entry.step - (isOwnStep(entry) ? 1 : 0),
    ...(node === undefined ? {} : { node }),
  };
}

function isOwnStep({ kind, path }: WalkEntry): boolean {
  return kind === "step" && path.length === 0;
}

function placeIn({ reader }: ComparedSide, entry: WalkEntry | undefined): number | undefined {
  return entry === undefined ? undefined : reader.entries.indexOf(entry);
}

function titleOf({ a, b }: AlignedEntry): string {
  const entry = a ?? b;
  return entry === undefined ? "" : entryTitle(entry);
}

function valuesOf(
  path: string,
  { a, b }: Pick<JsonDifference, "a" | "b">,
): Pick<RunDivergence, "path" | "inA" | "inB"> {
  return {
    path,
    ...(a === undefined ? {} : { inA: a }),
    ...(b === undefined ? {} : { inB: b }),
  };
}

function differenceText(path: string, { a, b }: Pick<JsonDifference, "a" | "b">): string {
  return `${path} is ${brief(a)} in A and ${brief(b)} in B`;
}

function brief(value: unknown): string {
  if (value === undefined) return "absent";
  const text = typeof value === "string" ? JSON.stringify(value) : valueText(value);
  return text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text;
}
