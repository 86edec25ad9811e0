/** Makes a cassette of the log of a run: each model call of which the log has the whole request. */
import { writeFileSync } from "node:fs";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { messageOf, RunError } from "../../../failure.ts";
import type { IntentRecord, OutcomeRecord } from "../../../records/call-records.ts";
import type { LogRecord } from "../../../records/records.ts";
import type { Usage } from "../../../usage.ts";
import { type ModelRequest, userMessage } from "../../conversation/messages.ts";
import type { ModelStep, ToolCall } from "../model-step.ts";
import type { StepPart } from "../step-parts.ts";
import { CASSETTE_VERSION, type CassetteCall, lineOf } from "./cassette-call.ts";
import { packParts } from "./packed-parts.ts";
import { type HideSecrets, keyOfRequest, plainRequest } from "./plain-request.ts";

export interface LoggedCalls {
  readonly calls: readonly CassetteCall[];
  /** The nodes with calls whose requests the log has only in part, since they show an earlier conversation or a shortened one. */
  readonly leftOut: readonly string[];
}

/** The calls of a log, in the order in which they were asked. */
export function callsOfLog(records: readonly LogRecord[], hide: HideSecrets): LoggedCalls {
  const outcomes = new Map<string, OutcomeRecord>();
  for (const record of records)
    if (record.kind === "outcome") outcomes.set(callKey(record), record);
  const conversations = new Map<string, LoggedConversation>();
  const numbers = new Map<string, number>();
  const calls: CassetteCall[] = [];
  const leftOut = new Set<string>();
  for (const intent of records) {
    if (intent.kind !== "intent" || intent.effect !== "model") continue;
    const outcome = outcomes.get(callKey(intent));
    const call = nextCall(intent, { conversations, outcomes });
    if (outcome === undefined || !isAnswer(outcome)) continue;
    if (call === undefined) {
      leftOut.add(intent.node);
      continue;
    }
    const request = plainRequest(call, hide);
    const key = keyOfRequest(request);
    const n = numbers.get(key) ?? 0;
    numbers.set(key, n + 1);
    const head = { v: CASSETTE_VERSION, key, n, model: outcome.name } as const;
    const at = new Date(intent.at).toISOString();
    const origin = outcome.modelSource ?? intent.modelSource ?? "live";
    calls.push({ ...head, origin, at, request, ...answerOf(outcome, hide) });
  }
  return { calls, leftOut: [...leftOut] };
}

/** Writes calls as a file of their own, in the place of one that is there. Throws M8163. */
export function writeCassette(path: string, calls: readonly CassetteCall[]): void {
  try {
    writeFileSync(path, calls.map(lineOf).join(""));
  } catch (cause) {
    throw notWritten(path, cause);
  }
}

function notWritten(path: string, cause: unknown): RunError {
  return new RunError("M8163", `the cassette ${path} can't be written: ${messageOf(cause)}`, {
    hint: "check that there is room and that you may write to it",
    cause,
  });
}

function callKey({ id, attempt, call }: Pick<IntentRecord, "id" | "attempt" | "call">): string {
  return `${id} ${attempt} ${call}`;
}

// ── requests ────────────────────────────────────────────────────────────────────────────────────

/** The requests of an attempt so far: each adds to the messages of the one before. */
interface LoggedConversation {
  readonly messages: readonly LanguageModelV4Message[];
  readonly first: ModelRequest;
}

