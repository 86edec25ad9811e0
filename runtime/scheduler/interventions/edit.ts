/** Sets fields of a run to values that a person gives. */

import type { EditRecord } from "../../records/control-records.ts";
import type { RecordBody } from "../../records/records.ts";
import { freezeJson } from "../../state/json.ts";
import type { Patch } from "../../state/patch.ts";
import { settle } from "../../state/shown.ts";
import { noteKept } from "../frames.ts";
import type { Program } from "../program/program.ts";
import { asDraft } from "../snapshot/draft.ts";
import { must, ROOT, type Snapshot } from "../snapshot/snapshot.ts";

/** The record of an edit; none before the run has begun, after its good end, or where nothing changes. */
export function editRecord(
  program: Program,
  snapshot: Snapshot,
  { values, reason }: Omit<EditRecord, "kind" | "patches">,
): readonly RecordBody[] {
  const { status } = snapshot;
  if (status === "created" || status === "succeeded") return [];
  const { patches } = withValues(program, snapshot, freezeJson(values));
  if (patches.length === 0) return [];
  return [{ kind: "edit", values, patches, ...(reason === undefined ? {} : { reason }) }];
}

export function foldEdit(
  program: Program,
  snapshot: Snapshot,
  { values }: Omit<EditRecord, "kind">,
) {
  const draft = asDraft(withValues(program, snapshot, values).snapshot);
  const writes = Object.entries(values).map(([name, value]) => {
    const field = program.fieldNumbers.get(name) ?? -1;
    return { key: [], field, value, via: "replace", node: -1 };
  });
  noteKept(program, draft, writes);
  return draft;
}

/** Branches under way see them as well, but for what they have written themselves. */
function withValues(
  program: Program,
  snapshot: Snapshot,
  values: EditRecord["values"],
): { readonly snapshot: Snapshot; readonly patches: readonly Patch[] } {
  const root = must(snapshot.frames, ROOT, "frame");
  let { shown } = snapshot;
  let { view } = root;
  const patches: Patch[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = program.fieldNumbers.get(name) ?? -1;
    const change = settle(name, shown.get(field), value);
    patches.push(...change.patches);
    shown = shown.set(field, change.shown);
    view = view.set(field, value);
  }
  const frames = snapshot.frames.set(ROOT, { ...root, view });
  return { snapshot: { ...snapshot, shown, frames }, patches };
}
