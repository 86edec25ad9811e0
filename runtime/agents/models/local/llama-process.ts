/** Asks local models, which run in one separate process: it is started with the first call and ends with this process. */
import { type ChildProcess, fork } from "node:child_process";
import type {
  LlamaAsk,
  LlamaCount,
  LlamaFault,
  LlamaReply,
  LlamaTask,
  LlamaUsage,
} from "./llama-messages.ts";

/** An answer, whose text has been heard. */
export interface LlamaAnswer {
  /** It reached the most tokens that it may have. */
  readonly isCutOff: boolean;
  readonly usage: LlamaUsage;
}

/** Hears an answer while it is made. */
export interface LlamaListener {
  readonly text: (text: string) => void;
  readonly thought: (text: string) => void;
}

/** Thrown for a call that has no answer. */
export class LlamaError extends Error {
  readonly fault: LlamaFault | { readonly kind: "ended"; readonly detail: string };

  constructor(fault: LlamaError["fault"]) {
    super(fault.kind);
    this.name = "LlamaError";
    this.fault = fault;
  }
}

/** One process for all models: they would take each other's processor. */
let running: LlamaProcess | undefined;
let asked = 0;

interface LlamaProcess {
  readonly child: ChildProcess;
  /** The calls under way, by their ids. */
  readonly calls: Map<number, (reply: LlamaReply | LlamaError) => void>;
}

/**
 * Resolves with an answer; rejects with `LlamaError`, or with the reason of `signal` once the model has stopped: at the next
 * token, within a prompt after at most 64 of them. Calls wait for each other.
 */
export function askLlama(
  ask: LlamaAsk,
  listener: LlamaListener,
  signal?: AbortSignal,
): Promise<LlamaAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<LlamaAnswer>();
  const { id, child } = begin(
    (id) => ({ kind: "ask", id, ask }),
    (reply) => {
      if (reply instanceof LlamaError) reject(reply);
      else if (reply.kind === "text" || reply.kind === "thought") listener[reply.kind](reply.text);
      else if (reply.kind === "answered") resolve(reply);
      else if (reply.kind === "failed") reject(new LlamaError(reply.fault));
      else reject(signal?.reason);
    },
  );
  const stop = () => tell(child, { kind: "stop", id });
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  return promise.finally(() => signal?.removeEventListener("abort", stop));
}

/** The tokens of texts, and the tokens that prompt and answer of the model may have together. */
export interface LlamaCounts {
  readonly tokens: readonly number[];
  readonly contextSize: number;
}

/** Counts the tokens of each text by the tokenizer of the model, which is loaded for that; rejects with `LlamaError`. */
export function countByLlama(count: LlamaCount): Promise<LlamaCounts> {
  const { promise, resolve, reject } = Promise.withResolvers<LlamaCounts>();
  begin(
    (id) => ({ kind: "count", id, count }),
    (reply) => {
      if (reply instanceof LlamaError) reject(reply);
      else if (reply.kind === "counted") resolve(reply);
      else if (reply.kind === "failed") reject(new LlamaError(reply.fault));
    },
  );
  return promise;
}

/** Tells the process a task, and `hear` what it says to that; an error is the last that is heard. */
function begin(
  task: (id: number) => LlamaTask,
  hear: (reply: LlamaReply | LlamaError) => void,
): { readonly id: number; readonly child: ChildProcess } {
  running ??= start();
  const { child, calls } = running;
  const id = ++asked;
  calls.set(id, (reply) => {
    if (reply instanceof LlamaError || (reply.kind !== "text" && reply.kind !== "thought")) {
      calls.delete(id);
      if (calls.size === 0) rest(child);
    }
    hear(reply);
  });
  wake(child);
  tell(child, task(id));
  return { id, child };
}

function start(): LlamaProcess {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const child = fork(new URL(`./llama-child.${ending}`, import.meta.url), {
    execArgv: [],
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const calls: LlamaProcess["calls"] = new Map();
  const lost = (detail: string) => {
    if (running?.child === child) running = undefined;
    for (const hear of [...calls.values()]) hear(new LlamaError({ kind: "ended", detail }));
  };
  child.on("message", (reply: LlamaReply) => calls.get(reply.id)?.(reply));
  child.on("error", ({ message }) => lost(message));
  child.on("exit", (code, name) => lost(name ?? `exit code ${code}`));
  return { child, calls };
}

/** None of our own settings and secrets. */
const ENVIRONMENT = ["PATH", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "SystemRoot"] as const;

function tell(child: ChildProcess, task: LlamaTask): void {
  // The calls of a process that has ended are told by its exit.
  if (child.connected) child.send(task, () => {});
}

function wake(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** It keeps no process from ending. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
