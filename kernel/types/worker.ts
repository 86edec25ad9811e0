/** Worker 2: the one thread with a TypeScript compiler in it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createTypeService } from "./create-service.ts";
import { createServer } from "./serve-calls.ts";

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

const { declarations }: TypesWorkerData = workerData;
const service = createTypeService({
  declarations,
  declared: (known) => parentPort?.postMessage({ declarations: known } satisfies FromTypes),
});
const serve = createServer(service, () => service.warm());
parentPort?.on("message", ({ port }: ToTypes) => serve(port));
