/** Runs worker 2: the one thread with a TypeScript compiler in it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createCollector } from "./collect-grown.ts";
import { createTypeService } from "./create-service.ts";
import type { StartedNative } from "./native/end-native.ts";
import { createServer } from "./serve-calls.ts";
import type { KnownCells } from "./service-state.ts";

/** The start data of worker 2: the state of an earlier worker that has ended; empty at first. */
export type TypesWorkerData = KnownCells;

/** A message of the main thread: a port for a new client. */
export interface ToTypes {
  readonly port: MessagePort;
}

/** The changed state, which the main thread keeps so that a new worker can continue with it; or the process that was started. */
export type FromTypes =
  | { readonly changed: Partial<KnownCells> }
  | { readonly started: StartedNative };

// TypeScript 7 lets its heap grow to 1.5 times of what it needs, not to twice: that costs a tenth of its processor time.
process.env.GOGC ??= "50";

const known: TypesWorkerData = workerData;
const service = createTypeService({
  ...known,
  declared: (changed) => parentPort?.postMessage({ changed } satisfies FromTypes),
  started: (started) => parentPort?.postMessage({ started } satisfies FromTypes),
});
const serve = createServer(service, { answered: createCollector(), idle: () => service.warm() });
parentPort?.on("message", ({ port }: ToTypes) => serve(port));
