/** Makes the document about a run in a list, as `madrigal runs --json` and the HTTP server have it. */
import type { RunSummary } from "../../../runtime/index.ts";
import { isLost } from "./run-facts.ts";

/** `expiresAt` is when the first of its questions is closed by time, in milliseconds since the epoch. */
export function summaryJson(
  run: RunSummary & { readonly expiresAt?: number },
): Record<string, unknown> {
  const { usage, reason, owner, error, expiresAt } = run;
  return {
    run_id: run.runId,
    thread_id: run.threadId,
    graph: run.graph,
    graph_hash: run.graphHash,
    status: run.status,
    reason: reason ?? null,
    created_at: new Date(run.createdAt).toISOString(),
    updated_at: new Date(run.updatedAt).toISOString(),
    steps: run.steps,
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    cost_usd: usage.costUsd,
    owner: owner ?? null,
    lost: isLost(run),
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
    ...(error === undefined ? {} : { error }),
  };
}
