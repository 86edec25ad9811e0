/** Counts from a run's events how its node runs stand. */
import {
  type ModelSource,
  type RunEvent,
  STATUS_AFTER_ATTEMPT,
  type ToolProgress,
} from "../../../runtime/index.ts";
import type { NodeState } from "../graph/draw.ts";
import type { NodeStatus } from "../graph/node-look.ts";

/** One node run; the words are those of the view `node_runs`. */
export interface NodeRunTally {
  readonly nodeRun: number;
  readonly node: string;
  /** `search#2`: for people. */
  readonly label: string;
  status: Exclude<NodeStatus, "idle" | "waiting" | "paused">;
  /** True if its attempt was abandoned at a pause of the run, and begins again with it. */
  isPaused: boolean;
  /** The total time of its attempts in milliseconds. */
  durationMs: number;
  inputTokens: number;
  outputTokens: number;
  /** Of its last event; a rewind to an earlier record undoes it. */
  lastSeq: number;
}

export interface StatusTally {
  readonly nodeRuns: Map<number, NodeRunTally>;
  /** The uses of `each`es so far. */
  expansions: readonly { readonly each: string; readonly items: number; readonly seq: number }[];
  /** For each node run of a called graph: the node run that called it. */
  readonly callers: Map<number, number>;
  readonly modelSources: Set<ModelSource>;
  readonly asking: Map<string, AskingNodeRun>;
  /** The last that a tool said of how far it is, for each node run of this graph that calls one, itself or in a called graph. */
  readonly progress: Map<number, ToolProgress>;
  isOver: boolean;
  /** The time of the last event, in milliseconds since the epoch. */
  lastAt: number | undefined;
}

/**
 * A node run of this graph that waits for an answer, itself or in a graph that it called, and the
 * time since when.
 */
interface AskingNodeRun {
  readonly node: string;
  readonly nodeRun: number;
  readonly since: number;
}

export function newTally(): StatusTally {
  return {
    nodeRuns: new Map(),
    callers: new Map(),
    expansions: [],
    modelSources: new Set(),
    asking: new Map(),
    progress: new Map(),
    isOver: false,
    lastAt: undefined,
  };
}

/** Adds an event; whether it changes what is shown. */
export function count(tally: StatusTally, event: RunEvent): boolean {
  tally.lastAt = event.at;
  const isProgress = countProgress(tally, event);
  if (event.caller !== undefined) return countInside(tally, event, event.caller) || isProgress;
  switch (event.kind) {
    case "attempt.started":
      Object.assign(nodeRunOf(tally, event), { status: "running", isPaused: false });
      return true;
    case "attempt.finished":
      finish(nodeRunOf(tally, event), event);
      return true;
    case "model.response":
    case "controller.event":
      if (event.modelSource !== undefined) tally.modelSources.add(event.modelSource);
      return spend(tally, event);
    case "tool.progress":
      return true;
    case "tool.result":
    case "function.result":
      return spend(tally, event) || isProgress;
    case "each.started":
      tally.expansions = [...tally.expansions, event];
      return true;
    case "run.resumed":
    case "run.released":
      tally.isOver = false;
      return true;
    case "run.rewound":
      tally.isOver = false;
      undo(tally, event);
      return true;
    case "commit":
      nodeRunOf(tally, event);
      return false;
    case "run.finished":
      tally.isOver = true;
      leaveOff(tally);
      return true;
    case "interrupt.opened":
      ask(tally, event, event);
      return true;
    case "run.paused":
    case "run.held":
    case "run.waiting":
    case "interrupt.answered":
    case "interrupt.left":
      return true;
    default:
      return false;
  }
}

/**
 * Counts an event of a called graph, whose usage is added to the node that called it; returns
 * whether the drawing changes.
 */
