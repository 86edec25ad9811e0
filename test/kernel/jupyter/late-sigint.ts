/** A cell that ends between worker 1's look at its phase and the SIGINT that worker 1 sends for it. */
import { Worker } from "node:worker_threads";
import { callInterruptibly } from "../../../kernel/cells/run-script.ts";
import { Phase, Pulse } from "../../../kernel/jupyter/link.ts";
import { takeInterrupt } from "../../../kernel/jupyter/main/start.ts";

const pulse = new Int32Array(new SharedArrayBuffer(Pulse.length * Int32Array.BYTES_PER_ELEMENT));
const link = {
  phase: (value: number) => void Atomics.store(pulse, Pulse.phase, value),
  takeInterrupt: () => takeInterrupt(pulse),
};
const sender = `const { workerData } = require("node:worker_threads");
Atomics.wait(workerData, ${Pulse.phase}, ${Phase.idle});
process.kill(process.pid, "SIGINT");`;
const worker = new Worker(sender, { eval: true, workerData: pulse });
worker.once("online", () => {
  process.stdout.write(`${ending()}\n`);
  process.stdout.write(`next: ${callInterruptibly(() => 42, link)}\n`);
});

function ending(): string {
  try {
    callInterruptibly(() => {
      Atomics.store(pulse, Pulse.phase, Phase.interrupting);
      Atomics.notify(pulse, Pulse.phase);
    }, link);
    return "ended";
  } catch (thrown) {
    return String(thrown);
  }
}
