/** Starts a worker thread that runs a file of kernel/. */
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Starts a thread that runs this file of kernel/, named without its ending. Built, it is JavaScript. */
export function startThread(name: string, options: WorkerOptions): Worker {
  if (import.meta.url.endsWith(".js"))
    return new Worker(new URL(`../${name}.js`, import.meta.url), options);
  return new Worker(new URL("./thread.js", import.meta.url), { ...options, argv: [`${name}.ts`] });
}
