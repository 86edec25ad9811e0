/** The graphs that a worker serves, with what performs the nodes of their runs. */
import type { EngineParts } from "../engine/engine-parts.ts";
import type { Graph } from "../run/graph.ts";
import type { RunOptions } from "../run/run-options.ts";
import type { RunParts } from "../run/run-parts.ts";
import { noLog } from "../store/log/no-store.ts";
import type { Artifacts, RunMeta } from "../store/run-store.ts";
import { FollowedRun } from "./followed-run.ts";
import type { Ingress } from "./ingress.ts";
import type { ClaimReply, StoredFacts } from "./messages.ts";
import type { PerformanceParts } from "./remote-host.ts";
import { RecentlyUsed } from "./run-state.ts";

type ServedEngine = ReturnType<RunParts["engine"]>;

/** The models of a graph by its name, where they are objects and no names: each worker needs its own. */
export type ModelsOf = (graph: string) => RunOptions["models"];

/** As the options of a run have them. */
export function modelsIn(of: ModelsOf | undefined, graph: string): Pick<RunOptions, "models"> {
  const models = of?.(graph);
  return models === undefined ? {} : { models };
}

interface ServedRun {
  /** The attempts of it that are performed here. */
  attempts: number;
  closing?: NodeJS.Timeout;
  followed?: FollowedRun;
  parts?: RunParts;
  engine?: ServedEngine;
}

export interface ServedWith {
  readonly ingress: Ingress;
  readonly artifacts: Artifacts;
  readonly models?: ModelsOf;
}

export class ServedGraphs {
  readonly #graphs: ReadonlyMap<string, Graph>;
  readonly #ingress: Ingress;
  readonly #artifacts: Artifacts;
  readonly #models: ModelsOf | undefined;
  readonly #runs = new RecentlyUsed<ServedRun>(256);

  constructor(graphs: readonly Graph[], { ingress, artifacts, models }: ServedWith) {
    this.#graphs = new Map(graphs.map((graph) => [graph.name, graph]));
    this.#ingress = ingress;
    this.#artifacts = artifacts;
    this.#models = models;
  }

  partsOf(graph: string, runId: string): Pick<PerformanceParts, "followed" | "known" | "engine"> {
    const run = this.#runs.of(runId, () => ({ attempts: 0 }));
    return {
      known: () => ({
        have: run.followed?.lastSeq ?? -1,
        createdAt: run.followed?.meta.createdAt,
      }),
      followed: (claim) => {
        const served = this.#graphOf(graph);
        const isOther = claim.facts && claim.facts.meta.createdAt !== run.followed?.meta.createdAt;
        if (run.followed === undefined || isOther === true)
          run.followed = this.#follow(run, served, claim);
        run.parts ??= this.#performing(served, run.followed.meta);
        return run.followed;
      },
      engine: () => engineOf(run),
    };
  }

  /** An attempt of a run begins here. What that has open stays open until `end`, and a little longer. */
  begin(runId: string): () => void {
    const run = this.#runs.of(runId, () => ({ attempts: 0 }));
    run.attempts += 1;
    clearTimeout(run.closing);
    return () => {
      run.attempts -= 1;
      if (run.attempts > 0) return;
      run.closing = setTimeout(() => closeRun(run), OPEN_MS).unref();
    };
  }

  /** Makes calls of decisions. */
  callOf(meta: StoredFacts["meta"]): NonNullable<EngineParts["call"]> {
    const run = this.#runs.of(meta.runId, () => ({ attempts: 0 }));
    const graph = this.#graphOf(meta.graph);
    run.parts ??= this.#performing(graph, { ...meta, ir: graph.ir });
    const { call } = engineOf(run);
    if (call === undefined) throw new Error(`M9000: \`${meta.graph}\` calls nothing`);
    return call;
  }

  #follow(run: ServedRun, graph: Graph, { facts }: ClaimReply): FollowedRun {
    if (facts === undefined) throw new Error("M9000: a run without its facts");
    const meta: RunMeta = { ...facts.meta, ir: facts.ir };
    run.parts = this.#performing(graph, meta);
    delete run.engine;
    return new FollowedRun(meta, run.parts.program, this.#ingress);
  }

  #performing(graph: Graph, meta: RunMeta): RunParts {
    return graph.performing(meta, this.#artifacts, modelsIn(this.#models, graph.name));
  }

  #graphOf(name: string): Graph {
    const graph = this.#graphs.get(name);
    if (graph === undefined) throw new Error(`M9000: this worker has no graph \`${name}\``);
    return graph;
  }
}

/** The time for which servers of tools and browsers of a run stay open behind its last attempt here, in milliseconds. */
const OPEN_MS = 10_000;

function closeRun(run: ServedRun): void {
  const { parts } = run;
  delete run.parts;
  delete run.engine;
  // Nobody is there to be told what could not be closed.
  parts?.dispose?.(false).catch(() => {});
}

function engineOf(run: ServedRun): ServedEngine {
  if (run.parts === undefined) throw new Error("M9000: a run that nobody has claimed");
  run.engine ??= run.parts.engine(noLog(run.parts.meta.runId));
  return run.engine;
}
