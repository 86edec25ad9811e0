/** Runs worker 1: the Jupyter protocol, alive whatever the main thread does. Started by main/start.ts, never imported. */
import { parentPort, workerData } from "node:worker_threads";
import type { JupyterWorkerData } from "./link.ts";
import { serve } from "./serve.ts";

if (parentPort !== null) await serve(parentPort, workerData as JupyterWorkerData);
