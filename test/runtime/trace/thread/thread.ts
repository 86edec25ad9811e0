/** Traces in a thread of their own, for tests: a store of runs, the traces, and the thread itself. */
import { randomUUID } from "node:crypto";
import { BroadcastChannel, Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import type { RunStore } from "../../../../runtime/store/run-store.ts";
import { openThreadedTraces } from "../../../../runtime/trace/thread/threaded-traces.ts";
import type { TraceStore } from "../../../../runtime/trace/trace-store.ts";

export interface ThreadedSetting {
  readonly traces: TraceStore;
  /** Ends the thread by an error that nothing catches, and waits until it is gone. */
  kill(): Promise<void>;
  /** The number of threads that were started. */
  started(): number;
}

/** The traces of a process in a folder; closed after the test. */
export async function threaded(
  store: RunStore,
  folder: string,
  secrets: readonly { readonly name: string; readonly value: string }[] = [],
): Promise<ThreadedSetting> {
  const workers: Worker[] = [];
  const setting = randomUUID();
  const channelOf = (worker: number) => `${setting}-${worker}`;
  const traces = await openThreadedTraces(folder, "kernel", {
    secrets,
    store,
    startThread: (file, options) => {
      const execArgv = ["--import", new URL("./fail-on-message.ts", import.meta.url).href];
      const argv = [channelOf(workers.length)];
      const worker = new Worker(file, { ...options, execArgv, argv });
      workers.push(worker);
      return worker;
    },
  });
  onTestFinished(() => traces.close());
  return {
    traces,
    started: () => workers.length,
    async kill() {
      const worker = workers.at(-1);
      if (worker === undefined) throw new Error("there is no thread");
      const gone = new Promise((resolve) => worker.once("exit", resolve));
      const channel = new BroadcastChannel(channelOf(workers.length - 1));
      channel.postMessage("fail");
      await gone;
      channel.close();
    },
  };
}
