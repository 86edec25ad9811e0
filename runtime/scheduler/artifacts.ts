/** What node runs make to be kept: an attempt's effects make it, its commit makes it the run's. */
import type { Artifact } from "../artifact.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

/** What a commit adds to the artifacts of its run. */
export function artifactsOf(
  { scopes }: Snapshot,
  run: NodeRun,
  producer: string,
): readonly Artifact[] {
  const { made = [] } = run;
  if (made.length === 0) return [];
  const scope = scopes.get(run.scope);
  const of = { producer, nodeRun: run.id };
  const item = scope === undefined || scope.expansion === -1 ? {} : { item: scope.index };
  return made.map((one) => ({ ...one, ...of, ...item }));
}

export function withArtifacts(snapshot: Snapshot, more: readonly Artifact[] = []): Snapshot {
  if (more.length === 0) return snapshot;
  return { ...snapshot, artifacts: [...snapshot.artifacts, ...more] };
}

/** An artifact as expressions and prompts see it. */
export function shownArtifact({ hash: _, nodeRun: __, ...shown }: Artifact): unknown {
  return shown;
}
