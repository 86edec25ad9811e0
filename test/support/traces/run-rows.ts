/** The rows of one generated run, numbered as a log numbers its records. */
import type { EventRow, RunRow } from "../../../runtime/trace/schema/tables.ts";

export interface NodeRun {
  readonly node: string;
  readonly number: number;
  readonly id: string;
  readonly label: string;
  readonly item: number | null;
  readonly cause: number | null;
}

/** An attempt or a call that is under way. */
export interface Span {
  readonly id: number;
  readonly parent: number;
  readonly startedAt: number;
}

/** What the rows of a run have in common. */
export interface RunIs {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly models: string;
}

/** Collects the rows of a run; every method makes one of them. */
export class RunRows {
  readonly events: EventRow[] = [];
  readonly is: RunIs;
  #seq = 0;
  #part = 0;
  #step = 0;
  #at = 0;
  #nodeRuns = 0;
  readonly #ordinals = new Map<string, number>();

  constructor(is: RunIs) {
    this.is = is;
  }

  get step(): number {
    return this.#step;
  }

  /** Begins a record: what is added until the next one has its number and time. */
  record(at: number): number {
    this.#seq += 1;
    this.#part = 0;
    this.#at = at;
    return this.#seq;
  }

  add(kind: string, cells: EventRow): void {
    const { runId, threadId, graph } = this.is;
    this.events.push({
      run_id: runId,
      thread_id: threadId,
      graph,
      seq: this.#seq,
      part: this.#part,
      ts: this.#at,
      kind,
      stale: false,
      ...cells,
    });
    this.#part += 1;
  }

  /** Numbers a commit. */
  nextStep(): number {
    this.#step += 1;
    return this.#step;
  }

  /** A node run that has become due. */
  nodeRun(node: string, key: string, from: { readonly item?: number; readonly cause?: number }) {
    this.#nodeRuns += 1;
    const ordinal = (this.#ordinals.get(node) ?? 0) + 1;
    this.#ordinals.set(node, ordinal);
    const nodeRun: NodeRun = {
      node,
      number: this.#nodeRuns,
      id: `${this.is.runId}/${key}`,
      label: `${node}#${ordinal}`,
      item: from.item ?? null,
      cause: from.cause ?? null,
    };
    return nodeRun;
  }

  /** How the run stands, as its row says it. */
  row(ended: Partial<RunRow>, startedAt: number): RunRow {
    return {
      run_id: this.is.runId,
      thread_id: this.is.threadId,
      graph: this.is.graph,
      graph_hash: this.is.graphHash,
      forked_from: null,
      forked_from_seq: null,
      rerun_of: null,
      status: "running",
      reason: null,
      started_at: startedAt,
      ended_at: null,
      steps: this.#step,
      models: this.is.models,
      input: null,
      output: null,
      error_code: null,
      error_message: null,
      error_node: null,
      last_seq: this.#seq,
      last_at: this.#at,
      log_id: null,
      origin: null,
      ...ended,
    };
  }
}

/** The columns of a node run. */
export function cellsOf({ node, number, id, label, item, cause }: NodeRun): EventRow {
  return { node, node_run: number, node_run_id: id, label, item, cause };
}
