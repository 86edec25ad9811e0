// Imported by what a launcher starts (`node --import`): ends it in order, as SIGTERM does, when the launcher was killed.
import { isMainThread } from "node:worker_threads";
import { systemView, watchParent } from "./parent-watch.js";

// The launcher is the parent; whose terminal or notebook it was started from is its own affair.
if (isMainThread)
  watchParent(() => process.kill(process.pid, "SIGTERM"), { ...systemView(), frontEnd: undefined });
