/** Runs as the thread of `threaded-traces.ts`: has the traces of the process, and answers what the main thread asks. */
import { parentPort, workerData } from "node:worker_threads";
import { createRedactor } from "../../redaction/redact.ts";
import { serializeError } from "../sql/serialized-error.ts";
import { openTraces, type TraceStore, type ValuePart, type ValueTable } from "../trace-store.ts";
import type { HandOverCall } from "./hand-over.ts";
import type {
  FromTraces,
  TablePlace,
  ToTraces,
  TracesCall,
  TracesWorkerData,
  ValueCall,
} from "./messages.ts";
import { ThreadSources } from "./thread-sources.ts";
import { replyOf, WaitingCalls } from "./waiting-calls.ts";

const { tracesDir, owner, secrets, store, lostFiles, published, atRest }: TracesWorkerData =
  workerData;
const asked = new WaitingCalls<undefined>();
const sources = new ThreadSources(askMain);
const aborts = new Map<number, AbortController>();
const underWay = new Set<Promise<void>>();
const ENDING = new Error("the thread of the traces ends");
let isResting = false;
/** The number of warnings that the main thread has. */
let sentWarnings = 0;

try {
  const { redactForTrace: redact } = createRedactor(secrets);
  const { writable, memories } = sources.at(store);
  const opening = openTraces(tracesDir, owner, { redact, lostFiles, writable, memories });
  process.once("uncaughtException", (error) => void restThenThrow(error, opening));
  parentPort?.on("message", (message: ToTraces) => void receive(message, opening));
  const traces = await opening;
  if (published.length > 0) await traces.readPublished(published);
  post({ kind: "opened", file: traces.file, warnings: newWarnings(traces) });
} catch (error) {
  setAtRest();
  post({ kind: "refused", failure: serializeError(error) });
  parentPort?.close();
}

function askMain(source: number, call: HandOverCall | ValueCall): Promise<unknown> {
  if (isResting) return Promise.reject(ENDING);
  const { id, answer } = asked.add(undefined);
  post({ kind: "asked", id, source, ...call });
  return answer;
}

async function receive(message: ToTraces, opening: Promise<TraceStore>): Promise<void> {
  if (message.kind === "reply") asked.settle(message.id, message.reply);
  else if (message.kind === "abort") aborts.get(message.id)?.abort();
  else if (message.kind === "rest") await rest(opening);
  else if (!isResting) {
    // Traces that did not open have sent `refused`, which answers every call.
    const answered = answer(message, opening).catch(() => {});
    underWay.add(answered);
    await answered;
    underWay.delete(answered);
  }
}

/**
 * Ends what is under way and begins nothing more. Node ends the whole process (SIGABRT) where a thread is ended while
 * DuckDB works for it: node-addon-api then throws an error that nobody can catch.
 */
async function rest(opening: Promise<TraceStore>): Promise<void> {
  isResting = true;
  for (const controller of aborts.values()) controller.abort();
  for (const [id] of asked.entries()) asked.settle(id, { failure: serializeError(ENDING) });
  await Promise.allSettled([opening, ...underWay]);
  setAtRest();
}

/** Ends the thread by an error that nothing caught. */
async function restThenThrow(error: Error, opening: Promise<TraceStore>): Promise<void> {
  await rest(opening);
  setImmediate(() => {
    throw error;
  });
}

function setAtRest(): void {
  Atomics.store(atRest, 0, 1);
  Atomics.notify(atRest, 0);
}

async function answer(
  { id, call }: ToTraces & { readonly kind: "call" },
  opening: Promise<TraceStore>,
): Promise<void> {
  const controller = new AbortController();
  aborts.set(id, controller);
  const reply = await replyOf(async () => perform(await opening, { id, call }, controller.signal));
  aborts.delete(id);
  post({ kind: "reply", id, reply, warnings: newWarnings(await opening) });
  if (call.method === "close") parentPort?.close();
}

async function perform(
  traces: TraceStore,
  { id, call }: { readonly id: number; readonly call: TracesCall },
  signal: AbortSignal,
): Promise<unknown> {
  switch (call.method) {
    case "ingest":
    case "rebuild":
      return await traces[call.method](sources.at(call.source));
    case "query":
      return await traces.query(call.sql, call.params, { ...readMax(call), signal });
    case "ask": {
      const progress = (percent: number | undefined) => post({ kind: "progress", id, percent });
      const watched = call.isWatched ? { progress } : {};
      const tables = call.tables.map(valueTable);
      return await traces.ask(call.sql, call.params, {
        ...readMax(call),
        ...watched,
        tables,
        signal,
      });
    }
    case "answer":
      return await traces.answer({ ...call, signal });
    case "compact":
      return await traces.compact(call.options);
    case "publish":
      return await traces.publish(call.folder);
    case "readPublished":
      return await traces.readPublished(call.wanted);
    case "prune":
      return await traces.prune(call.options);
    case "share":
    case "takeOver":
      return await traces[call.method]();
    case "close":
      await traces.close();
      sources.close();
      setAtRest();
  }
  return undefined;
}

/** The main thread sends what its own value gives. */
function valueTable({ name, source }: TablePlace): ValueTable {
  const read = async (at: number) =>
    (await askMain(source, { method: "read", args: [at] })) as ValuePart | undefined;
  return { name, read };
}

function readMax({ rowsMax }: { readonly rowsMax: number | undefined }) {
  return rowsMax === undefined ? {} : { rowsMax };
}

function newWarnings({ warnings }: TraceStore) {
  const since = warnings.slice(sentWarnings);
  sentWarnings = warnings.length;
  return since;
}

function post(message: FromTraces): void {
  // The main thread asks the next thread what this one did not answer.
  if (!isResting) parentPort?.postMessage(message);
}