/** The request of a call; undefined where the log does not have all that its model saw. */
function nextCall(
  intent: IntentRecord,
  {
    conversations,
    outcomes,
  }: {
    readonly conversations: Map<string, LoggedConversation>;
    readonly outcomes: ReadonlyMap<string, OutcomeRecord>;
  },
): LanguageModelV4CallOptions | undefined {
  const { id, attempt, call, steers = [] } = intent;
  const request = intent.request as ModelRequest;
  const name = `${id} ${attempt} ${request.purpose ?? ""}`;
  const before = request.from === 0 ? undefined : conversations.get(name);
  const steering = steers.map(({ payload }) => userMessage(String(payload)));
  const messages = [
    ...(before?.messages.slice(0, request.from) ?? []),
    ...request.messages,
    ...steering,
  ];
  const first = before?.first ?? request;
  conversations.set(name, { messages, first });
  if (first.history !== undefined || request.shaped !== undefined) return undefined;
  const { tools = [], output } = first;
  const { stopSequences, ...settings } = (first.settings ?? {}) as {
    readonly stopSequences?: string[];
  };
  const shown = outcomes.get(callKey({ id, attempt, call: call - 1 }));
  return {
    ...settings,
    // A judge takes none.
    ...(stopSequences === undefined || request.purpose === "judge" ? {} : { stopSequences }),
    prompt: isContext(shown)
      ? [...(shown.value as LanguageModelV4Message[]), ...steering]
      : messages,
    ...(output === undefined
      ? {}
      : { responseFormat: { type: "json", schema: output as { type: "object" } } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: "function" as const,
            name,
            ...(description === undefined ? {} : { description }),
            inputSchema: input as { type: "object" },
          })),
        }),
  };
}

/** Returns whether a call gave the messages that the next one shows. */
function isContext(outcome: OutcomeRecord | undefined): outcome is OutcomeRecord {
  const { effect, value } = outcome ?? {};
  return (
    effect === "function" && Array.isArray(value) && value.every((one) => "role" in Object(one))
  );
}

// ── answers ─────────────────────────────────────────────────────────────────────────────────────

/** A lost connection is none: another try may be answered. */
function isAnswer({ value, failure }: OutcomeRecord): boolean {
  if (failure === undefined) return value !== undefined;
  return failure.class === "model" && failure.code !== "M8104";
}

function answerOf(
  { value, failure, usage, price, durationMs, firstTokenMs }: OutcomeRecord,
  hide: HideSecrets,
): Partial<CassetteCall> {
  if (failure !== undefined) {
    const { stack: _, ...kept } = failure;
    return { failure: kept };
  }
  const step = value as ModelStep;
  const first = firstTokenMs === undefined ? {} : { firstMs: firstTokenMs };
  return {
    parts: packParts(partsOf(step), hide),
    finish: { unified: step.finish as "stop", raw: step.stopReason },
    ...(price === undefined ? {} : { price }),
    ...(usage === undefined ? {} : { usage: usageOf(usage), costUsd: usage.costUsd }),
    timings: { ...first, totalMs: durationMs },
  };
}

function partsOf(step: ModelStep): LanguageModelV4StreamPart[] {
  const { text, reasoning = "", toolCalls, model } = step;
  const whole = [
    ...blockOf({ type: "reasoning", text: reasoning }),
    ...blockOf({ type: "text", text }),
    ...toolCalls.map(callPart),
  ];
  return [
    { type: "stream-start", warnings: [] },
    ...(model === undefined ? [] : [{ type: "response-metadata", modelId: model } as const]),
    ...(step.parts?.flatMap((part, index) => stepPart(part, step, `${index}`)) ?? whole),
  ];
}

function stepPart(part: StepPart, step: ModelStep, id: string): LanguageModelV4StreamPart[] {
  if (part.type === "tool-call")
    return step.toolCalls.filter((call) => call.id === part.id).map(callPart);
  const { type, metadata } = part;
  const text = part.text ?? (type === "text" ? step.text : step.reasoning) ?? "";
  return blockOf({ type, text, id, metadata });
}

function callPart({ id, name, input, metadata }: ToolCall): LanguageModelV4StreamPart {
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: typeof input === "string" ? input : JSON.stringify(input),
    ...providerData(metadata),
  };
}

interface AnswerBlock {
  readonly type: "text" | "reasoning";
  readonly text: string;
  readonly id?: string;
  readonly metadata?: unknown;
}

function blockOf({ type, text, id = type, metadata }: AnswerBlock): LanguageModelV4StreamPart[] {
  if (text === "" && metadata === undefined) return [];
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, ...providerData(metadata) },
  ];
}

// It came from a provider as just this.
function providerData(metadata: unknown) {
  return metadata === undefined ? {} : { providerMetadata: metadata as SharedV4ProviderMetadata };
}

function usageOf(usage: Usage): LanguageModelV4Usage {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage;
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens - cachedTokens,
      cacheRead: cachedTokens,
      cacheWrite: usage.cacheWriteTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens - reasoningTokens,
      reasoning: reasoningTokens,
    },
  };
}
