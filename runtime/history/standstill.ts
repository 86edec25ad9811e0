/** Says whether a run stands still, and why. */

import type { Stop } from "../breakpoints/breakpoint-types.ts";
import type { Hold } from "../engine/hold.ts";
import { unwatched } from "../event-stream/stream.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunStep } from "./step.ts";

/** The next time that a run comes to rest. Whoever waits for it does so for as long as the run is under way, whoever drives it. */
export class Standstill {
  #next = unwatched<void>();
  #isPending = true;

  get promise(): Promise<void> {
    return this.#next.promise;
  }

  /** The run stands still. */
  reached(): void {
    this.#isPending = false;
    this.#next.resolve();
  }

  /** The run never will stand still: nothing is known of it any more. */
  failed(error: unknown): void {
    this.#isPending = false;
    this.#next.reject(error);
  }

  /** The run is under way. */
  renew(): void {
    if (this.#isPending) return;
    this.#next = unwatched();
    this.#isPending = true;
  }
}

/** Returns whether a run has ended or a person stopped it. A held run only waits to be released. */
export function standsStill({ status, held }: Snapshot): boolean {
  return !held && status !== "created" && status !== "running" && status !== "waiting";
}

/** Returns whether a run has ended: succeeded, failed or aborted. */
export function isOver(snapshot: Snapshot): boolean {
  return standsStill(snapshot) && snapshot.status !== "paused";
}

/** By its log it is under way: if nobody drives it, its process is gone. */
export function isUnfinished({ status }: Snapshot): boolean {
  return status === "created" || status === "running";
}

/** The stop that `continue` reports of a run that came to rest. */
export function stopOf({ status, reason }: Snapshot): Stop {
  const isEnd = status === "succeeded" || status === "failed" || status === "aborted";
  return isEnd ? { kind: "end", status } : { kind: "pause", reason };
}

/** The stop that `continue` reports of a run that is held. */
export function stopAt(
  { reason, breakpoint }: Hold,
  {
    id,
    position,
  }: { readonly id: string; readonly position: { readonly last: RunStep | undefined } },
): Stop {
  if (breakpoint === undefined) return { kind: "pause", reason };
  const { node, when, place, attempt, by, edge } = breakpoint;
  const step = when === "after" ? position.last : undefined;
  const more = {
    ...(step === undefined ? {} : { step }),
    ...(by === undefined ? {} : { by }),
    ...(edge === undefined ? {} : { edge }),
  };
  return { kind: "breakpoint", node, when, nodeRunId: `${id}/${place}`, attempt, ...more };
}
