/** Reads what a node said in earlier runs of its thread from their logs. */

import { Journal } from "../history/journal.ts";
import { pathOf } from "../history/log-path.ts";
import type { EffectResult } from "../performer.ts";
import type { LogRecord } from "../records/records.ts";
import type { Located } from "../scheduler/called-snapshots.ts";
import { talksOf } from "../scheduler/conversations.ts";
import type { RunMeta, RunSummary } from "../store/run-store.ts";
import { hasBranches, order, turnsBefore } from "./turns.ts";

/** The earlier runs of a graph in its thread, oldest first. */
export function earlierRuns(
  meta: RunMeta,
  list: (thread: string) => readonly RunSummary[],
): readonly string[] {
  const { runId, threadId, graph, createdAt, forkedFrom } = meta;
  const runs = list(threadId);
  const turns = hasBranches([meta, ...runs]) ? turnsBefore(meta, runs) : undefined;
  return (
    runs
      .filter((run) => run.graph === graph && run.runId !== runId)
      // What was said on another branch of the thread was not said to this one.
      .filter((run) => turns === undefined || turns.includes(run.runId))
      // What a branch has of the run that it left stands in its own log.
      .filter((run) => order(run, { runId, createdAt: forkedFrom?.since ?? createdAt }) < 0)
      .toSorted(order)
      .map((run) => run.runId)
  );
}

/** The conversations of a node's commits in one run, oldest first; of a sentinel its last round. */
export function talksIn(
  records: readonly LogRecord[],
  node: string,
): readonly (readonly EffectResult[])[] {
  const path = pathOf(records);
  const journal = Journal.of(records);
  const begun = new Map<number, number>();
  const talks: EffectResult[][] = [];
  let isRound = false;
  for (const record of path) {
    if (record.kind === "start" && record.node === node) {
      if (record.reason !== "repair") begun.set(record.id, record.attempt);
    }
    if (record.kind !== "commit" || record.node !== node) continue;
    const { id, attempt, check } = record;
    // The round before this one is not what remains.
    if (isRound) talks.pop();
    isRound = check?.next !== undefined;
    talks.push([...journal.session(id, begun.get(id) ?? attempt, attempt + 1)]);
  }
  return talks;
}

/** The source of what a node run remembers: the journal of its run, and the logs of the earlier runs of its thread. */
export interface TalkSources {
  readonly journal: Journal;
  earlier?(): readonly (readonly LogRecord[])[];
}

/** The conversations of earlier runs of the node, where its model sees them, oldest first. */
export function talksBefore(
  { journal, earlier }: TalkSources,
  { program, snapshot, run, callers }: Located,
): readonly (readonly EffectResult[])[] {
  const node = program.nodes[run.node]?.ir;
  const own = talksOf(snapshot, run).map(({ id, from, to }) => journal.session(id, from, to + 1));
  // A called graph is no run of the thread.
  const isOfThread = node?.history?.source === "thread" && callers.length === 0;
  const logs = isOfThread ? (earlier?.() ?? []) : [];
  return [...logs.flatMap((log) => talksIn(log, node?.name ?? "")), ...own];
}
