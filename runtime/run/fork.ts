/** Makes a run of its own from a step of another one: it shares the log up to that step. */

import { type Drive, otherProgram } from "../engine/drive.ts";
import { type EffectLeftBehind, pathOf } from "../history/log-path.ts";
import type { RunHistory } from "../history/run-history.ts";
import { stateOf } from "../history/state-of.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { foldIn } from "../scheduler/fold.ts";
import { stepAt } from "../scheduler/snapshot/snapshot.ts";
import type { BranchStart, DrivenRun } from "./driven-run.ts";
import { type Edit, readEdit } from "./edit.ts";
import { noSuchStep } from "./run-errors.ts";
import type { RunParts } from "./run-parts.ts";

export interface Branching {
  readonly run: DrivenRun;
  readonly parts: RunParts;
  readonly history: RunHistory;
}

/** The record of a step, 0 for the start of the run. */
export function recordOf(
  { run, history }: Pick<Branching, "run" | "history">,
  step: number,
): number {
  const to = history.seqOf(step);
  if (to === undefined) throw noSuchStep(run, step);
  return to;
}

/** A new run with the log of this one up to a step; it stands there, and nobody drives it. */
export function branched({ run, parts, history }: Branching, step: number): DrivenRun {
  const seq = recordOf({ run, history: history }, step);
  const { meta, fork } = parts;
  if (fork === undefined) throw new Error("M9000: this run can't be forked");
  const records = history.records.filter((record) => record.seq <= seq);
  const since = meta.forkedFrom?.since ?? meta.createdAt;
  return fork({ runId: meta.runId, seq, step, since }, records);
}

/** Has a branch go on from its step, with other values of some fields. */
export function goBranch(
  { drive, parts }: { readonly drive: Drive; readonly parts: RunParts },
  { step, values, isHeld }: BranchStart,
): void {
  const { clock, owner } = parts;
  const to = drive.history.lastSeq;
  const ir = otherProgram(drive.history, parts);
  const other = ir === undefined ? {} : { ir };
  const engine = drive.reopen({ recordsProgram: true });
  const at = clock.now();
  engine.post({ kind: "control", verb: "rewind", reason: "fork", step, to, at });
  if (values !== undefined) engine.post({ kind: "edit", values, reason: "fork", at });
  engine.post({ kind: "control", verb: "resume", owner, ...other, at });
  // Read before anything that the resume starts has begun.
  if (isHeld) engine.post({ kind: "control", verb: "hold", reason: "fork", at });
}

/** The fields that a fork changes. Throws where a value does not fit the state after the step. */
export function readEdits(
  { run, parts, history }: Branching,
  step: number,
  edits: Edit<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const then = stepAt(history.snapshot, step, foldIn(parts.program));
  if (then === undefined) throw noSuchStep(run, step);
  return edits === undefined ? undefined : readEdit(run.ir, stateOf(parts.program, then)(), edits);
}

/** External calls behind a step: whoever goes back to it, or branches off there, leaves them behind as they are. */
export function effectsBehind(
  records: readonly LogRecord[],
  seq: number,
): readonly EffectLeftBehind[] {
  return pathOf(records).flatMap((record) => {
    const made = innermost(record);
    if (record.seq <= seq || made.kind !== "intent" || made.external !== true) return [];
    const { node, name, request } = made;
    return [{ node, name, at: record.at, ...(request === undefined ? {} : { request }) }];
  });
}