function countInside(tally: StatusTally, event: RunEvent, caller: number): boolean {
  if ("nodeRun" in event && event.nodeRun !== undefined) tally.callers.set(event.nodeRun, caller);
  const isAnswer = event.kind === "model.response" || event.kind === "controller.event";
  if (isAnswer && event.modelSource !== undefined) tally.modelSources.add(event.modelSource);
  const nodeRun = tally.nodeRuns.get(outermostOf(tally, caller));
  if (event.kind === "interrupt.opened" && nodeRun !== undefined) {
    ask(tally, event, nodeRun);
  }
  if (event.kind === "interrupt.opened" || event.kind === "interrupt.answered") return true;
  const isCall = "call" in event || event.kind === "controller.event";
  if (!isCall || !("usage" in event) || event.usage === undefined) return false;
  if (nodeRun === undefined) return false;
  nodeRun.inputTokens += event.usage.inputTokens;
  nodeRun.outputTokens += event.usage.outputTokens;
  return true;
}

/** Keeps how far the tool of a node run is until its call is over; returns whether the event says something of it. */
function countProgress(tally: StatusTally, event: RunEvent): boolean {
  if (
    event.kind !== "tool.progress" &&
    event.kind !== "tool.result" &&
    event.kind !== "attempt.finished"
  )
    return false;
  const { caller, nodeRun } = event;
  const shown = caller === undefined ? nodeRun : outermostOf(tally, caller);
  if (event.kind !== "tool.progress") return tally.progress.delete(shown);
  tally.progress.set(shown, event);
  return true;
}

type OpenedNodeRun = RunEvent & { readonly kind: "interrupt.opened" };

function ask(
  { asking }: StatusTally,
  { interrupt, at }: OpenedNodeRun,
  by: Pick<OpenedNodeRun, "node" | "nodeRun">,
) {
  asking.set(interrupt, { node: by.node, nodeRun: by.nodeRun, since: at });
}

function outermostOf({ callers }: StatusTally, caller: number): number {
  let outermost = caller;
  for (let at = callers.get(caller); at !== undefined; at = callers.get(at)) outermost = at;
  return outermost;
}

type Finished = RunEvent & { readonly kind: "attempt.finished" };
type SpentUsage = RunEvent & {
  readonly kind: "model.response" | "tool.result" | "function.result" | "controller.event";
};
type OfNode = Pick<Finished, "nodeRun" | "node" | "label" | "seq">;

function nodeRunOf({ nodeRuns }: StatusTally, { nodeRun, node, label, seq }: OfNode): NodeRunTally {
  const known = nodeRuns.get(nodeRun);
  if (known !== undefined) {
    known.lastSeq = seq;
    return known;
  }
  const empty = { durationMs: 0, inputTokens: 0, outputTokens: 0 } as const;
  const face = { nodeRun, node, label } as const;
  const made = { ...face, status: "running", isPaused: false, lastSeq: seq, ...empty } as const;
  nodeRuns.set(nodeRun, made);
  return made;
}

function finish(nodeRun: NodeRunTally, { status, next, durationMs }: Finished): void {
  nodeRun.durationMs += durationMs;
  if (status === "ok") nodeRun.status = "succeeded";
  else nodeRun.status = next === undefined ? "aborted" : STATUS_AFTER_ATTEMPT[next];
  nodeRun.isPaused = next === "resume";
}

function spend(tally: StatusTally, event: SpentUsage): boolean {
  const { usage } = event;
  if (usage === undefined) return false;
  const nodeRun = nodeRunOf(tally, event);
  nodeRun.inputTokens += usage.inputTokens;
  nodeRun.outputTokens += usage.outputTokens;
  return true;
}

/**
 * Marks as stale what a rewind undid: node runs after the record that it went back to, and those it
 * dropped.
 */
function undo(
  tally: StatusTally,
  { to, dropped }: RunEvent & { readonly kind: "run.rewound" },
): void {
  for (const nodeRun of tally.nodeRuns.values()) {
    if (nodeRun.lastSeq > to || dropped.includes(nodeRun.nodeRun)) nodeRun.status = "stale";
  }
  tally.expansions = tally.expansions.filter(({ seq }) => seq <= to);
}

/** Marks the node runs that were still open when the run ended as aborted. */
function leaveOff({ nodeRuns }: StatusTally): void {
  for (const nodeRun of nodeRuns.values()) {
    if (nodeRun.status === "running" || nodeRun.status === "ready") nodeRun.status = "aborted";
    nodeRun.isPaused = false;
  }
}

