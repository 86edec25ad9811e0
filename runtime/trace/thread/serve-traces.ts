/** Runs as the thread of `threaded-traces.ts`: has the traces of the process, and answers what the main thread asks. */
import { parentPort, workerData } from "node:worker_threads";
import { createRedactor } from "../../redaction/redact.ts";
import { serializeError } from "../sql/serialized-error.ts";
import { openTraces, type TraceStore } from "../trace-store.ts";
import type { FromTraces, ToTraces, TracesCall, TracesWorkerData } from "./messages.ts";
import { ThreadSources } from "./thread-sources.ts";
import { replyOf, WaitingCalls } from "./waiting-calls.ts";

const { tracesDir, owner, secrets, store, lostFiles }: TracesWorkerData = workerData;
const asked = new WaitingCalls<undefined>();
const sources = new ThreadSources((source, call) => {
  const { id, answer } = asked.add(undefined);
  post({ kind: "asked", id, source, ...call });
  return answer;
});
const aborts = new Map<number, AbortController>();
/** The number of warnings that the main thread has. */
let sentWarnings = 0;

try {
  const { redactForTrace: redact } = createRedactor(secrets);
  const opening = openTraces(tracesDir, owner, {
    redact,
    lostFiles,
    writable: sources.at(store).writable,
  });
  parentPort?.on("message", (message: ToTraces) => void receive(message, opening));
  const traces = await opening;
  post({ kind: "opened", file: traces.file, warnings: newWarnings(traces) });
} catch (error) {
  post({ kind: "refused", failure: serializeError(error) });
  parentPort?.close();
}

async function receive(message: ToTraces, opening: Promise<TraceStore>): Promise<void> {
  if (message.kind === "reply") asked.settle(message.id, message.reply);
  else if (message.kind === "abort") aborts.get(message.id)?.abort();
  // Traces that did not open have sent `refused`, which answers every call.
  else await answer(message, opening).catch(() => {});
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
      return await traces.ask(call.sql, call.params, { ...readMax(call), ...watched, signal });
    }
    case "answer":
      return await traces.answer({ runId: call.runId, sql: call.sql, signal });
    case "compact":
      return await traces.compact(call.options);
    case "prune":
      return await traces.prune(call.options);
    case "share":
    case "takeOver":
      return await traces[call.method]();
    case "close":
      await traces.close();
      sources.close();
  }
  return undefined;
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
  parentPort?.postMessage(message);
}
