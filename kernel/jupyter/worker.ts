/** Worker 1: the Jupyter protocol, alive whatever the main thread does. Started by start.ts, never imported. */
import { parentPort, workerData } from "node:worker_threads";
import { keepCompiled } from "../compile-cache.ts";
import type { JupyterWorkerData } from "./link.ts";

keepCompiled();
// Loaded only now, so that the cache has it.
const { serve } = await import("./serve.ts");
if (parentPort !== null) await serve(parentPort, workerData as JupyterWorkerData);
