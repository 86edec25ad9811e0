/** Finds the stored runs that time alone goes on with: those whose time has come, and the time of the next one. */
import { NEVER } from "../engine/due.ts";
import type { RunStore, RunSummary } from "../store/run-store.ts";

export interface DueRun {
  readonly runId: string;
  readonly graph: string;
  readonly dueAt: number;
  readonly updatedAt: number;
}

interface DueRunsOptions {
  readonly stores: () => readonly Pick<RunStore, "left" | "nextDue">[];
  readonly open: (runId: string) => { readonly dueAt: number | undefined };
}

/** The store knows of most runs that they have nothing to do yet; of the others a log is read once, until it is longer. */
export class DueRuns {
  readonly #options: DueRunsOptions;
  readonly #known = new Map<string, Pick<DueRun, "updatedAt"> & { readonly dueAt?: number }>();

  constructor(options: DueRunsOptions) {
    this.#options = options;
  }

  /** Returns the runs whose time has come, the longest overdue first. One that a person paused is not among them. */
  at(now: number): readonly DueRun[] {
    const left = this.#options.stores().flatMap((store) => store.left(now));
    const isLeftNow = new Set(left.map(({ runId }) => runId));
    for (const runId of this.#known.keys()) if (!isLeftNow.has(runId)) this.#known.delete(runId);
    return left
      .filter((run) => run.owner === undefined && isLeft(run))
      .flatMap((run) => {
        const { runId, graph, updatedAt } = run;
        const dueAt = this.#dueAt(run);
        return dueAt === undefined || dueAt > now ? [] : [{ runId, graph, dueAt, updatedAt }];
      })
      .sort((a, b) => a.dueAt - b.dueAt);
  }

  /** Returns a time behind `now` before which no other run is due; undefined where none waits for a time. */
  next(now: number): number | undefined {
    const read = [...this.#known.values()].map(({ dueAt }) => dueAt);
    const stored = this.#options.stores().map((store) => store.nextDue(now));
    const times = [...read, ...stored].filter((at) => at !== undefined && at > now && at < NEVER);
    return times.length === 0 ? undefined : Math.min(...(times as number[]));
  }

  #dueAt({ runId, updatedAt }: RunSummary): number | undefined {
    const known = this.#known.get(runId);
    if (known?.updatedAt === updatedAt) return known.dueAt;
    const dueAt = this.#read(runId, updatedAt);
    this.#known.set(runId, { updatedAt, ...(dueAt === undefined ? {} : { dueAt }) });
    return dueAt;
  }

  /** One that can't be read is due: whoever goes on with it tells why. */
  #read(runId: string, updatedAt: number): number | undefined {
    try {
      return this.#options.open(runId).dueAt;
    } catch {
      return updatedAt;
    }
  }
}

/**
 * The reasons of a pause that came of the end of the process or of sleep. Ctrl-C (SIGINT) is a
 * person's decision and not among them.
 */
const LEFT: readonly string[] = ["sleeping", "closed", "SIGTERM"];

function isLeft({ status, reason = "" }: RunSummary): boolean {
  return (
    status === "running" || status === "waiting" || (status === "paused" && LEFT.includes(reason))
  );
}
