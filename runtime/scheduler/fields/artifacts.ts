/** Collects what node runs keep: an attempt's effects make artifacts, its commit gives them to the run. */
import type { Artifact } from "../../artifact.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** Returns the artifacts that a commit adds to its run. */
export function artifactsOf(
  { scopes }: Snapshot,
  run: NodeRun,
  producer: string,
): readonly Artifact[] {
  const { made = NONE } = run;
  if (made.length === 0) return NONE;
  const scope = scopes.get(run.scope);
  const of = { producer, nodeRun: run.id };
  const item = scope === undefined || scope.expansion === -1 ? {} : { item: scope.index };
  return made.map((one) => ({ ...one, ...of, ...item }));
}

export function addArtifacts(draft: SnapshotDraft, more: readonly Artifact[] = []): void {
  if (more.length > 0) draft.artifacts = [...draft.artifacts, ...more];
}

const NONE: readonly never[] = [];

/** An artifact as expressions and prompts see it. */
export function shownArtifact({ hash: _, nodeRun: __, ...shown }: Artifact): unknown {
  return shown;
}