/** The facts about a run beside its tally. */
export interface TallyParent {
  /** For the items of which `each` a node runs. */
  readonly eachOf: ReadonlyMap<string, string>;
  /** The questions that wait for an answer. */
  readonly open: ReadonlySet<string>;
}

/** Returns the state of each node with node runs or questions, by name. */
export function nodeStates(
  tally: StatusTally,
  { eachOf, open }: TallyParent,
): Readonly<Record<string, NodeState>> {
  const byNode = Map.groupBy(tally.nodeRuns.values(), ({ node }) => node);
  const asking = Map.groupBy(openQuestions(tally, open), ({ node }) => node);
  // One that asks before it starts has no node run yet.
  const nodes = new Set([...byNode.keys(), ...asking.keys()]);
  return Object.fromEntries(
    [...nodes].map((node) => {
      const questions = asking.get(node) ?? [];
      const expected = tally.isOver ? 0 : itemsOf(tally, eachOf.get(node));
      const total = runsOf(tally, { node, questions });
      const state = nodeState(onPath(byNode.get(node) ?? []), Math.max(expected, total));
      if (questions.length === 0) return [node, state];
      const askedSince = Math.min(...questions.map(({ since }) => since));
      return [node, { ...state, status: "waiting", askedSince }];
    }),
  );
}

/** The node runs that there are, with those that ask before they begin. */
export function countNodeRuns(tally: StatusTally, open: ReadonlySet<string>): number {
  const left = [...tally.nodeRuns.values()].filter(({ status }) => status !== "stale");
  return left.length + notBegun(tally, openQuestions(tally, open)).size;
}

function runsOf(
  tally: StatusTally,
  { node, questions }: { readonly node: string; readonly questions: readonly AskingNodeRun[] },
): number {
  const begun = [...tally.nodeRuns.values()].filter((one) => one.node === node);
  return onPath(begun).length + notBegun(tally, questions).size;
}

function notBegun(
  { nodeRuns }: StatusTally,
  questions: readonly AskingNodeRun[],
): ReadonlySet<number> {
  const numbers = questions.map(({ nodeRun }) => nodeRun);
  return new Set(numbers.filter((nodeRun) => !nodeRuns.has(nodeRun)));
}

function openQuestions(
  { asking }: StatusTally,
  open: ReadonlySet<string>,
): readonly AskingNodeRun[] {
  return [...asking].flatMap(([interrupt, question]) => (open.has(interrupt) ? [question] : []));
}

function itemsOf({ expansions }: StatusTally, each: string | undefined): number {
  const own = expansions.filter((expansion) => expansion.each === each);
  return own.reduce((total, { items }) => total + items, 0);
}

/** Returns the node runs that were not undone; all of them if each was. */
function onPath(nodeRuns: readonly NodeRunTally[]): readonly NodeRunTally[] {
  const left = nodeRuns.filter(({ status }) => status !== "stale");
  return left.length === 0 ? nodeRuns : left;
}

function nodeState(nodeRuns: readonly NodeRunTally[], expected: number): NodeState {
  const sum = (value: (nodeRun: NodeRunTally) => number) =>
    nodeRuns.reduce((total, nodeRun) => total + value(nodeRun), 0);
  return {
    status: commonStatus(
      new Set(nodeRuns.map(({ status, isPaused }) => (isPaused ? "paused" : status))),
    ),
    done: nodeRuns.filter(({ status }) => status === "succeeded").length,
    total: Math.max(nodeRuns.length, expected),
    durationMs: sum(({ durationMs }) => durationMs),
    tokens: sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
  };
}

/** One word for all node runs of a node: what is under way comes first, then what went wrong. */
export function commonStatus(statuses: ReadonlySet<NodeStatus>): NodeStatus {
  return BY_WEIGHT.find((status) => statuses.has(status)) ?? "idle";
}

const BY_WEIGHT = [
  "waiting",
  "running",
  "ready",
  "paused",
  "failed",
  "aborted",
  "succeeded",
  "skipped",
  "stale",
] as const;
