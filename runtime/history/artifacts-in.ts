/** Lists the artifacts of a run, and reads their bytes. */

import type { Artifact } from "../artifact.ts";
import { messageOf, RunError } from "../failure.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { shortRunId } from "../run-names.ts";
import type { Artifacts } from "../store/run-store.ts";
import { pathOf } from "./log-path.ts";

/** The artifacts of the commits so far, without those that rewinds undid. */
export function artifactsIn(records: readonly LogRecord[]): readonly Artifact[] {
  return pathOf(records).flatMap((of) => {
    const record = innermost(of);
    return record.kind === "commit" ? (record.artifacts ?? []) : [];
  });
}

/** The bytes of one of them, checked against their hash. */
export function readArtifact(
  id: string,
  {
    artifacts,
    store,
    runId,
  }: {
    readonly artifacts: readonly Artifact[];
    readonly store: Pick<Artifacts, "get"> | undefined;
    readonly runId: string;
  },
): Uint8Array {
  const found = artifacts.find((artifact) => artifact.id === id);
  if (found === undefined) {
    const known = artifacts.map((artifact) => `\`${artifact.id}\``).join(", ");
    const hint = known === "" ? "it has none" : `it has ${known}`;
    throw new RunError("M5331", `run \`${shortRunId(runId)}\` has no artifact \`${id}\``, {
      hint,
      runId,
    });
  }
  try {
    if (store === undefined) throw new Error("this run is kept without its bytes");
    return store.get(found.hash);
  } catch (error) {
    throw artifactGone(id, runId, error);
  }
}

function artifactGone(id: string, runId: string, cause: unknown): RunError {
  return new RunError(
    "M5332",
    `the bytes of artifact \`${id}\` are not there: ${messageOf(cause)}`,
    {
      hint: "restore the file under .madrigal/artifacts from a copy; the rest of the run can be read without it",
      runId,
      cause,
    },
  );
}
