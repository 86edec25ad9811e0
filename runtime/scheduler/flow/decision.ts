/** Defines what `advance` has decided: records, and a commit's draft that is folded already. */
import type { RecordBody } from "../../records/records.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";

/** The result of deciding on a completion. */
export interface Decision {
  readonly records: readonly RecordBody[];
  /** What the first record folds to, where deciding on it has come to that already: a commit's draft. */
  readonly behindFirst?: SnapshotDraft;
}

export function decision(records: readonly RecordBody[]): Decision {
  return { records };
}
