/** Reads the state that people see out of a snapshot. */
import { shownState } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { freezeJson } from "../state/json.ts";

/**
 * The state at a snapshot, worked out when it is first looked at: snapshots share what they have in common. Nothing else of
 * the snapshot is kept for that: a run has as many as it has steps.
 */
export function stateOf(
  program: Program,
  { shown }: Pick<Snapshot, "shown">,
): () => Record<string, unknown> {
  let state: Record<string, unknown> | undefined;
  return () => {
    state ??= freezeJson(shownState(program, { shown }));
    return state;
  };
}
