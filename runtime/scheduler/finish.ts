/** The ends of a run, good and bad. */
import type { Failure } from "../failure.ts";
import type { RecordBody } from "../records.ts";
import { holds } from "./condition.ts";
import type { Lookup } from "./evaluate.ts";
import type { Draft } from "./flow.ts";
import { foldRoot } from "./fold.ts";
import { limitFailure, stepsSpent, stepsTaken } from "./limits.ts";
import { lookupAt, shownState } from "./lookup.ts";
import type { Program } from "./program.ts";
import { isFinished } from "./settle.ts";
import { ROOT, type Snapshot } from "./snapshot.ts";

/** The end that follows from a settled draft, if one does: a used-up edge, nothing left to do, or too many steps. */
export function conclude(
  draft: Draft,
  at: { readonly id?: number; readonly node?: string },
): readonly RecordBody[] {
  const { program, snapshot, exhausted } = draft;
  if (isEnough(program, snapshot)) return [finish(program, snapshot)];
  if (exhausted) {
    const { id, node } = at;
    const place = { ...(id === undefined ? {} : { id }), ...(node === undefined ? {} : { node }) };
    return [failRun(limitFailure("max", node ?? "start"), place)];
  }
  if (draft.failure !== undefined) return [failRun(draft.failure, {})];
  if (isFinished(program, snapshot)) return [finish(program, snapshot)];
  return stepsSpent(program, snapshot) ? [failRun(limitFailure("steps", "the run"), {})] : [];
}

/** Whether an `end when` holds on the state as people see it; before anything has happened, none does. */
export function isEnough(program: Program, snapshot: Snapshot): boolean {
  const { endWhen } = program.ir;
  if (endWhen.length === 0 || stepsTaken(snapshot) === 0) return false;
  const state = shownState(program, snapshot);
  const root = lookupAt(program, snapshot, { frame: ROOT, scope: ROOT });
  const lookup: Lookup = (name, of) => (of === "field" ? state[name] : root(name, of));
  return endWhen.some((condition) => holds(condition, lookup));
}

/** The good end: late writes fall into place, and the returned fields are the output. */
export function finish(program: Program, snapshot: Snapshot): RecordBody {
  const folded = foldRoot(program, snapshot);
  const state = shownState(program, folded.snapshot);
  const output = Object.fromEntries(
    program.ir.returns.map((field) => [field, state[field] ?? null]),
  );
  return { kind: "end", status: "succeeded", reason: "done", output, patches: folded.patches };
}

/** The bad end of a run. */
export function failRun(
  failure: Failure,
  at: { readonly id?: number; readonly node?: string; readonly attempt?: number },
): RecordBody {
  const reason = failure.class === "limit" ? `limit:${failure.limit ?? "limit"}` : "error";
  return {
    kind: "end",
    status: "failed",
    reason: failure.class === "denied" ? "denied" : reason,
    failure,
    patches: [],
    ...at,
  };
}
