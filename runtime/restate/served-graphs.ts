/** The graphs that a worker serves, with what performs the nodes of their runs. */
import type { EngineParts } from "../engine/engine-parts.ts";
import type { Graph } from "../run/graph.ts";
import type { RunParts } from "../run/run-parts.ts";
import { noLog } from "../store/log/no-store.ts";
import type { Artifacts, RunMeta } from "../store/run-store.ts";
import { FollowedRun } from "./followed-run.ts";
import type { Ingress } from "./ingress.ts";
import type { ClaimReply, StoredFacts } from "./messages.ts";
import type { PerformanceParts } from "./remote-host.ts";
import { RecentlyUsed } from "./run-state.ts";

type ServedEngine = ReturnType<RunParts["engine"]>;

interface ServedRun {
  followed?: FollowedRun;
  parts?: RunParts;
  engine?: ServedEngine;
}

export class ServedGraphs {
  readonly #graphs: ReadonlyMap<string, Graph>;
  readonly #ingress: Ingress;
  readonly #artifacts: Artifacts;
  readonly #runs = new RecentlyUsed<ServedRun>(256);

  constructor(
    graphs: readonly Graph[],
    { ingress, artifacts }: { readonly ingress: Ingress; readonly artifacts: Artifacts },
  ) {
    this.#graphs = new Map(graphs.map((graph) => [graph.name, graph]));
    this.#ingress = ingress;
    this.#artifacts = artifacts;
  }

  partsOf(graph: string, runId: string): Pick<PerformanceParts, "followed" | "have" | "engine"> {
    const run = this.#runs.of(runId, () => ({}));
    return {
      have: () => run.followed?.lastSeq ?? -1,
      followed: (claim) => {
        run.followed ??= this.#follow(run, this.#graphOf(graph), claim);
        return run.followed;
      },
      engine: () => engineOf(run),
    };
  }

  /** Makes calls of decisions. */
  callOf(meta: StoredFacts["meta"]): NonNullable<EngineParts["call"]> {
    const run = this.#runs.of(meta.runId, () => ({}));
    const graph = this.#graphOf(meta.graph);
    run.parts ??= graph.performing({ ...meta, ir: graph.ir }, this.#artifacts);
    const { call } = engineOf(run);
    if (call === undefined) throw new Error(`M9000: \`${meta.graph}\` calls nothing`);
    return call;
  }

  #follow(run: ServedRun, graph: Graph, { facts }: ClaimReply): FollowedRun {
    if (facts === undefined) throw new Error("M9000: a run without its facts");
    const meta: RunMeta = { ...facts.meta, ir: facts.ir };
    run.parts ??= graph.performing(meta, this.#artifacts);
    return new FollowedRun(meta, run.parts.program, this.#ingress);
  }

  #graphOf(name: string): Graph {
    const graph = this.#graphs.get(name);
    if (graph === undefined) throw new Error(`M9000: this worker has no graph \`${name}\``);
    return graph;
  }
}

function engineOf(run: ServedRun): ServedEngine {
  if (run.parts === undefined) throw new Error("M9000: a run that nobody has claimed");
  run.engine ??= run.parts.engine(noLog(run.parts.meta.runId));
  return run.engine;
}
