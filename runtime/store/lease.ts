/** Grants the lease of a run to one process, and tells whether the process that holds one is alive. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { RunError } from "../failure.ts";
import { shortRunId } from "../run-names.ts";
import type { LeaseRow, Tables } from "./database/tables.ts";
import type { Owner } from "./run-store.ts";

/** Longer than a cell usually blocks the thread that renews. */
export const leaseMs = 60_000;
export const renewalMs = 20_000;

/** The means to tell a live owner from a dead one. */
export interface Liveness {
  readonly host: string;
  readonly isAlive: (pid: number) => boolean;
}

/** This machine's processes. */
export const machineLiveness: Liveness = { host: hostname(), isAlive: isProcessAlive };

/** This process as an owner; `id` is the kernel's or the command's own. */
export function currentOwner(id: string): Owner {
  return { id, pid: process.pid, host: machineLiveness.host };
}

/** Returns whether the lease still keeps others out at `now`: a process that died on this host loses it at once. */
export function isLive(lease: LeaseRow, now: number, liveness: Liveness): boolean {
  if (lease.expiresAt <= now) return false;
  return lease.host !== liveness.host || liveness.isAlive(lease.pid);
}

/** The lease after `owner` took the run: the epoch grows, so whoever held it before can't write any more. */
export function takenLease(
  runId: string,
  owner: Owner,
  { now, before }: { now: number; before: LeaseRow | undefined },
): LeaseRow {
  return {
    runId,
    ownerId: owner.id,
    pid: owner.pid,
    host: owner.host,
    epoch: (before?.epoch ?? 0) + 1,
    since: now,
    expiresAt: now + leaseMs,
  };
}

/**
 * Takes the lease of a stored run for `owner`, also from an owner that is dead or did not renew it in time. Throws M5105 while
 * another process holds it.
 */
export function takeLease(
  tables: LeaseTable,
  runId: string,
  { owner, now, liveness, isOpenHere }: LeaseTaker,
): LeaseRow {
  const before = tables.lease(runId);
  // A lease of our own without a log is what a failed close left behind.
  const isAbandoned = before?.ownerId === owner.id && !isOpenHere;
  if (before !== undefined && !isAbandoned && isLive(before, now, liveness)) {
    throw heldError(before);
  }
  const lease = takenLease(runId, owner, { now, before });
  tables.putLease(lease);
  return lease;
}

type LeaseTable = Pick<Tables<unknown>, "lease" | "putLease">;

interface LeaseTaker {
  readonly owner: Owner;
  readonly now: number;
  readonly liveness: Liveness;
  /** The owner's process has a log of the run open. */
  readonly isOpenHere: boolean;
}

/** The holder of a lease as a person reads it. */
export function ownerText(lease: LeaseRow): string {
  const since = new Date(lease.since).toISOString();
  return `${lease.ownerId} (pid ${lease.pid} on ${lease.host}, since ${since})`;
}

/** The error of a second driver. */
export function heldError(lease: LeaseRow): RunError {
  return new RunError(
    "M5105",
    `run \`${shortRunId(lease.runId)}\` is driven by ${ownerText(lease)}`,
    {
      hint: "wait until it has ended, or stop it: `run.pause()`, `madrigal abort`; reading and answering it is always possible",
      runId: lease.runId,
    },
  );
}

/** The error of a driver that others took for dead. */
export function lostLeaseError(runId: string, holder: LeaseRow | undefined): RunError {
  const now = holder === undefined ? "" : `; it is with ${ownerText(holder)} now`;
  return new RunError("M5106", `this process no longer drives run \`${shortRunId(runId)}\`${now}`, {
    hint: "this process stored nothing more; open the run again to continue from its log",
    runId,
  });
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: it lives, but is someone else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Ended, but nobody has asked how: it takes signals and does nothing any more. Known of Linux alone. */
function isZombie(pid: number): boolean {
  try {
    // The name of the program stands in parentheses before the state, and may have any characters.
    return /^ [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, ""));
  } catch {
    return false;
  }
}
