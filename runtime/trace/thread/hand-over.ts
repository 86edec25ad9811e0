/** Gives the thread of traces what a store in the memory of the main thread has logged: what is new, and each record once. */
import type { Ir } from "../../../dsl/index.ts";
import type { LogRecord } from "../../records/records.ts";
import type { MemoryEntry } from "../../store/memories/memory.ts";
import type { WritableRows } from "../../store/run-store.ts";
import type { StoredEntries } from "../database/memory-rows.ts";
import type { WritableSource } from "../database/writable-copy.ts";
import type { SourcePosition, TracedRun, TraceSource } from "../ingest/source.ts";

/** The runs whose logs have grown since the last look, and those that are gone. */
export interface SourceNews {
  readonly positions: readonly SourcePosition[];
  readonly deleted: readonly string[];
}

/** A source of logs that has tables that people write, and memories, if it is a store. */
export type SharedSource = TraceSource & {
  readonly writable?: WritableSource;
  readonly memories?: StoredEntries;
};

/** A call of the thread to a source that the main thread has. */
export type HandOverCall = {
  readonly [K in HandOverMethod]: { readonly method: K; readonly args: Parameters<HandOver[K]> };
}[HandOverMethod];

type HandOverMethod =
  | "news"
  | "records"
  | "run"
  | "program"
  | "revision"
  | "rows"
  | "replace"
  | "memories";

/** Records a message has at most: to copy more at once would hold up the main thread. */
const RECORDS_MAX = 64;

/** One source, as the thread asks for it. */
export class HandOver {
  readonly #source: SharedSource;
  /** The position of each run that the thread knows. */
  readonly #sent = new Map<string, string>();

  constructor(source: SharedSource) {
    this.#source = source;
  }

  /** A thread that has just been started knows nothing. */
  forget(): void {
    this.#sent.clear();
  }

  /** Performs a call of the thread. */
  async answer({ method, args }: HandOverCall): Promise<unknown> {
    const perform = this[method] as (...args: readonly unknown[]) => Promise<unknown>;
    return await perform.apply(this, args);
  }

  async news(): Promise<SourceNews> {
    const positions: SourcePosition[] = [];
    for (const position of await this.#source.positions()) {
      const { runId, lastSeq, logId } = position;
      const mark = `${lastSeq} ${logId}`;
      if (this.#sent.get(runId) === mark) continue;
      this.#sent.set(runId, mark);
      positions.push(position);
    }
    const deleted = (await this.#source.deleted?.()) ?? [];
    for (const runId of deleted) this.#sent.delete(runId);
    return { positions, deleted };
  }

  async records(runId: string, after: number, enough: number): Promise<readonly LogRecord[]> {
    const count = Math.min(enough, RECORDS_MAX);
    return (await this.#source.readAfter(runId, after, count)).slice(0, count);
  }

  /** The facts of a run that the trace needs, without its program, of which many runs have the same. */
  async run(wanted: string): Promise<Omit<TracedRun, "ir">> {
    const { runId, threadId, graph, graphHash, models, forkedFrom, rerunOf } =
      await this.#source.meta(wanted);
    return {
      runId,
      threadId,
      graph,
      graphHash,
      models,
      ...(forkedFrom === undefined ? {} : { forkedFrom }),
      ...(rerunOf === undefined ? {} : { rerunOf }),
    };
  }

  async program(runId: string): Promise<Ir> {
    return (await this.#source.meta(runId)).ir;
  }

  async revision(): Promise<string> {
    return await this.#writable().revision();
  }

  async rows(): Promise<WritableRows> {
    return await this.#writable().rows();
  }

  async replace(from: string, rows: WritableRows): Promise<string | undefined> {
    return await this.#writable().replace(from, rows);
  }

  async memories(): Promise<readonly MemoryEntry[]> {
    return (await this.#source.memories?.list()) ?? [];
  }

  #writable(): WritableSource {
    if (this.#source.writable === undefined) throw new Error("this source has no such tables");
    return this.#source.writable;
  }
}
