/** Puts settings into the calls of a provider, and takes keys out of all that comes back. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { FailureError, messageOf } from "../../../failure.ts";
import { mapTexts, type Redactor } from "../../../redaction/redact.ts";
import type { TextPieces } from "../../../redaction/redact-pieces.ts";

/** The options that a guarded model adds to each call, and the keys that it takes out of each answer. */
export interface ModelGuard {
  readonly optionsName: string;
  /** The options of every call. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The options of the system's message. */
  readonly cachedSystem: Readonly<Record<string, unknown>> | undefined;
  readonly redactor: Redactor;
}

/** A model around another one that no key comes back from, whole or in pieces, not in its errors either. */
export function guardedModel(model: LanguageModelV4, guard: ModelGuard): LanguageModelV4 {
  const { redactText } = guard.redactor;
  return {
    ...model,
    doGenerate: async (call) => {
      const {
        request: _,
        response: __,
        ...answer
      } = await withoutKeys(guard, () => model.doGenerate(prepared(call, guard)));
      return mapTexts(answer, redactText);
    },
    doStream: async (call) => {
      const { stream } = await withoutKeys(guard, () => model.doStream(prepared(call, guard)));
      return { stream: stream.pipeThrough(redactedParts(guard)) };
    },
  };
}

type CallProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

function prepared(call: LanguageModelV4CallOptions, guard: ModelGuard): LanguageModelV4CallOptions {
  const { optionsName, options, cachedSystem } = guard;
  const own = { ...options, ...call.providerOptions?.[optionsName] };
  return {
    ...call,
    ...(cachedSystem === undefined
      ? {}
      : { prompt: withCachedSystem(call.prompt, guard, cachedSystem) }),
    providerOptions: { ...call.providerOptions, [optionsName]: own } as CallProviderOptions,
  };
}

function withCachedSystem(
  prompt: LanguageModelV4Prompt,
  { optionsName }: ModelGuard,
  options: Readonly<Record<string, unknown>>,
): LanguageModelV4Prompt {
  return prompt.map((message) =>
    message.role === "system"
      ? { ...message, providerOptions: { [optionsName]: options } as CallProviderOptions }
      : message,
  );
}

// ── what comes back ─────────────────────────────────────────────────────────────────────────────

async function withoutKeys<T>({ redactor }: ModelGuard, ask: () => PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    throw cleanError(thrown, redactor.redactText);
  }
}

function redactedParts({
  redactor,
}: ModelGuard): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const texts = new Map<string, TextPieces>();
  return new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform: (part, controller) => {
      switch (part.type) {
        case "text-delta":
        case "reasoning-delta": {
          const { type, id, delta, providerMetadata } = part;
          const key = `${type} ${id}`;
          const pieces =
            texts.get(key) ??
            redactor.redactPieces((piece) => controller.enqueue({ type, id, delta: piece }));
          texts.set(key, pieces);
          if (delta !== "") pieces.write(delta);
          if (providerMetadata === undefined) return;
          const metadata = mapTexts(providerMetadata, redactor.redactText);
          controller.enqueue({ type, id, delta: "", providerMetadata: metadata });
          return;
        }
        case "text-end":
        case "reasoning-end": {
          const key = `${part.type.replace("end", "delta")} ${part.id}`;
          texts.get(key)?.end();
          texts.delete(key);
          break;
        }
        case "error":
          controller.enqueue({ ...part, error: cleanError(part.error, redactor.redactText) });
          return;
        default:
      }
      controller.enqueue(mapTexts(part, redactor.redactText));
    },
    flush: () => {
      for (const pieces of texts.values()) pieces.end();
    },
  });
}

/** The parts of a provider's error that are read, without keys; its request, which has everything, is left out. */
function cleanError(thrown: unknown, redactText: (text: string) => string): unknown {
  const failure = failureIn(thrown);
  if (failure !== undefined) return failure;
  if (!(thrown instanceof Error)) return mapTexts(thrown, redactText);
  const clean = new Error(redactText(thrown.message));
  clean.name = thrown.name;
  clean.stack = redactText(thrown.stack ?? "");
  const { cause } = thrown;
  if (cause !== undefined && cause !== null) clean.cause = new Error(redactText(messageOf(cause)));
  for (const name of ["statusCode", "responseHeaders", "responseBody", "code", "isRetryable"]) {
    if (name in thrown) {
      const value: unknown = thrown[name as keyof Error];
      Object.assign(clean, { [name]: mapTexts(value, redactText) });
    }
  }
  return clean;
}

/** A failure of ours that the provider's package has wrapped. */
function failureIn(thrown: unknown): FailureError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof FailureError) return error;
  }
  return undefined;
}
