/** Adds up what calls spent. `costUsd` is null as soon as one part has no known price: unknown is never 0. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Of the input: what the provider wrote into its cache, where it says so. */
  readonly cacheWriteTokens?: number;
  readonly costUsd: number | null;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  const written = (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    modelCalls: a.modelCalls + b.modelCalls,
    toolCalls: a.toolCalls + b.toolCalls,
  };
}

/**
 * Returns the charge of a call: itself, also for one that failed without a usage; a strong agent reports its number of
 * calls.
 */
export function chargeOf({
  effect,
  served,
  isNoTurn,
  usage = noUsage,
}: {
  readonly effect: string;
  /** Paid for in another run. */
  readonly served?: unknown;
  readonly isNoTurn?: true | undefined;
  readonly usage?: Usage;
}): Usage {
  if (served !== undefined) return noUsage;
  if (effect === "controller") return usage;
  return {
    ...usage,
    modelCalls: effect === "model" && isNoTurn !== true ? 1 : 0,
    toolCalls: effect === "tool" ? 1 : 0,
  };
}
