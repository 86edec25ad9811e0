/** Reads one answer of a model from its stream: text, tool calls, usage. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Cancellation } from "../../cancellation.ts";
import type { SleepClock } from "../../clock.ts";
import type { CallIdentity, EffectOutcome } from "../../performer.ts";
import { noUsage, type Usage } from "../../usage.ts";
import { hasMedia, inputTokens } from "../conversation/tokens.ts";
import { type Json, toJson } from "../values/json.ts";
import { StreamFault } from "./call-fault.ts";
import { playedCost } from "./cassette/played-cost.ts";
import { hearAnswer } from "./heard-model.ts";
import type { ModelHandle } from "./model-handle.ts";
import { originOf, ownParts } from "./origin.ts";
import { costOf, heldPrice } from "./prices.ts";
import { type RepeatOptions, repeatCall } from "./repeat.ts";
import { heardInTime, type SilenceLimits } from "./silence.ts";
import { DraftParts, type StepPart } from "./step-parts.ts";

/** The answer of a model to one call, as the log has it. */
export interface ModelStep {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** `stop`, `tool-calls`, `length`, `content-filter`, … as the AI SDK names them. */
  readonly finish: string;
  /** The provider's own word for the end of an answer that it stopped: `SAFETY`, `refusal`. */
  readonly stopReason?: string;
  readonly reasoning?: string;
  /** The parts of the answer in order, where its provider must get data of them back unchanged. */
  readonly parts?: readonly StepPart[];
  /** The model and address that made that data: nobody else is sent it. */
  readonly origin?: string;
  /** The exact model that the provider says answered. */
  readonly model?: string;
  /** The settings of the call that the provider could not honour. */
  readonly warnings?: readonly string[];
  /** The tokens of the input that the provider has counted, by those that were estimated. */
  readonly scale?: number;
}

/** A call that a model asks for. `input` is its arguments, or the text itself when that is not JSON. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  /** The model's opinion on whether somebody should be asked before. */
  readonly guess?: "never" | "always";
  /** The arguments were not JSON. */
  readonly broken?: true;
  /** Data of the provider that the next call must repeat, such as a signature. */
  readonly metadata?: Json;
  /** The reason that the model gives for it, where it was asked for one. */
  readonly explanation?: string;
}

/** With what a model is asked, and where its text goes as it comes. */
export type AskOptions = RepeatOptions & {
  readonly delta: (text: string) => void;
  /** Sent to live providers with the call and each of its repeats, as their own clients do. */
  readonly identity?: CallIdentity;
};

/** One call of a model, streamed and collected; a transport fault is repeated inside it. */
export async function askModel(
  call: LanguageModelV4CallOptions,
  options: AskOptions,
): Promise<EffectOutcome<ModelStep>> {
  const { handle, clock, cancellation, delta } = options;
  const { value, retries } = await repeatCall(options, () =>
    collect(handle, withSignal(withKey(sentTo(handle, call), options), cancellation), {
      clock,
      delta,
      limits: handle.settings ?? {},
    }),
  );
  const { played } = value;
  const usage = usageOf(value.usage, handle);
  const scale = scaleOf(handle, call, usage);
  return {
    value: scale === undefined ? value.step : { ...value.step, scale },
    // It costs what it cost when it was recorded, so that limits are reached at the same place.
    usage: played === undefined ? usage : { ...usage, costUsd: played.costUsd },
    ...(played === undefined ? {} : { modelSource: "cassette" as const }),
    ...(handle.price === undefined ? {} : { price: heldPrice(handle.price, usage.inputTokens) }),
    ...(retries === 0 ? {} : { transportRetries: retries }),
    ...(value.firstTokenMs === undefined ? {} : { firstTokenMs: value.firstTokenMs }),
  };
}

/**
 * Divides the tokens that the provider has counted by those that were estimated; undefined where nobody counts or nothing is
 * estimated. Media, which are estimated most coarsely, must not spoil the estimates of texts.
 */
function scaleOf(
  { source, tokenizer }: ModelHandle,
  call: LanguageModelV4CallOptions,
  usage: Usage,
): number | undefined {
  if ((source !== "live" && source !== "cassette") || tokenizer !== undefined) return undefined;
  if (usage.inputTokens === 0 || call.prompt.some(hasMedia)) return undefined;
  const scale = usage.inputTokens / inputTokens(call);
  return Number(Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale)).toPrecision(3));
}

/** A provider that counts a cached part of a prompt as nothing must not let the context grow without bounds. */
const SCALE_MIN = 0.5;
const SCALE_MAX = 4;

function sentTo(handle: ModelHandle, call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = ownParts(call.prompt, originOf(handle));
  return prompt === call.prompt ? call : { ...call, prompt };
}

function withKey(
  call: LanguageModelV4CallOptions,
  { handle, identity }: Pick<AskOptions, "handle" | "identity">,
): LanguageModelV4CallOptions {
  if (handle.source !== "live" || identity === undefined) return call;
  const headers = { ...call.headers, "Idempotency-Key": identity.idempotencyKey };
  return { ...call, headers };
}

/** Made for those who look at it: models of our own do not. */
function withSignal(
  call: LanguageModelV4CallOptions,
  cancellation: Cancellation,
): LanguageModelV4CallOptions {
  return {
    ...call,
    get abortSignal() {
      return cancellation.signal;
    },
  };
}

// ── one stream ──────────────────────────────────────────────────────────────────────────────────

interface Collected {
  readonly step: ModelStep;
  readonly usage: LanguageModelV4Usage | undefined;
  /** Of an answer from a cassette. */
  readonly played: { readonly costUsd: number | null } | undefined;
  readonly firstTokenMs?: number;
}

