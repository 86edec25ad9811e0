/** A node run that begins anew: another attempt, which is served nothing of what the ones before it came to. */
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
