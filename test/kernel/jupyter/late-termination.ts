/** A main thread that has left its loop when the termination comes: what it is told next must reach it all the same. */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { terminateMain } from "../../../kernel/jupyter/execution/terminate-main.ts";

const TIMES = 50;

if (isMainThread) listen();
else await tell();

function listen(): void {
  const heard: number[] = [];
  const worker = new Worker(new URL(import.meta.url));
  worker.on("message", (message: "ping" | number) => {
    if (message === "ping") return;
    heard.push(message);
    worker.postMessage(message);
  });
  worker.on("exit", () => process.stdout.write(`heard ${new Set(heard).size}\n`));
}

async function tell(): Promise<void> {
  for (let count = 1; count <= TIMES; count += 1) {
    await terminateMain(() => parentPort?.postMessage("ping"));
    const answered = new Promise((resolve) => parentPort?.once("message", resolve));
    parentPort?.postMessage(count);
    await answered;
  }
}
