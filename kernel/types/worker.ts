/** Runs worker 2: the one thread with a TypeScript compiler in it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createTypeService } from "./create-service.ts";
import { createServer } from "./serve-calls.ts";
import type { KnownCells } from "./service-state.ts";

/** What worker 2 is started with: what an earlier worker that has died knew; nothing at first. */
export type TypesWorkerData = KnownCells;

/** What the main thread sends: a port for someone who asks. */
export interface ToTypes {
  readonly port: MessagePort;
}

/** What the main thread keeps of what has changed, so that a new worker knows what this one knew. */
export type FromTypes = Partial<KnownCells>;

const known: TypesWorkerData = workerData;
const service = createTypeService({
  ...known,
  declared: (changed) => parentPort?.postMessage(changed satisfies FromTypes),
});
const serve = createServer(service, () => service.warm());
parentPort?.on("message", ({ port }: ToTypes) => serve(port));
