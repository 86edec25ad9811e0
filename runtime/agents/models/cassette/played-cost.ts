/** Carries the cost of a recorded answer through the stream in which it is played. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

type FinishPart = LanguageModelV4StreamPart & { type: "finish" };

/** The key of the end's metadata under which the cost stands. */
const PLAYED = "madrigal.cassette";

/** The end of a played answer, with what it cost when it was recorded, in US dollars. */
export function withPlayedCost(finish: FinishPart, costUsd: number | null): FinishPart {
  return { ...finish, providerMetadata: { ...finish.providerMetadata, [PLAYED]: { costUsd } } };
}

/** The cost of an answer that was played; undefined where a model was asked. */
export function playedCost({
  providerMetadata,
}: FinishPart): { readonly costUsd: number | null } | undefined {
  const played = providerMetadata?.[PLAYED];
  if (played === undefined) return undefined;
  return { costUsd: typeof played.costUsd === "number" ? played.costUsd : null };
}
