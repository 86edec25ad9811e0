/** Opens the traces of one process in a thread of their own: the same `TraceStore`, whose work costs the main thread nothing. */
import { once } from "node:events";
import type { Worker, WorkerOptions } from "node:worker_threads";
import { messageOf, RunError } from "../../failure.ts";
import type { Secret } from "../../redaction/redact.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { TraceWarning } from "../database/trace-files.ts";
import type { TraceSource } from "../ingest/source.ts";
import { type SerializedError, serializeError, toError } from "../sql/serialized-error.ts";
import { SqlError } from "../sql/sql-error.ts";
import { isWritingTable, statementsOf } from "../sql/sql-statements.ts";
import type { PublishedTraces, SqlAskOptions, TraceStore, ValueTable } from "../trace-store.ts";
import { HandOver, type SharedSource } from "./hand-over.ts";
import type {
  FromTraces,
  SourcePlace,
  TablePlace,
  ToTraces,
  TracesCall,
  TracesWorkerData,
} from "./messages.ts";
import { replyOf, WaitingCalls } from "./waiting-calls.ts";

/** Starts a thread that runs a file. */
export type StartThread = (file: URL, options: WorkerOptions) => Worker;

export interface ThreadedTracesOptions {
  /** The known secrets; others are found by their names and forms. */
  readonly secrets: readonly Secret[];
  /** The store that has the tables that people write. */
  readonly store: Pick<RunStore, "files" | "memories" | "writable"> & TraceSource;
  readonly startThread: StartThread;
}

/** The process waits so long for its threads to end what is under way, when it ends. */
const REST_MS = 5000;

/** A thread that dies more often than that is not started again: what ends it is in the logs. */
const DEATHS_MAX = 5;

/** The thread loads DuckDB, opens files and reads logs; calls wait for it. Rejects where it can't be loaded. */
export async function openThreadedTraces(
  tracesDir: string,
  owner: string,
  options: ThreadedTracesOptions,
): Promise<TraceStore> {
  const client = new TracesClient(tracesDir, owner, options);
  await client.opened();
  return {
    get file() {
      return client.file;
    },
    warnings: client.warnings,
    ingest: (source) => client.ingest({ method: "ingest", source: client.placeOf(source) }),
    rebuild: (source) => client.ingest({ method: "rebuild", source: client.placeOf(source) }),
    query: (sql, params, { signal, rowsMax } = {}) =>
      client.ask({ method: "query", sql, params, rowsMax }, { signal }),
    ask: (sql, params, { signal, progress, rowsMax, tables = [] } = {}) =>
      client.withValues(tables, (places) =>
        client.ask(
          {
            method: "ask",
            sql,
            params,
            rowsMax,
            isWatched: progress !== undefined,
            tables: places,
          },
          { signal, progress },
        ),
      ),
    answer: ({ signal, ...question }) => client.ask({ method: "answer", ...question }, { signal }),
    share: () => client.tolerantCall({ method: "share" }, undefined),
    compact: (options = {}) => client.call({ method: "compact", options }),
    publish: (folder) => client.call({ method: "publish", folder }),
    readPublished: (wanted) => client.readPublished(wanted),
    prune: (options = {}) => client.call({ method: "prune", options }),
    takeOver: () => client.tolerantCall({ method: "takeOver" }, 0),
    close: () => client.close(),
  };
}

/** A call that waits for the thread. */
interface ThreadCall extends AskedWith {
  readonly call: TracesCall;
  /** A thread has died with it already. */
  isRepeated: boolean;
}

interface AskedWith {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: SqlAskOptions["progress"] | undefined;
}

class TracesClient {
  readonly warnings: TraceWarning[] = [];
  file = "";
  readonly #data: Omit<TracesWorkerData, "lostFiles" | "published" | "atRest">;
  readonly #startThread: StartThread;
  readonly #waiting = new WaitingCalls<ThreadCall>();
  /** The sources in the memory of this thread, by their numbers. */
  readonly #handOvers: HandOver[] = [];
  /** The values that queries under way may name as tables, by numbers of their own. */
  readonly #values = new Map<number, ValueTable>();
  #valueCount = 0;
  readonly #numbers = new Map<SharedSource, number>();
  readonly #lostFiles: string[] = [];
  #published: readonly PublishedTraces[] = [];
  readonly #opened = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #atRest = newFlag();
  #isOpen = false;
  #deaths = 0;
  #closing: Promise<void> | undefined;