interface StepListener {
  readonly clock: SleepClock;
  readonly delta: (text: string) => void;
  readonly limits: SilenceLimits;
}

/** A step while its stream runs. */
interface ModelStepDraft {
  text: string;
  reasoning: string;
  parts: DraftParts;
  toolCalls: ToolCall[];
  warnings: string[];
  finish: LanguageModelV4FinishReason | undefined;
  usage: LanguageModelV4Usage | undefined;
  played: Collected["played"];
  model: string | undefined;
  firstTokenAt: number | undefined;
}

async function collect(
  handle: ModelHandle,
  call: LanguageModelV4CallOptions,
  { clock, delta, limits }: StepListener,
): Promise<Collected> {
  const startedAt = clock.now();
  const draft: ModelStepDraft = {
    text: "",
    reasoning: "",
    parts: new DraftParts(),
    toolCalls: [],
    warnings: [],
    finish: undefined,
    usage: undefined,
    played: undefined,
    model: undefined,
    firstTokenAt: undefined,
  };
  const hear = (part: LanguageModelV4StreamPart) => {
    if (isToken(part)) draft.firstTokenAt ??= clock.now();
    addPart(part, draft);
    if (part.type === "text-delta") delta(part.delta);
  };
  const { model } = handle;
  if (limits.firstTokenWithin === undefined && limits.nextTokenWithin === undefined) {
    const hearing = hearAnswer(model, call, hear);
    if (hearing !== undefined) await hearing;
  } else for await (const part of heardInTime(model, call, { clock, limits })) hear(part);
  if (draft.finish === undefined || draft.finish.unified === "interrupted") {
    throw new StreamFault("the stream ended before the answer did");
  }
  const { firstTokenAt, usage, played } = draft;
  const firstTokenMs = firstTokenAt === undefined ? {} : { firstTokenMs: firstTokenAt - startedAt };
  return { step: finished(draft, draft.finish, handle), usage, played, ...firstTokenMs };
}

function isToken({ type }: LanguageModelV4StreamPart): boolean {
  return (
    type === "text-delta" ||
    type === "reasoning-delta" ||
    type === "tool-input-start" ||
    type === "tool-call"
  );
}

// Parts that this version makes no use of (files, sources, raw chunks) are passed over.
function addPart(part: LanguageModelV4StreamPart, draft: ModelStepDraft): void {
  switch (part.type) {
    case "text-delta":
      draft.text += part.delta;
      draft.parts.add(part);
      return;
    case "reasoning-delta":
      draft.reasoning += part.delta;
      draft.parts.add(part);
      return;
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
      draft.parts.add(part);
      return;
    case "tool-call": {
      const call = toolCallOf(part, draft.toolCalls);
      draft.toolCalls.push(call);
      draft.parts.addCall(call);
      return;
    }
    case "stream-start":
      draft.warnings.push(...part.warnings.map(warningText));
      return;
    case "response-metadata":
      draft.model = part.modelId ?? draft.model;
      return;
    case "finish":
      draft.finish = part.finishReason;
      draft.usage = part.usage;
      draft.played = playedCost(part);
      return;
    case "error":
      throw part.error instanceof Error && "statusCode" in part.error
        ? part.error
        : new StreamFault("the stream broke", part.error);
    default:
      return;
  }
}

type ToolCallPart = LanguageModelV4StreamPart & { type: "tool-call" };

// Some servers give every call the same id or none; results are matched by it, so it is made unique.
function toolCallOf(part: ToolCallPart, before: readonly ToolCall[]): ToolCall {
  const taken = new Set(before.map(({ id }) => id));
  const id =
    part.toolCallId === "" || taken.has(part.toolCallId)
      ? `${part.toolCallId || "call"}#${before.length + 1}`
      : part.toolCallId;
  const { providerMetadata } = part;
  return {
    id,
    name: part.toolName,
    ...inputOf(part.input),
    ...(providerMetadata === undefined ? {} : { metadata: toJson(providerMetadata).value }),
  };
}

function inputOf(text: string): { readonly input: Json; readonly broken?: true } {
  if (text.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch {
    return { input: text, broken: true };
  }
}

function warningText(warning: { readonly type: string } & object): string {
  const words = Object.values(warning).filter((value) => typeof value === "string");
  return words.join(": ");
}

/** The ends that say all by themselves. */
const ORDERLY = new Set<string>(["stop", "tool-calls", "length"]);

function finished(
  draft: ModelStepDraft,
  { unified: finish, raw }: LanguageModelV4FinishReason,
  handle: ModelHandle,
): ModelStep {
  const { text, toolCalls, reasoning, model, warnings } = draft;
  const parts = draft.parts.kept();
  return {
    text,
    toolCalls,
    finish,
    ...(raw === undefined || ORDERLY.has(finish) ? {} : { stopReason: raw }),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(parts === undefined ? {} : { parts, origin: originOf(handle) }),
    ...(model === undefined ? {} : { model }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

// ── usage ───────────────────────────────────────────────────────────────────────────────────────

function usageOf(usage: LanguageModelV4Usage | undefined, handle: ModelHandle): Usage {
  const { inputTokens, outputTokens } = usage ?? {};
  const written = inputTokens?.cacheWrite ?? 0;
  const counted = {
    inputTokens: inputTokens?.total ?? 0,
    outputTokens: outputTokens?.total ?? 0,
    cachedTokens: inputTokens?.cacheRead ?? 0,
    reasoningTokens: outputTokens?.reasoning ?? 0,
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  };
  const isCounted = inputTokens?.total !== undefined && outputTokens?.total !== undefined;
  const free = handle.price?.input === 0 && handle.price.output === 0;
  const costUsd = isCounted || free ? costOf(counted, handle.price) : null;
  return { ...noUsage, ...counted, modelCalls: 1, costUsd };
}
