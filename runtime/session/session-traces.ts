/** Opens the traces of a session, in a thread of their own or in this one. What works with them is loaded only then. */
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { Secret } from "../redaction/redact.ts";
import type { RunStore } from "../store/run-store.ts";
import type { StartThread } from "../trace/thread/threaded-traces.ts";
import type { TraceStore } from "../trace/trace-store.ts";

export interface TracesPlace {
  readonly tracesDir: string;
  readonly owner: string;
  /** The store that has the tables that people write. */
  readonly store: RunStore;
}

export interface SessionTracesOptions {
  readonly secrets: readonly Secret[];
  readonly redact: (value: unknown) => unknown;
  /** Keeps the traces in this thread: a command that asks once is answered sooner than by a thread started for it. */
  readonly isForReading?: boolean;
  readonly startThread?: StartThread;
}

export async function openSessionTraces(
  { tracesDir, owner, store }: TracesPlace,
  { secrets, redact, isForReading = false, startThread = startPlainly }: SessionTracesOptions,
): Promise<TraceStore> {
  if (isForReading) {
    const { openTraces } = await import("../trace/trace-store.ts");
    return await openTraces(tracesDir, owner, {
      redact,
      writable: store.writable,
      memories: store.memories,
    });
  }
  const { openThreadedTraces } = await import("../trace/thread/threaded-traces.ts");
  return await openThreadedTraces(tracesDir, owner, { secrets, store, startThread });
}

function startPlainly(file: URL, options: WorkerOptions): Worker {
  return new Worker(file, { ...options, execArgv: [] });
}
