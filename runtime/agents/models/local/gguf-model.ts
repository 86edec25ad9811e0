/** Asks a GGUF model as the AI SDK does: streams its answer, forces its form, counts its tokens. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { TokenCounts } from "../model-handle.ts";
import { answerForm } from "./answer-form.ts";
import { AnswerReader } from "./answer-reader.ts";
import { chatTurns } from "./chat-turns.ts";
import type { LlamaAsk, LlamaPlace, LlamaUsage } from "./llama-messages.ts";
import { askLlama, countByLlama, type LlamaAnswer } from "./llama-process.ts";
import { localFailure } from "./local-failure.ts";

/** A model as people named it, and what its calls need to have loaded. */
export interface GgufModel {
  /** The id in programs, for errors. */
  readonly id: string;
  readonly modelId: string;
  readonly place: LlamaPlace;
}

/** Makes the model; its process is started and its file loaded with the first call. */
export function ggufModel(named: GgufModel): LanguageModelV4 {
  const { modelId } = named;
  const answered = (
    call: LanguageModelV4CallOptions,
    hear: (part: LanguageModelV4StreamPart) => void,
  ) => answer(named, call, hear);
  return {
    specificationVersion: "v4",
    provider: "gguf",
    modelId,
    supportedUrls: {},
    doGenerate: async (call) => {
      const parts: LanguageModelV4StreamPart[] = [];
      const { finishReason, usage, warnings } = await answered(call, (part) => parts.push(part));
      return { content: contentOf(parts), finishReason, usage, warnings };
    },
    doStream: async (call) => {
      const stopping = new AbortController();
      const signals = [
        stopping.signal,
        ...(call.abortSignal === undefined ? [] : [call.abortSignal]),
      ];
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => {
          const abortSignal = AbortSignal.any(signals);
          answered({ ...call, abortSignal }, (part) => controller.enqueue(part)).then(
            () => controller.close(),
            (thrown: unknown) => controller.error(thrown),
          );
        },
        cancel: (reason) => stopping.abort(reason),
      });
      return { stream };
    },
  };
}

/** Counts texts by the vocabulary of the file, whose metadata say how many tokens the model can read. */
export async function countTokens(
  { id, place }: GgufModel,
  texts: readonly string[],
): Promise<TokenCounts> {
  try {
    const { tokens, contextSize } = await countByLlama({ place, texts });
    return { tokens, contextTokens: contextSize };
  } catch (thrown) {
    throw localFailure(thrown, id, place);
  }
}

async function answer(
  { id, modelId, place }: GgufModel,
  call: LanguageModelV4CallOptions,
  hear: (part: LanguageModelV4StreamPart) => void,
) {
  const form = answerForm(call);
  const warnings: SharedV4Warning[] = form.ignored.map((keyword) => ({
    type: "unsupported",
    feature: `\`${keyword}\` of a JSON schema`,
    details: "the grammar does not hold the model to it",
  }));
  hear({ type: "stream-start", warnings });
  hear({ type: "response-metadata", modelId });
  const reader = new AnswerReader(form.tools);
  const ask: LlamaAsk = {
    place,
    turns: chatTurns(call.prompt, form.instruction),
    ...(form.grammar === undefined ? {} : { grammar: form.grammar }),
    ...settingsOf(call),
  };
  const given = await askLlama(
    ask,
    {
      text: (text) => reader.write(text).forEach(hear),
      thought: (text) => hear({ type: "reasoning-delta", id: "thought", delta: text }),
    },
    call.abortSignal,
  ).catch((thrown: unknown) => {
    throw localFailure(thrown, id, place);
  });
  const { parts, isCall } = reader.end();
  parts.forEach(hear);
  const end = { finishReason: finishOf(given, isCall), usage: usageOf(given.usage) };
  hear({ type: "finish", ...end });
  return { ...end, warnings };
}

const SETTINGS = [
  "maxOutputTokens",
  "temperature",
  "topP",
  "topK",
  "seed",
  "presencePenalty",
  "frequencyPenalty",
  "stopSequences",
] as const;

function settingsOf(call: LanguageModelV4CallOptions): Pick<LlamaAsk, (typeof SETTINGS)[number]> {
  const given = SETTINGS.filter((name) => call[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, call[name]]));
}

function finishOf({ isCutOff }: LlamaAnswer, isCall: boolean): LanguageModelV4FinishReason {
  if (isCall) return { unified: "tool-calls", raw: undefined };
  return { unified: isCutOff ? "length" : "stop", raw: undefined };
}

function usageOf({ inputTokens, cachedTokens, outputTokens }: LlamaUsage): LanguageModelV4Usage {
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens - cachedTokens,
      cacheRead: cachedTokens,
      cacheWrite: undefined,
    },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
  };
}

function contentOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4Content[] {
  const calls = parts.filter((part) => part.type === "tool-call");
  if (calls.length > 0) return calls;
  const pieces = parts.flatMap((part) => (part.type === "text-delta" ? part.delta : []));
  return [{ type: "text", text: pieces.join("") }];
}
