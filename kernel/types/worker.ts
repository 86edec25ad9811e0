/** Worker 2: the one thread with a TypeScript compiler in it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { keepCompiled } from "../compile-cache.ts";

/** What worker 2 is started with. */
export interface TypesWorkerData {
  /** Of an earlier worker that has died; empty at first. */
  readonly declarations: string;
}

/** What the main thread sends: a port for someone who asks. */
export interface ToTypes {
  readonly port: MessagePort;
}

/** What the main thread keeps, so that a new worker knows what this one knew. */
export interface FromTypes {
  readonly declarations: string;
}

keepCompiled();
// Loaded only now, so that the cache has them, and the compiler with them.
const { createTypeService } = await import("./create-service.ts");
const { createServer } = await import("./serve-calls.ts");

const { declarations }: TypesWorkerData = workerData;
const service = createTypeService({
  declarations,
  declared: (known) => parentPort?.postMessage({ declarations: known } satisfies FromTypes),
});
const serve = createServer(service, () => service.warm());
parentPort?.on("message", ({ port }: ToTypes) => serve(port));
