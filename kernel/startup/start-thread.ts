/** Starts worker threads that load our files as quickly as the main thread does. */
import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Starts a thread that runs this file of kernel/, named without its ending. Built, it is JavaScript. */
export function startThread(name: string, options: WorkerOptions): Worker {
  return startThreadOf(new URL(`../${name}${extname(import.meta.url)}`, import.meta.url), options);
}

/** Starts a worker thread that runs any file of ours. */
export function startThreadOf(file: URL, options: WorkerOptions): Worker {
  return new Worker(new URL("./thread.js", import.meta.url), { ...options, argv: [file.href] });
}
