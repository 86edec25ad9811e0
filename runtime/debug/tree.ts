/** The runs of a thread as the tree that forks make of them: where each left which other one, and what is another in it. */
import type { GraphRun } from "../run/run.ts";
import type { RunStatus } from "../run-status.ts";
import { shownValue } from "../shown.ts";
import type { RunFilter, RunSummary } from "../store/index.ts";
import { RunDiff } from "./compare/run-diff.ts";
import { treeText } from "./tree-text.ts";

export interface TreeRun {
  readonly runId: string;
  readonly graph: string;
  readonly status: RunStatus;
  readonly reason?: string;
  readonly steps: number;
  readonly createdAt: number;
  readonly tokens: number;
  /** Which run it left, behind which step; that run may be gone. */
  readonly from?: { readonly runId: string; readonly step: number };
  /** Where it parts from that one first, and why. */
  readonly differs?: { readonly step: number; readonly cause: string; readonly message: string };
  /** Where it stood when it went back, and to which step. */
  readonly rewinds: readonly Rewound[];
  /** The runs that left it, the latest step first. */
  readonly branches: readonly TreeRun[];
}

export interface Rewound {
  readonly from: number;
  readonly to: number;
}

/** Of one thread, as it is when it is asked for. */
export class RunTree {
  readonly thread: string;
  /** The runs that left no other one of the thread, oldest first. */
  readonly roots: readonly TreeRun[];
  /** How many older runs are not in it. */
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
  open(id: string): GraphRun;
}

/** More make no picture. */
const RUNS_MAX = 100;

/** Of a thread, or of the thread of a run: M5107 where there is neither. */
export function runTree(runs: Runs, id: string): RunTree {
  const found = runs.list({ thread: id });
  const thread = found.length > 0 ? id : runs.open(id).thread;
  const all = found.length > 0 ? found : runs.list({ thread });
  const newest = all.slice(0, RUNS_MAX);
  const open = new Map(newest.map((summary) => [summary.runId, runs.open(summary.runId)]));
  const isRoot = ({ forkedFrom }: RunSummary) => !open.has(forkedFrom?.runId ?? "");
  return new RunTree({
    thread,
    roots: newest
      .filter(isRoot)
      .toReversed()
      .map((summary) => treeRun(summary, { newest, open })),
    left: all.length - newest.length,
  });
}

interface Known {
  readonly newest: readonly RunSummary[];
  readonly open: ReadonlyMap<string, GraphRun>;
}

function treeRun(summary: RunSummary, known: Known): TreeRun {
  const { runId, graph, reason, createdAt, usage, forkedFrom } = summary;
  const run = known.open.get(runId);
  const branches = known.newest
    .filter((one) => one.forkedFrom?.runId === runId)
    .toSorted((a, b) => (b.forkedFrom?.step ?? 0) - (a.forkedFrom?.step ?? 0));
  const from = forkedFrom && { runId: forkedFrom.runId, step: forkedFrom.step ?? 0 };
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
    ...(differs === undefined ? {} : { differs }),
    rewinds: run === undefined ? [] : rewindsOf(run, forkedFrom?.seq ?? -1),
    branches: branches.map((one) => treeRun(one, known)),
  };
}

function differenceFrom(
  parent: GraphRun | undefined,
  run: GraphRun | undefined,
): TreeRun["differs"] {
  if (parent === undefined || run === undefined) return undefined;
  const { divergence } = RunDiff.of(parent, run);
  if (divergence === undefined) return undefined;
  const { step, cause, message } = divergence;
  return { step, cause, message: shownValue(message, run) };
}

/** Its own: the log of a fork begins with that of the run which it left. */
function rewindsOf({ position: { records } }: GraphRun, since: number): readonly Rewound[] {
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
  const { runId, graph, status, reason, steps, createdAt, tokens, from, differs } = run;
  return {
    run_id: runId,
    graph,
    status,
    reason: reason ?? null,
    steps,
    created_at: new Date(createdAt).toISOString(),
    tokens,
    forked_from: from === undefined ? null : { run_id: from.runId, step: from.step },
    differs: differs ?? null,
    rewinds: run.rewinds,
    branches: run.branches.map(treeJson),
  };
}
