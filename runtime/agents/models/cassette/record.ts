/** Asks a model and records what it answers. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { mapTexts } from "../../../redaction/redact.ts";
import { readFault } from "../call-fault.ts";
import type { ModelHandle } from "../model-handle.ts";
import { costOf } from "../prices.ts";
import { CASSETTE_VERSION, type CassetteCall } from "./cassette-call.ts";
import { packParts } from "./packed-parts.ts";
import { keyOfRequest, type PlainRequest, plainRequest } from "./plain-request.ts";
import { type CassetteTape, generatedFrom, notRecorded, partsOfCall } from "./play.ts";
import { playedCost } from "./played-cost.ts";

/** A model that asks `of` each time and records its answers. */
export function recordingModel(of: ModelHandle, tape: CassetteTape): LanguageModelV4 {
  return streamingModel(of.model, async (call) => {
    const request = plainRequest(call, tape.hide);
    return await askAndRecord(call, { of, tape, request, anew: true });
  });
}

/** A model that answers what was recorded, and asks `of` for the rest and records it; without `of`, that is M8160. */
export function fillingModel(of: ModelHandle | undefined, tape: CassetteTape): LanguageModelV4 {
  const named = of?.model ?? { provider: "madrigal", modelId: tape.id, supportedUrls: {} };
  return streamingModel(named, async (call) => {
    const request = plainRequest(call, tape.hide);
    const { file, model } = tape;
    const found = file.nextAnswer(keyOfRequest(request), { model, again: false });
    if (found !== undefined) return { stream: ReadableStream.from(partsOfCall(found.call)) };
    if (of === undefined) throw notRecorded(request, tape);
    return await askAndRecord(call, { of, tape, request, anew: false });
  });
}

function streamingModel(
  {
    provider,
    modelId,
    supportedUrls,
  }: Pick<LanguageModelV4, "provider" | "modelId" | "supportedUrls">,
  doStream: (call: LanguageModelV4CallOptions) => Promise<LanguageModelV4StreamResult>,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls,
    doStream,
    doGenerate: async (call) => {
      const parts: LanguageModelV4StreamPart[] = [];
      for await (const part of (await doStream(call)).stream) {
        if (part.type === "error") throw part.error;
        parts.push(part);
      }
      return generatedFrom(parts);
    },
  };
}

interface AnswerRecording {
  readonly of: ModelHandle;
  readonly tape: CassetteTape;
  readonly request: PlainRequest;
  /** Replaces the answers that the file has, instead of going on behind them. */
  readonly anew: boolean;
}

async function askAndRecord(
  call: LanguageModelV4CallOptions,
  { of, tape, request, anew }: AnswerRecording,
): Promise<LanguageModelV4StreamResult> {
  const key = keyOfRequest(request);
  const begun = performance.now();
  const at = new Date().toISOString();
  const n = tape.file.takeNumber(key, { anew });
  const head = {
    v: CASSETTE_VERSION,
    key,
    n,
    model: of.id,
    origin: of.source,
    at,
    request,
  } as const;
  const fail = (thrown: unknown) => {
    if (call.abortSignal?.aborted !== true) recordFailure(thrown, head, { of, tape });
  };
  const stream = await streamOf(of.model, call, fail);
  const parts: LanguageModelV4StreamPart[] = [];
  let firstMs: number | undefined;
  const note = (part: LanguageModelV4StreamPart) => {
    if (part.type !== "stream-start") firstMs ??= since(begun);
    if (part.type === "error") fail(part.error);
    if (part.type !== "finish") {
      parts.push(part);
      return;
    }
    // The run goes on with what has been recorded.
    const { finishReason, providerMetadata, usage } = part;
    if (finishReason.unified === "interrupted") return;
    const timings = { ...(firstMs === undefined ? {} : { firstMs }), totalMs: since(begun) };
    tape.file.append({
      ...head,
      parts: packParts(parts, tape.hide),
      finish: finishReason,
      ...(providerMetadata === undefined
        ? {}
        : { finishMetadata: mapTexts(providerMetadata, tape.hide) }),
      usage,
      ...(of.price === undefined ? {} : { price: of.price }),
      costUsd: playedCost(part)?.costUsd ?? costOfUsage(usage, of),
      timings,
    });
  };
  const tap = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform: (part, controller) => {
      note(part);
      controller.enqueue(part);
    },
  });
  return { stream: stream.pipeThrough(tap) };
}

async function streamOf(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  fail: (thrown: unknown) => void,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  try {
    const { stream } = await model.doStream(call);
    return stream;
  } catch (thrown) {
    fail(thrown);
    throw thrown;
  }
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}

/** Failures that another try may not meet are no answer: a lost connection, a wrong key, an empty purse. */
function recordFailure(
  thrown: unknown,
  head: Omit<CassetteCall, "failure">,
  { of, tape }: Pick<AnswerRecording, "of" | "tape">,
): void {
  const { failure, again } = readFault(thrown, of, Date.now());
  if (again || failure.code === "M8104" || /quota|billing/i.test(failure.message)) return;
  const { stack: _, ...kept } = failure;
  tape.file.append({ ...head, failure: mapTexts(kept, tape.hide) });
}

function costOfUsage(
  { inputTokens, outputTokens }: LanguageModelV4Usage,
  of: ModelHandle,
): number | null {
  const { total: input, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { total: output } = outputTokens;
  if (input === undefined || output === undefined) return null;
  const counted = {
    inputTokens: input,
    outputTokens: output,
    cachedTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  };
  return costOf(counted, of.price);
}
