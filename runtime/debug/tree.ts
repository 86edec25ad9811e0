/** The runs of a thread as the tree that forks make of them: where each left which other one, and what is another in it. */

import type { RunView } from "../history/run-view.ts";
import { shownValue } from "../redaction/show-to-people.ts";
import { shortRunId } from "../run-names.ts";
import type { RunStatus } from "../run-status.ts";
import type { RunFilter, RunSummary } from "../store/run-store.ts";
import { turnsBefore } from "../threads/turns.ts";
import { RunDiff } from "./compare/run-diff.ts";

export interface TreeRun {
  readonly runId: string;
  readonly graph: string;
  readonly status: RunStatus;
  readonly reason?: string;
  readonly steps: number;
  readonly createdAt: number;
  readonly tokens: number;
  /** The run and the step from which it was forked; that run may be deleted. */
  readonly from?: { readonly runId: string; readonly step: number };
  /** The run that it goes on from, on a branch of its thread: another one than the root before it. */
  readonly follows?: string;
  /** The first divergence from that run, with its cause. */
  readonly differs?: { readonly step: number; readonly cause: string; readonly message: string };
  /** The rewinds: the step before, and the step to which it went back. */
  readonly rewinds: readonly Rewound[];
  /** The runs that left it, the latest step first. */
  readonly branches: readonly TreeRun[];
}

export interface Rewound {
  readonly from: number;
  readonly to: number;
}

/** The tree of one thread's runs and forks, at the time of the call. */
export class RunTree {
  readonly thread: string;
  /** The runs that left no other one of the thread, oldest first. */
  readonly roots: readonly TreeRun[];
  /** The number of older runs that are left out. */
  readonly left: number;

  constructor({ thread, roots, left }: Pick<RunTree, "thread" | "roots" | "left">) {
    this.thread = thread;
    this.roots = roots;
    this.left = left;
  }

  /** As `madrigal runs tree --json` prints it. */
  toJSON(): Readonly<Record<string, unknown>> {
    return { thread: this.thread, left: this.left, runs: this.roots.map(treeJson) };
  }

  toString(): string {
    return treeText(this);
  }
}

interface Runs {
  list(filter?: RunFilter): readonly RunSummary[];
  open(id: string): RunView;
}

/** More make no picture. */
const RUNS_MAX = 100;

/** Returns the tree of a thread, or of a run's thread, with forks into threads of their own. Throws M5107 if `id` names neither. */
export function runTree(runs: Runs, id: string): RunTree {
  const isThread = runs.list({ thread: id, limit: 1 }).length > 0;
  const all = runs.list();
  const thread = isThread ? id : firstThread(runs.open(id).id, all);
  const found = familyOf(thread, all);
  const newest = found.slice(0, RUNS_MAX);
  const open = new Map(newest.map((summary) => [summary.runId, runs.open(summary.runId)]));
  const known = { newest, open, parents: parentsOf(newest) };
  return new RunTree({
    thread,
    roots: newest
      .filter(({ runId }) => !known.parents.has(runId))
      .toReversed()
      .map((summary) => treeRun(summary, known)),
    left: found.length - newest.length,
  });
}

/** The thread that a run, or the one that it left, or that one, began in. */
function firstThread(id: string, all: readonly RunSummary[]): string {
  const byId = new Map(all.map((run) => [run.runId, run]));
  let run = byId.get(id);
  for (let next = run; next !== undefined; next = byId.get(next.forkedFrom?.runId ?? ""))
    run = next;
  return run?.threadId ?? id;
}

/** The runs of a thread, and those of the threads that forks of them got, newest first. */
function familyOf(thread: string, all: readonly RunSummary[]): readonly RunSummary[] {
  const threads = new Set([thread]);
  const ids = new Set<string>();
  // What forks a run is newer than it.
  for (const { runId, threadId, forkedFrom } of all.toReversed()) {
    if (forkedFrom !== undefined && ids.has(forkedFrom.runId)) threads.add(threadId);
    if (threads.has(threadId)) ids.add(runId);
  }
  return all.filter(({ runId }) => ids.has(runId));
}

