/** Runs the graphs of a server: starts and opens their runs, in the workspace of a session. */

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  type DrivenRun,
  type Graph,
  messageOf,
  type Run,
  RunError,
  type RunFilter,
  type RunSummary,
  type Session,
} from "../../runtime/index.ts";
import { LatestEntries, RunsAtHand } from "../a2a-server/runs-at-hand.ts";
import { isLost } from "../cli/run/run-facts.ts";
import { counted } from "../display/visible.ts";
import { HttpFault } from "./http-fault.ts";

/** The options of a start, besides the input. */
export interface StartHow {
  /** The caller's own name of the request: the same one again is the same run. */
  readonly key?: string | undefined;
  readonly thread?: string | undefined;
  readonly user?: string | undefined;
  readonly mode?: string | undefined;
}

/** A filter of runs: `after` is the last one of the page before. */
export type RunsAsked = Omit<RunFilter, "until"> & { readonly after?: string };

/** Starts and finds runs. The embedded engine is one; another may drive them elsewhere. */
export interface RunHost {
  readonly graphs: ReadonlyMap<string, Graph>;
  /** Throws where the input does not fit, or where `key` stood for another run. */
  start(graph: Graph, input: Readonly<Record<string, unknown>>, how: StartHow): Run;
  /** A run of these graphs by its whole id; undefined where there is none. */
  open(id: string): DrivenRun | undefined;
  /** Takes note of a run that another one has begun. */
  keep(run: Run): void;
  /** Newest first. */
  list(asked: RunsAsked): readonly RunSummary[];
  /** Lets the steps under way end, for a while, and leaves the runs so that the next start goes on with them. */
  leave(graceMs: number): Promise<void>;
}

/** The reason with which the runs of a server that ends are paused: its next start goes on with them. */
export const SERVER_ENDED = "the HTTP server ended";

/** The beginning of a run's `request` whose rest is the key of its caller. */
const REQUEST = "http:";

/** A request that comes again is known among so many. */
const KEYS_MAX = 100_000;

/** Runs under way at once: more wait outside. */
const UNDER_WAY_MAX = 1000;

/** Runs that are read from the store at once. */
const CHUNK = 200;

interface KeyedRun {
  readonly id: string;
  /** Absent for a run of an earlier server. */
  readonly asked?: readonly unknown[];
}

export class EmbeddedRuns implements RunHost {
  readonly graphs: ReadonlyMap<string, Graph>;
  readonly #session: Session;
  readonly #runs = new RunsAtHand();
  readonly #byKey = new LatestEntries<KeyedRun>(KEYS_MAX);
  readonly #underWay = new Set<Run>();

  constructor(session: Session, graphs: readonly Graph[]) {
    this.#session = session;
    this.graphs = new Map(graphs.map((graph) => [graph.name, graph]));
  }

  /** Goes on with the runs that an earlier server left in the middle. */
  async resumeLeft(tell: (line: string) => void): Promise<void> {
    // The list begins with the newest.
    for (const summary of this.list({}).toReversed()) {
      const { runId, request = "", status, reason } = summary;
      if (request.startsWith(REQUEST))
        this.#byKey.set(request.slice(REQUEST.length), { id: runId });
      const isOurs = request.startsWith(REQUEST) && isLost(summary);
      if (!isOurs && !(status === "paused" && reason === SERVER_ENDED)) continue;
      const run = this.open(runId);
      await run?.resume().catch((thrown) => tell(`madrigal serve: ${messageOf(thrown)}`));
      if (run !== undefined) this.keep(run);
    }
  }

