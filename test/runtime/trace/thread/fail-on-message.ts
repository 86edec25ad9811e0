/** Throws an error that nothing catches in the thread that imports it, when a message comes on the channel of its first argument. */
import { BroadcastChannel } from "node:worker_threads";

const channel = new BroadcastChannel(process.argv[2] ?? "");
channel.onmessage = () => {
  throw new Error("the test ends this thread");
};
channel.unref();