/** Below which run each stands that is no root: the one that it left, or where its branch of the thread did. */
function parentsOf(runs: readonly RunSummary[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const ids = new Set(runs.map(({ runId }) => runId));
  for (const run of runs.toReversed()) {
    const [before] = turnsBefore(run, runs);
    const parent = run.forkedFrom?.runId ?? run.follows ?? parents.get(before ?? "");
    if (parent !== undefined && ids.has(parent)) parents.set(run.runId, parent);
  }
  return parents;
}

interface KnownRuns {
  readonly newest: readonly RunSummary[];
  readonly open: ReadonlyMap<string, RunView>;
  readonly parents: ReadonlyMap<string, string>;
}

function treeRun(summary: RunSummary, known: KnownRuns): TreeRun {
  const { runId, graph, reason, createdAt, usage, forkedFrom } = summary;
  const run = known.open.get(runId);
  const below = known.newest.filter((one) => known.parents.get(one.runId) === runId);
  const forks = below
    .filter((one) => one.forkedFrom?.runId === runId)
    .toSorted((a, b) => (b.forkedFrom?.step ?? 0) - (a.forkedFrom?.step ?? 0));
  const branches = [...forks, ...below.filter((one) => !forks.includes(one)).toReversed()];
  const from = forkedFrom && { runId: forkedFrom.runId, step: forkedFrom.step ?? 0 };
  const isBranch = forkedFrom === undefined && known.parents.has(runId);
  const [follows] = isBranch ? turnsBefore(summary, known.newest) : [];
  const differs = differenceFrom(known.open.get(forkedFrom?.runId ?? ""), run);
  return {
    runId,
    graph,
    status: run?.status ?? summary.status,
    ...(reason === undefined ? {} : { reason }),
    steps: run?.steps.length ?? summary.steps,
    createdAt,
    tokens: usage.inputTokens + usage.outputTokens,
    ...(from === undefined ? {} : { from }),
    ...(follows === undefined ? {} : { follows }),
    ...(differs === undefined ? {} : { differs }),
    rewinds: run === undefined ? [] : rewindsOf(run, forkedFrom?.seq ?? -1),
    branches: branches.map((one) => treeRun(one, known)),
  };
}

function differenceFrom(parent: RunView | undefined, run: RunView | undefined): TreeRun["differs"] {
  if (parent === undefined || run === undefined) return undefined;
  const { divergence } = RunDiff.of(parent, run);
  if (divergence === undefined) return undefined;
  const { step, cause, message } = divergence;
  return { step, cause, message: shownValue(message, run) };
}

/** Its own: the log of a fork begins with that of the run which it left. */
function rewindsOf({ position: { records } }: RunView, since: number): readonly Rewound[] {
  const rewinds: Rewound[] = [];
  let step = 0;
  for (const record of records) {
    if (record.kind === "commit") step = record.step;
    if (record.kind !== "control" || record.verb !== "rewind") continue;
    const isOwn = record.seq > since && record.reason !== "fork";
    if (isOwn) rewinds.push({ from: step, to: record.step });
    step = record.step;
  }
  return rewinds;
}

function treeJson(run: TreeRun): Readonly<Record<string, unknown>> {
  const { runId, graph, status, reason, steps, createdAt, tokens, from, follows, differs } = run;
  return {
    run_id: runId,
    graph,
    status,
    reason: reason ?? null,
    steps,
    created_at: new Date(createdAt).toISOString(),
    tokens,
    forked_from: from === undefined ? null : { run_id: from.runId, step: from.step },
    follows: follows ?? null,
    differs: differs ?? null,
    rewinds: run.rewinds,
    branches: run.branches.map(treeJson),
  };
}

function treeText({ thread, roots, left }: RunTree): string {
  const older = left === 0 ? [] : [`… and ${left} older runs`];
  return [threadText(thread), ...roots.flatMap((run) => runLines(run, "")), ...older].join("\n");
}

/** `thread mail`; one that nobody named has the id of its first run. */
export function threadText(thread: string): string {
  const short = shortRunId(thread);
  return short === thread ? `thread ${thread}` : `thread of run ${short}`;
}

function runLines(run: TreeRun, indent: string): readonly string[] {
  return [
    `${indent}${runText(run)}`,
    ...run.rewinds.map(({ from, to }) => `${indent}  went back from step ${from} to step ${to}`),
    ...run.branches.flatMap((branch) => {
      const [head = "", ...rest] = runLines(branch, `${indent}   `);
      return [`${indent}└─ ${head.trimStart()}`, ...rest];
    }),
  ];
}

/** `a9c8f35d of Report: succeeded, 3 steps`; of a fork also where it left and what is another there, of a branch of the thread after which run. */
export function runText({
  runId,
  graph,
  status,
  reason,
  steps,
  from,
  follows,
  differs,
}: TreeRun): string {
  const why = reason === undefined || reason === "done" ? "" : ` (${reason})`;
  const after = follows === undefined ? "" : `after ${shortRunId(follows)}: `;
  const at = from === undefined ? after : `from step ${from.step}: `;
  const other = differs === undefined ? "" : `; ${differs.message}`;
  const count = steps === 1 ? "1 step" : `${steps} steps`;
  return `${at}${shortRunId(runId)} of ${graph}: ${status}${why}, ${count}${other}`;
}
