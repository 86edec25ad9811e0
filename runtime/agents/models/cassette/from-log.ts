/** Makes a cassette of the log of a run: each model call of which the log has the whole request. */
import { writeFileSync } from "node:fs";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { NodeIr } from "../../../../dsl/index.ts";
import { messageOf, RunError } from "../../../failure.ts";
import { changedBy, unchangedBy } from "../../../intercept/interception.ts";
import type { ConversationMessage } from "../../../messages/message.ts";
import type { EffectResult } from "../../../performer.ts";
import type { IntentRecord, OutcomeRecord } from "../../../records/call-records.ts";
import { innermost, type LogRecord } from "../../../records/records.ts";
import type { Usage } from "../../../usage.ts";
import { lastSummary, reduced, turnsOf } from "../../conversation/history.ts";
import { type ModelRequest, userMessage } from "../../conversation/messages.ts";
import { piecesFor, shownHistory, withBeginning } from "../../conversation/summarize.ts";
import type { ModelStep, ToolCall } from "../model-step.ts";
import { withChanges } from "../seen-call.ts";
import type { StepPart } from "../step-parts.ts";
import { CASSETTE_VERSION, type CassetteCall, lineOf } from "./cassette-call.ts";
import { packParts } from "./packed-parts.ts";
import { type HideSecrets, keyOfRequest, plainRequest } from "./plain-request.ts";

export interface LoggedCalls {
  readonly calls: readonly CassetteCall[];
  /** The nodes with calls whose requests the log has only in part, since they show a shortened conversation. */
  readonly leftOut: readonly string[];
}

/** The memory of an attempt when it begins, as the log has it. */
export interface LoggedMemory {
  readonly node: Pick<NodeIr, "name" | "history">;
  /** The earlier conversations, oldest first, then that of the node run itself. */
  readonly talks: readonly (readonly EffectResult[])[];
  readonly session: readonly EffectResult[];
  /** The conversation of the field that the node's `history` names. */
  readonly conversation?: readonly ConversationMessage[];
}

/** Returns the memory of the attempt that makes a call; undefined where the log does not say it. */
export type MemoryOfCall = (intent: IntentRecord) => LoggedMemory | undefined;

/** The calls of a log, those of called graphs too, in the order in which they were asked. */
export function callsOfLog(
  records: readonly LogRecord[],
  { hide, memoryOf }: { readonly hide: HideSecrets; readonly memoryOf: MemoryOfCall },
): LoggedCalls {
  const outcomes = new Map<string, OutcomeRecord>();
  for (const record of records.map(innermost))
    if (record.kind === "outcome") outcomes.set(callKey(record), record);
  const around = { conversations: new Map(), summarized: new Set<number>(), outcomes, memoryOf };
  const numbers = new Map<string, number>();
  const calls: CassetteCall[] = [];
  const leftOut = new Set<string>();
  for (const record of records) {
    const intent = innermost(record);
    if (intent.kind !== "intent" || intent.effect !== "model") continue;
    const outcome = outcomes.get(callKey(intent));
    const call = nextCall(intent, around);
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
    const at = new Date(record.at).toISOString();
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
  /** The earlier conversations that stand behind the system's message; undefined where the log does not have them. */
  readonly history: readonly LanguageModelV4Message[] | undefined;
}

interface LoggedAround {
  readonly conversations: Map<string, LoggedConversation>;
  readonly outcomes: ReadonlyMap<string, OutcomeRecord>;
  readonly memoryOf: MemoryOfCall;
  /** The node runs that have a summary of their own conversation, and show that from then on. */
  readonly summarized: Set<number>;
}

/** The request of a call; undefined where the log does not have all that its model saw. */
function nextCall(
  intent: IntentRecord,
  around: LoggedAround,
): LanguageModelV4CallOptions | undefined {
  const { id, attempt, call, steers = [], intercepted = [] } = intent;
  const { conversations, outcomes, summarized } = around;
  const request = intent.request as ModelRequest;
  const { purpose = "", shaped, compacted } = request;
  const name = `${id} ${attempt} ${purpose}`;
  const before = request.from === 0 ? undefined : conversations.get(name);
  const steering = steers.map(({ payload }) => userMessage(String(payload)));
  const own = [...(before?.messages.slice(0, request.from) ?? []), ...request.messages];
  const first = before?.first ?? request;
  const history = before === undefined ? historyOf(intent, around) : before.history;
  conversations.set(name, { messages: [...own, ...steering], first, history });
  if (request.covers !== undefined) summarized.add(id);
  const isShortened = purpose === "" && summarized.has(id);
  if (history === undefined || shaped !== undefined || compacted !== undefined || isShortened)
    return undefined;
  const { tools = [], output } = first;
  const { stopSequences, ...settings } = (first.settings ?? {}) as {
    readonly stopSequences?: string[];
  };
  const shown = outcomes.get(callKey({ id, attempt, call: call - 1 }));
  const messages = isContext(shown)
    ? (shown.value as LanguageModelV4Message[])
    : [...own.slice(0, 1), ...history, ...own.slice(1)];
  const asked: LanguageModelV4CallOptions = {
    ...settings,
    // A judge takes none.
    ...(stopSequences === undefined || purpose === "judge" ? {} : { stopSequences }),
    prompt: messages,
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
  const seen = { messages, settings: first.settings ?? {}, headers: {} };
  const made = withChanges(asked, changedBy(seen, intercepted));
  return { ...made, prompt: [...made.prompt, ...steering] };
}

/** Restores the earlier conversations that a call shows; undefined where they are not those that the log counts. */
function historyOf(
  intent: IntentRecord,
  { memoryOf }: LoggedAround,
): readonly LanguageModelV4Message[] | undefined {
  const { history } = intent.request as ModelRequest;
  if (history === undefined) return [];
  const memory = memoryOf(intent);
  if (memory === undefined) return undefined;
  const { node, talks, session, conversation } = memory;
  const size = node.history?.size;
  const callsTools = ((intent.request as ModelRequest).tools ?? []).length > 0;
  const viewer = { agent: node.name, tools: [], callsTools };
  const turns = conversation === undefined ? turnsOf(talks) : piecesFor(conversation, size, viewer);
  const { kept, dropped } = reduced(turns, size);
  const summary = history.summarized === true ? lastSummary([...talks, session]) : undefined;
  const messages = withBeginning(shownHistory(kept, summary?.text), dropped);
  return messages.length === history.messages ? messages : undefined;
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
  { value, failure, usage, price, durationMs, firstTokenMs, intercepted = [] }: OutcomeRecord,
  hide: HideSecrets,
): Partial<CassetteCall> {
  if (failure !== undefined) {
    const { stack: _, ...kept } = failure;
    return { failure: kept };
  }
  // It is what the model said: an interceptor changes it again in a replay.
  const step = { ...(value as ModelStep), ...unchangedBy(Object(value), intercepted) };
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
