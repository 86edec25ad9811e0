/** Groups for the door the workers of Restate, and the runs that move there and back. Loaded when it is first needed. */

import type { PulledRun, PullOptions } from "../restate/transfer.ts";
import type { RestateWorker, WorkerOptions } from "../restate/worker.ts";
import type { RunStore } from "../store/run-store.ts";

export type { PulledRun, PullOptions } from "../restate/transfer.ts";
export type { RestateWorker, WorkerEvent, WorkerOptions } from "../restate/worker.ts";

/** A server, the folder of large values that its workers have, and the store of a workspace. */
export interface RestatePlace {
  readonly restate: string;
  readonly blobs: string;
  readonly store: RunStore;
}

export async function startWorker(options: WorkerOptions): Promise<RestateWorker> {
  return (await import("../restate/worker.ts")).startWorker(options);
}

/** Brings a run into the workspace; a paused one moves there. */
export async function pullRun(
  runId: string,
  place: RestatePlace,
  options?: PullOptions,
): Promise<PulledRun> {
  const { places, pullRun } = await import("../restate/transfer.ts");
  return await pullRun(runId, places(place), options);
}

/** Has a run of the workspace that stands still go on with Restate. */
export async function pushRun(
  runId: string,
  place: RestatePlace,
): Promise<{ readonly status: string }> {
  const { places, pushRun } = await import("../restate/transfer.ts");
  const { summary } = await pushRun(runId, places(place));
  return { status: summary.status };
}
