/** Orders the runs of a thread as turns of a conversation, with what each earlier one left. */

import { fittedGraph } from "../edited-program/fitting.ts";
import { RunError } from "../failure.ts";
import { lastProgram } from "../history/same-text.ts";
import type { RunPlace } from "../run/run-storage.ts";
import { shortRunId } from "../run-names.ts";
import { foldLog } from "../scheduler/fold.ts";
import { link } from "../scheduler/program/link.ts";
import type { KeptField, RunSummary, StoredRun } from "../store/run-store.ts";
import { type LeftTurn, threadWrites } from "./load-lasting-fields.ts";

/** The facts of a run that determine which run it continues. */
export type Turn = Pick<RunSummary, "runId" | "threadId" | "createdAt" | "follows" | "forkedFrom">;

/** Ids are made in the order of time. */
export function order(
  a: Pick<Turn, "runId" | "createdAt">,
  b: Pick<Turn, "runId" | "createdAt">,
): number {
  return a.createdAt - b.createdAt || (a.runId < b.runId ? -1 : 1);
}

/** The runs that one goes on from, the newest first: each names it, or it is the newest before it in the thread. */
export function turnsBefore(run: Turn, runs: readonly Turn[]): readonly string[] {
  const turns = runs
    .filter((one) => one.threadId === run.threadId && isTurn(one, runs))
    .toSorted(order);
  const numbers = new Map(turns.map(({ runId }, number) => [runId, number]));
  const begun = turns.filter((one) => order(one, run) < 0).length;
  const found: string[] = [];
  for (let turn: Turn | undefined = run; turn !== undefined; ) {
    const { follows }: Turn = turn;
    const here: number = numbers.get(turn.runId) ?? begun;
    turn = turns[follows === undefined ? here - 1 : (numbers.get(follows) ?? -1)];
    if (turn !== undefined) found.push(turn.runId);
  }
  return found;
}

/** Returns whether some run of a thread continues another one than the newest. */
export function hasBranches(runs: readonly Pick<Turn, "follows">[]): boolean {
  return runs.some(({ follows }) => follows !== undefined);
}

/** A fork that stays in its thread is another way of the same turn. */
function isTurn({ threadId, forkedFrom }: Turn, runs: readonly Turn[]): boolean {
  if (forkedFrom === undefined) return true;
  return runs.find(({ runId }) => runId === forkedFrom.runId)?.threadId !== threadId;
}

/** The run that a new one is told to go on from; throws M5107 where there is none, M5357 where it is of another thread. */
export function turnToFollow(
  { from, thread }: { readonly from?: string | { readonly id: string }; readonly thread?: string },
  place: RunPlace,
): (LeftTurn & Pick<Turn, "runId" | "threadId">) | undefined {
  if (from === undefined) return undefined;
  const turn = place.find(typeof from === "string" ? from : from.id);
  const { runId, threadId } = turn;
  if (thread !== undefined && thread !== threadId) {
    throw new RunError(
      "M5357",
      `run \`${shortRunId(runId)}\` is of thread \`${threadId}\`, and not of \`${thread}\``,
      {
        hint: "leave `thread` out: a run goes on in the thread of the one that it is told to go on from",
        runId,
      },
    );
  }
  return { runId, threadId, left: (names) => leftOf(turn, { names, place }) };
}

/** Returns the values of fields behind a turn: its own, else those of the turns before it. */
function leftOf(
  turn: Turn,
  { names, place }: { readonly names: readonly string[]; readonly place: RunPlace },
): ReturnType<LeftTurn["left"]> {
  const runs = place.kept.runsOf(turn.threadId);
  const found = new Map<string, KeptField>();
  const keptOf = {
    scope: "thread",
    owner: turn.threadId,
    graph: "",
    type: "",
    updatedAt: 0,
  } as const;
  for (const runId of [turn.runId, ...turnsBefore(turn, runs)]) {
    const stored = place.read(runId);
    if (stored === undefined) continue;
    for (const [field, value] of threadFieldsOf(stored)) {
      if (found.has(field)) continue;
      found.set(field, { ...keptOf, field, value, runId });
    }
    if (names.every((name) => found.has(name))) break;
  }
  return [...found.values()];
}

/** The thread's fields as a run left them, by their names in the store. */
function threadFieldsOf({
  meta,
  records,
}: Pick<StoredRun, "meta" | "records">): readonly (readonly [string, unknown])[] {
  const graph = { ir: lastProgram(records) ?? meta.ir };
  const program = link(fittedGraph(meta, { records, change: { graph } }));
  const left = threadWrites(program, meta, foldLog(program, records));
  return left.map(({ field, update }) => [field, update(undefined)] as const);
}