  start(graph: Graph, input: Readonly<Record<string, unknown>>, how: StartHow): Run {
    const { key = randomUUID(), thread, user, mode } = how;
    const asked = [graph.name, input, thread, user, mode];
    const known = this.#byKey.get(key);
    if (known !== undefined) return this.#again(known, graph, asked);
    if (this.#underWay.size >= UNDER_WAY_MAX)
      throw new HttpFault(503, "M7780", `${counted(UNDER_WAY_MAX, "run")} are under way`, {
        hint: "ask again when some have ended",
        headers: { "retry-after": "5" },
      });
    const run = graph.run(input, {
      request: `${REQUEST}${key}`,
      breaks: false,
      ...(thread === undefined ? {} : { thread }),
      ...(user === undefined ? {} : { user }),
      ...(mode === undefined ? {} : { mode }),
    });
    this.#byKey.set(key, { id: run.id, asked });
    this.keep(run);
    return run;
  }

  open(id: string): DrivenRun | undefined {
    const known = this.#runs.get(id);
    if (known !== undefined) return known as DrivenRun;
    try {
      // By its whole id alone: an id is also what nobody can guess.
      if (!this.#isServed(this.#session.store.meta(id))) return undefined;
      const run = this.#session.open(id);
      run.follow();
      this.#runs.add(run);
      return run;
    } catch (thrown) {
      if (thrown instanceof RunError && thrown.code === "M5107") return undefined;
      throw thrown;
    }
  }

  keep(run: Run): void {
    run.output.catch(() => {});
    this.#runs.add(run);
    this.#underWay.add(run);
    const forget = () => void this.#underWay.delete(run);
    run.settled().then(forget, forget);
  }

  list({ limit = Number.POSITIVE_INFINITY, ...filter }: RunsAsked): readonly RunSummary[] {
    const found: RunSummary[] = [];
    for (const summary of this.#newestFirst(filter)) {
      if (found.length >= limit) break;
      if (this.#isServed(this.#session.store.meta(summary.runId))) found.push(summary);
    }
    return found;
  }

  /** Reads the store in chunks, each from where the last one ended. */
  *#newestFirst({ after, graph, ...filter }: RunsAsked): Generator<RunSummary> {
    const graphs = [...this.graphs.keys()].filter((name) => graph === undefined || name === graph);
    const seen = new Set<string>();
    let isBehind = after === undefined;
    let until =
      after === undefined ? Number.MAX_SAFE_INTEGER : this.#session.store.meta(after).createdAt;
    for (;;) {
      const chunk = graphs
        .flatMap((name) => this.#session.list({ ...filter, graph: name, until, limit: CHUNK }))
        .sort((a, b) => b.createdAt - a.createdAt)
        .slice(0, CHUNK)
        .filter(({ runId }) => !seen.has(runId));
      if (chunk.length === 0) return;
      for (const summary of chunk) {
        seen.add(summary.runId);
        if (isBehind) yield summary;
        isBehind ||= summary.runId === after;
      }
      until = chunk.at(-1)?.createdAt ?? until;
    }
  }

  async leave(graceMs: number): Promise<void> {
    const open = this.#runs.all.filter(({ status }) => status === "running") as DrivenRun[];
    await Promise.all(
      open.map(async (run) => {
        await stepEnd(run, graceMs);
        if (run.status === "running")
          await run.pause({ now: true, reason: SERVER_ENDED }).catch(() => {});
      }),
    );
  }

  /** Programs of other files may have graphs of the same name. */
  #isServed({ graph, ir }: ReturnType<Session["store"]["meta"]>): boolean {
    const served = this.graphs.get(graph);
    return served !== undefined && served.ir.source?.file === ir.source?.file;
  }

  #again({ id, asked: before }: KeyedRun, graph: Graph, asked: readonly unknown[]): Run {
    const run = this.open(id);
    const isSame =
      before === undefined ? run?.graph === graph.name : isDeepStrictEqual(before, asked);
    if (run !== undefined && isSame) return run;
    throw new HttpFault(409, "M7785", "this Idempotency-Key stood for another request", {
      hint: "a new request has a new key",
    });
  }
}

/** Resolves when the step under way ends, the run comes to rest, or the time is up. */
async function stepEnd(run: DrivenRun, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isPast = true;
  const subscription = run.events$.subscribe(({ kind }) => {
    if (kind === "commit" && !isPast) resolve();
  });
  isPast = false;
  const timer = setTimeout(resolve, graceMs);
  run.settled().then(resolve, resolve);
  await promise;
  clearTimeout(timer);
  subscription.unsubscribe();
}