  constructor(tracesDir: string, owner: string, options: ThreadedTracesOptions) {
    const { secrets, store, startThread } = options;
    this.#startThread = startThread;
    this.#data = { tracesDir, owner, secrets, store: this.placeOf(store) };
  }

  async opened(): Promise<void> {
    if (openClients.size === 0) process.on("exit", restAll);
    openClients.add(this);
    this.#start();
    await this.#opened.promise;
  }

  placeOf(source: SharedSource): SourcePlace {
    if (source.files !== undefined) return source.files;
    const known = this.#numbers.get(source);
    if (known !== undefined) return known;
    const number = this.#handOvers.push(new HandOver(source)) - 1;
    this.#numbers.set(source, number);
    return number;
  }

  /** Calls `work` with the places at which the thread can ask for these values meanwhile. */
  async withValues<T>(
    tables: readonly ValueTable[],
    work: (places: readonly TablePlace[]) => Promise<T>,
  ): Promise<T> {
    const places = tables.map((table) => {
      this.#valueCount += 1;
      this.#values.set(this.#valueCount, table);
      return { name: table.name, source: this.#valueCount };
    });
    try {
      return await work(places);
    } finally {
      for (const { source } of places) this.#values.delete(source);
    }
  }

  /** Never rejects. */
  async ingest(call: TracesCall): Promise<number> {
    if (this.#closing !== undefined) return 0;
    return await this.tolerantCall(call, 0);
  }

  /** Calls the thread; an error becomes a warning, and the result is `otherwise`. */
  async tolerantCall<T>(call: TracesCall, otherwise: T): Promise<T> {
    try {
      return await this.call<T>(call);
    } catch (cause) {
      this.#warn(firstLine(cause));
      return otherwise;
    }
  }

  async ask<T>(call: TracesCall & { readonly sql: string }, asked: AskedWith): Promise<T> {
    if (this.#closing !== undefined)
      throw new SqlError("M6103", "the traces are closed", { sql: call.sql });
    return await this.call(call, asked);
  }

  async call<T>(call: TracesCall, asked: AskedWith = {}): Promise<T> {
    if (this.#worker === undefined) {
      if (this.#closing !== undefined || this.#deaths > DEATHS_MAX) throw stopped(call);
      this.#start();
    }
    const { signal } = asked;
    const { id, answer } = this.#waiting.add({ call, ...asked, isRepeated: false });
    const abort = () => this.#post({ kind: "abort", id });
    try {
      this.#send(id, { call, ...asked });
      signal?.addEventListener("abort", abort);
      // The thread answers each call with what its own store gives.
      return (await answer) as T;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#rest();
    }
  }

  async readPublished(wanted: readonly PublishedTraces[]): Promise<void> {
    await this.call({ method: "readPublished", wanted });
    this.#published = wanted;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Asks the thread to end what is under way. */
  askToRest(): void {
    this.#post({ kind: "rest" });
  }

  /** Blocks until the thread has ended what was under way. */
  waitForRest(timeoutMs: number): void {
    if (this.#worker !== undefined) Atomics.wait(this.#atRest, 0, 0, timeoutMs);
  }

  async #close(): Promise<void> {
    try {
      await this.#closeThread();
    } finally {
      this.#leaveOpenClients();
    }
  }

  #leaveOpenClients(): void {
    openClients.delete(this);
    if (openClients.size === 0) process.off("exit", restAll);
  }

  async #closeThread(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    // The thread ends by itself and is not terminated: only then does it write the caches of its compiled files.
    const gone = once(worker, "exit");
    await this.tolerantCall({ method: "close" }, undefined);
    worker.ref();
    await gone;
  }

  #start(): void {
    for (const handOver of this.#handOvers) handOver.forget();
    const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const file = new URL(`./serve-traces.${ending}`, import.meta.url);
    this.#atRest = newFlag();
    const workerData: TracesWorkerData = {
      ...this.#data,
      lostFiles: this.#lostFiles,
      published: this.#published,
      atRest: this.#atRest,
    };
    const worker = this.#startThread(file, { workerData });
    this.#worker = worker;
    let cause: unknown;
    worker.on("message", (message: FromTraces) => {
      if (this.#worker === worker) this.#hear(message, worker);
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", (code) => {
      if (this.#worker === worker) this.#exited(cause ?? new Error(`it ended with ${code}`));
    });
  }

  #hear(message: FromTraces, worker: Worker): void {
    if ("warnings" in message) this.warnings.push(...message.warnings);
    switch (message.kind) {
      case "opened":
        this.file = message.file;
        this.#isOpen = true;
        this.#opened.resolve();
        this.#rest();
        break;
      case "refused":
        this.#worker = undefined;
        this.#refuse(message);
        break;
      case "reply":
        this.#waiting.settle(message.id, message.reply);
        break;
      case "progress":
        this.#waiting.of(message.id)?.progress?.(message.percent);
        break;
      case "asked":
        void this.#answer(message, worker);
    }
  }

  /** Answers the thread that asked: another one counts its questions anew. */
  async #answer(asked: FromTraces & { readonly kind: "asked" }, worker: Worker): Promise<void> {
    const reply = await replyOf(async () =>
      asked.method === "read"
        ? this.#values.get(asked.source)?.read(...asked.args)
        : this.#handOvers[asked.source]?.answer(asked),
    );
    worker.postMessage({ kind: "reply", id: asked.id, reply } satisfies ToTraces);
  }

  /** The traces did not open. */
  #refuse({ failure }: { readonly failure: SerializedError }): void {
    this.#leaveOpenClients();
    for (const [id] of this.#waiting.entries()) this.#waiting.settle(id, { failure });
    this.#opened.reject(toError(failure));
  }

  /** The thread has died: what was asked is asked of a new one, which reads again what is in no file. */
  #exited(cause: unknown): void {
    this.#worker = undefined;
    if (!this.#isOpen) {
      this.#refuse({ failure: serializeError(cause) });
      return;
    }
    this.#isOpen = false;
    this.#deaths += 1;
    this.#lostFiles.push(this.file);
    const isEnough = this.#deaths > DEATHS_MAX;
    this.#warn(firstLine(cause));
    for (const [id, waiting] of this.#waiting.entries()) {
      const isLost = waiting.isRepeated || isEnough || isWriting(waiting.call);
      if (isLost) this.#waiting.settle(id, { failure: serializeError(stopped(waiting.call)) });
      else waiting.isRepeated = true;
    }
    if (this.#waiting.size === 0) return;
    this.#start();
    for (const [id, waiting] of this.#waiting.entries()) this.#send(id, waiting);
  }

  #send(id: number, { call, signal }: Omit<ThreadCall, "isRepeated">): void {
    // A call that is under way is awaited by someone: until it is answered the process stays.
    this.#worker?.ref();
    try {
      this.#post({ kind: "call", id, call });
      if (signal?.aborted === true) this.#post({ kind: "abort", id });
    } catch (error) {
      // A parameter may be anything in a program without types.
      this.#waiting.settle(id, { failure: serializeError(error) });
    }
  }

  #post(message: ToTraces): void {
    this.#worker?.postMessage(message);
  }

  /** The thread keeps nobody's process from ending. */
  #rest(): void {
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #warn(reason: string): void {
    const isOff = this.#deaths > DEATHS_MAX;
    const message = `the thread of the traces stopped: ${reason}`;
    if (this.warnings.some((warning) => warning.message === message) && !isOff) return;
    const hint = isOff
      ? "it is not started again in this process; the runs are not touched, and another process traces them"
      : "it was started again, and what it had not written is made anew from the logs";
    this.warnings.push({ code: "M6006", message, hint });
  }
}

function newFlag(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** The clients whose threads a `process.exit` would end in the middle of their work. */
const openClients = new Set<TracesClient>();

function restAll(): void {
  const end = performance.now() + REST_MS;
  for (const client of openClients) client.askToRest();
  for (const client of openClients) client.waitForRest(Math.max(0, end - performance.now()));
}

function firstLine(cause: unknown): string {
  const [line = ""] = messageOf(cause).split("\n", 1);
  return line;
}

/** Returns whether the dead thread may have done it, so that a second time would do it twice. */
function isWriting(call: TracesCall): boolean {
  return "sql" in call && statementsOf(call.sql).some(isWritingTable);
}

function stopped(call: TracesCall): Error {
  const message = "the thread of the traces stopped before it answered";
  if (!("sql" in call)) return new RunError("M6006", message, { hint: "run it again" });
  const hint = isWriting(call)
    ? "look whether the tables have your rows already before you run it again"
    : "run it again; where it stops again, ask for fewer rows at once";
  return new SqlError("M6006", message, { sql: call.sql, hint });
}
