/** Asks a model one short question, to see whether it answers. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { systemClock } from "../../clock.ts";
import type { Failure } from "../../failure.ts";
import { readFault } from "./call-fault.ts";
import type { ModelHandle } from "./model-handle.ts";

/** One short call; times in milliseconds, tokens where the provider counts them. */
export interface ModelTrial {
  readonly text: string;
  readonly ms: number;
  /** Until the first piece of text; absent where none came. */
  readonly firstTextMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Absent where it answered. */
  readonly failure?: Failure;
}

const QUESTION = "Answer with one word: are you there?";
const OUTPUT_TOKENS_MAX = 32;
const TIME_MAX_MS = 60_000;

/** Asks once: nothing is repeated, and after a minute the call is given up. */
export async function tryModel(handle: ModelHandle): Promise<ModelTrial> {
  const began = systemClock.now();
  const seen: { text: string; firstTextMs?: number; usage?: LanguageModelV4Usage } = { text: "" };
  const ended = () => ({
    text: seen.text,
    ms: systemClock.now() - began,
    ...(seen.firstTextMs === undefined ? {} : { firstTextMs: seen.firstTextMs }),
    ...countsOf(seen.usage),
  });
  try {
    const { stream } = await handle.model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: QUESTION }] }],
      maxOutputTokens: OUTPUT_TOKENS_MAX,
      abortSignal: AbortSignal.timeout(TIME_MAX_MS),
    });
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "finish") seen.usage = part.usage;
      if (part.type !== "text-delta") continue;
      seen.firstTextMs ??= systemClock.now() - began;
      seen.text += part.delta;
    }
    return ended();
  } catch (thrown) {
    return { ...ended(), failure: readFault(thrown, handle, systemClock.now()).failure };
  }
}

function countsOf(
  usage: LanguageModelV4Usage | undefined,
): Pick<ModelTrial, "inputTokens" | "outputTokens"> {
  const [inputTokens, outputTokens] = [usage?.inputTokens.total, usage?.outputTokens.total];
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}
