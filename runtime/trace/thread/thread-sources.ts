/** Gives the traces their sources in the thread: stores that it reads itself, and those that the main thread has. */
import type { Ir } from "../../../dsl/index.ts";
import { openRunStore } from "../../store/open-store.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { StoredEntries } from "../database/memory-rows.ts";
import type { WritableSource } from "../database/writable-copy.ts";
import type { SourcePosition, StoreFiles, TracedRun, TraceSource } from "../ingest/source.ts";
import type { HandOver, HandOverCall } from "./hand-over.ts";
import type { SourcePlace } from "./messages.ts";

/** A source as the thread has it. */
export interface ThreadSource extends TraceSource {
  readonly writable: WritableSource;
  readonly memories: StoredEntries;
  close(): void;
}

/** Asks the main thread about one of its sources. */
export type AskMain = (source: number, call: HandOverCall) => Promise<unknown>;

/** The sources by their places, opened when they are first asked for. */
export class ThreadSources {
  readonly #askMain: AskMain;
  readonly #opened = new Map<string, ThreadSource>();

  constructor(askMain: AskMain) {
    this.#askMain = askMain;
  }

  at(place: SourcePlace): ThreadSource {
    const name = typeof place === "number" ? `${place}` : place.runsFile;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const opened =
      typeof place === "number"
        ? new HandedSource((call) => this.#askMain(place, call))
        : storedSource(place);
    this.#opened.set(name, opened);
    return opened;
  }

  close(): void {
    for (const source of this.#opened.values()) source.close();
  }
}

/** Reads by a connection of its own; what is wrong with the file is told by each call. */
function storedSource(files: StoreFiles): ThreadSource {
  let opened: RunStore | undefined;
  const store = () => {
    opened ??= openRunStore(files, { isForReading: true });
    return opened;
  };
  return {
    positions: () => store().positions(),
    readAfter: (runId, seq, enough) => store().readAfter(runId, seq, enough),
    meta: (runId) => store().meta(runId),
    deleted: () => store().deleted(),
    writable: {
      revision: () => store().writable.revision(),
      rows: () => store().writable.rows(),
      replace: (from, rows) => store().writable.replace(from, rows),
    },
    memories: { list: () => store().memories.list() },
    close: () => opened?.close(),
  };
}

/** So many programs are kept: most runs have one that another run had. */
const PROGRAMS_MAX = 32;

/** A source in the memory of the main thread. */
class HandedSource implements ThreadSource {
  readonly #ask: (call: HandOverCall) => Promise<unknown>;
  readonly #positions = new Map<string, SourcePosition>();
  /** The programs by the hashes of their graphs. */
  readonly #programs = new Map<string, Ir>();
  readonly writable: WritableSource = {
    revision: () => this.#call("revision"),
    rows: () => this.#call("rows"),
    replace: (from, rows) => this.#call("replace", from, rows),
  };

  readonly memories: StoredEntries = { list: () => this.#call("memories") };

  constructor(ask: (call: HandOverCall) => Promise<unknown>) {
    this.#ask = ask;
  }

  async positions(): Promise<readonly SourcePosition[]> {
    await this.deleted();
    return [...this.#positions.values()];
  }

  async deleted(): Promise<readonly string[]> {
    const { positions, deleted } = await this.#call("news");
    for (const runId of deleted) this.#positions.delete(runId);
    for (const position of positions) this.#positions.set(position.runId, position);
    return deleted;
  }

  readAfter(runId: string, seq: number, enough = Number.POSITIVE_INFINITY) {
    return this.#call("records", runId, seq, enough);
  }

  async meta(runId: string): Promise<TracedRun> {
    const run = await this.#call("run", runId);
    const known = this.#programs.get(run.graphHash);
    const ir = known ?? (await this.#call("program", runId));
    this.#programs.set(run.graphHash, ir);
    const [oldest] = this.#programs.keys();
    if (this.#programs.size > PROGRAMS_MAX && oldest !== undefined) this.#programs.delete(oldest);
    return { ...run, ir };
  }

  close(): void {}

  #call<K extends HandOverCall["method"]>(
    method: K,
    ...args: Parameters<HandOver[K]>
  ): ReturnType<HandOver[K]> {
    // The main thread answers each method with what its own gives.
    return this.#ask({ method, args } as unknown as HandOverCall) as ReturnType<HandOver[K]>;
  }
}
