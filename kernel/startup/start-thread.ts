/** Starts a worker thread that runs a file of kernel/. */
import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Starts a thread that runs this file of kernel/, named without its ending. Built, it is JavaScript. */
export function startThread(name: string, options: WorkerOptions): Worker {
  const file = `${name}${extname(import.meta.url)}`;
  return new Worker(new URL("./thread.js", import.meta.url), { ...options, argv: [file] });
}
