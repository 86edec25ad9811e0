/** One half of the simulation, in a thread of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { simulate } from "./simulate.ts";

parentPort?.postMessage(simulate(workerData as { from: number; to: number }));
