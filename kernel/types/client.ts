/** Starts worker 2 from the main thread when it is first needed, and again after it has died. */
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { CommandError } from "../command-error.ts";
import { startThread } from "../startup/start-thread.ts";
import type { ProgramNames } from "./named/program-names.ts";
import type { AskedTool } from "./named/read-signatures.ts";
import { StartedNatives } from "./native/end-native.ts";
import type {
  CellText,
  Converted,
  GraphCell,
  TypeAnswer,
  TypeCall,
  TypeService,
} from "./service.ts";
import type { FromTypes, ToTypes, TypesWorkerData } from "./worker.ts";

export interface TypeCallOptions {
  /** Nobody waits for the answer any more: a compiler that does not come to an end soon is replaced by a new one. */
  readonly signal?: AbortSignal;
}

export interface TypeClient extends TypeService {
  convert(cell: CellText, options?: TypeCallOptions): Promise<Converted>;
  typesOf(names: ProgramNames, options?: TypeCallOptions): ReturnType<TypeService["typesOf"]>;
  signaturesOf(
    asked: readonly AskedTool[],
    options?: TypeCallOptions,
  ): ReturnType<TypeService["signaturesOf"]>;
  declareGraphs(
    cell: GraphCell,
    options?: TypeCallOptions,
  ): ReturnType<TypeService["declareGraphs"]>;
  /** A port for another thread, which speaks `TypeCall` and `TypeAnswer`. It ends with the worker that it leads to. */
  newPort(): MessagePort;
  close(): Promise<void>;
}

export interface TypeClientOptions {
  /** Called with each worker that is started, the first one and those after a death. */
  readonly started?: (worker: Worker) => void;
  /** The heap size at which the compiler is stopped, in megabytes; 2048 by default. */
  readonly heapMegabytesMax?: number;
  /** The time that a call may continue after its abort, in milliseconds; 500 by default. */
  readonly abandonedMs?: number;
}

/** The type service in a worker of its own. It never keeps the process alive by itself. */
export function startTypes(options: TypeClientOptions = {}): TypeClient {
  const client = new WorkerClient(options);
  const call = (method: keyof TypeService) => (argument: unknown, options?: TypeCallOptions) =>
    client.call({ method, argument }, options);
  return {
    convert: call("convert") as TypeClient["convert"],
    typesOf: call("typesOf") as TypeClient["typesOf"],
    signaturesOf: call("signaturesOf") as TypeClient["signaturesOf"],
    declareGraphs: call("declareGraphs") as TypeClient["declareGraphs"],
    declareImported: call("declareImported") as TypeClient["declareImported"],
    recheck: call("recheck") as TypeClient["recheck"],
    declare: call("declare") as TypeClient["declare"],
    complete: call("complete") as TypeClient["complete"],
    inspect: call("inspect") as TypeClient["inspect"],
    isComplete: call("isComplete") as TypeClient["isComplete"],
    caughtAt: call("caughtAt") as TypeClient["caughtAt"],
    newPort: () => client.newPort(),
    close: () => client.close(),
  };
}

interface WaitingCall {
  readonly call: TypeCall;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Started {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly natives: StartedNatives;
}

/** Most calls end by themselves in this time; a new compiler takes longer than that to start. */
const ABANDONED_MS = 500;

/** A compiler makes much that is soon of no use: unlimited, its young objects alone would take 80 MB. */
const YOUNG_MEGABYTES_MAX = 8;

class WorkerClient {
  readonly #options: TypeClientOptions;
  readonly #waiting = new Map<number, WaitingCall>();
  #started: Started | undefined;
  #known: TypesWorkerData = { declarations: "", graphs: [] };
  #calls = 0;
  #closed = false;

  constructor(options: TypeClientOptions) {
    this.#options = options;
  }

  async call(what: Omit<TypeCall, "id">, { signal }: TypeCallOptions = {}): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw new CommandError("M3590", "the type service has been closed");
    this.#calls += 1;
    const call = { id: this.#calls, ...what };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call.id, { call, resolve, reject });
    this.#send(call);
    const stopWatching = signal && this.#watch(call.id, signal);
    return await promise.finally(stopWatching);
  }

  newPort(): MessagePort {
    return openPort(this.#start().worker);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const started = this.#started;
    this.#lose(new CommandError("M3590", "the type service has been closed"));
    started?.port.close();
    started?.natives.end();
    await started?.worker.terminate();
  }

  #send(call: TypeCall): void {
    const { port } = this.#start();
    // A call that is under way is awaited by someone: until it is answered the process stays.
    port.ref();
    port.postMessage(call);
  }

  /** The compiler can't be asked to stop: a while after the abort its thread is ended. */
  #watch(id: number, signal: AbortSignal): () => void {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => this.#abandon(id), this.#options.abandonedMs ?? ABANDONED_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  }

  /** Replaces the worker. What others wait for, which may be the next cell already, is asked of the new one. */
  #abandon(id: number): void {
    this.#waiting.get(id)?.reject(new CommandError("M3590", "the call was given up"));
    this.#waiting.delete(id);
    const stuck = this.#started;
    this.#started = undefined;
    stuck?.port.close();
    stuck?.natives.end();
    void stuck?.worker.terminate(); // Nothing waits for its end.
    this.#start();
    for (const { call } of this.#waiting.values()) this.#send(call);
  }

  #start(): Started {
    if (this.#started !== undefined) return this.#started;
    const worker = startThread("types/worker", {
      workerData: this.#known,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.heapMegabytesMax ?? 2048,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX,
      },
    });
    worker.unref();
    const port = openPort(worker);
    port.on("message", (answer: TypeAnswer) => this.#answered(answer, port));
    port.unref();
    const natives = new StartedNatives();
    worker.on("message", (message: FromTypes) => {
      if ("started" in message) natives.add(message.started);
      else this.#known = { ...this.#known, ...message.changed };
    });
    let cause: unknown;
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      natives.end();
      this.#exited(worker, cause);
    });
    this.#started = { worker, port, natives };
    this.#options.started?.(worker);
    return this.#started;
  }

  #answered(answer: TypeAnswer, port: MessagePort): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) port.unref();
    if ("error" in answer) waiting?.reject(compilerFailed(answer.error));
    else waiting?.resolve(answer.value);
  }

  #exited(worker: Worker, cause: unknown): void {
    if (this.#started?.worker !== worker) return;
    const hint = "run the cell again: what earlier cells declared is kept";
    this.#lose(new CommandError("M3590", "the type service has stopped", { hint, cause }));
  }

  #lose(error: CommandError): void {
    this.#started = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function openPort(worker: Worker): MessagePort {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ port: port2 } satisfies ToTypes, [port2]);
  return port1;
}

function compilerFailed({ message, stack }: { message: string; stack?: string }): CommandError {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const hint = "run the cell again; if it fails again, please report it with the cell's text";
  return new CommandError("M3591", `the TypeScript compiler failed: ${message}`, { hint, cause });
}
