/** Restarts a node run with a new attempt that is served nothing of the earlier ones. */
import { noUsage } from "../../usage.ts";
import type { NodeRun } from "../snapshot/snapshot.ts";

export function restartNodeRun(run: NodeRun): NodeRun {
  const attempt = run.attempt + 1;
  return {
    ...run,
    status: "ready",
    attempt,
    reason: "resume",
    sessionFrom: attempt,
    feedback: undefined,
    notBefore: undefined,
    asks: undefined,
    inbox: undefined,
    made: undefined,
    repairs: 0,
    errors: 0,
    retries: {},
    usage: noUsage,
    activeMs: 0,
  };
}
