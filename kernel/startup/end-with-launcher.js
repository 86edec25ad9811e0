/** Ends a process in order, as SIGTERM does, when the launcher that started it with `node --import` was killed. */
import { isMainThread } from "node:worker_threads";
import { systemView, watchParent } from "./parent-watch.js";

// The launcher is the parent; whose terminal or notebook it was started from is its own affair.
if (isMainThread)
  watchParent(() => process.kill(process.pid, "SIGTERM"), { ...systemView(), frontEnd: undefined });
