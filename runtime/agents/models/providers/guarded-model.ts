/** Puts settings into the calls of a provider, and takes keys out of all that comes back. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { FailureError, messageOf, RunError } from "../../../failure.ts";
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
      return { stream: ReadableStream.from(cleanParts(stream, guard)) };
    },
  };
}

type CallProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

function prepared(call: LanguageModelV4CallOptions, guard: ModelGuard): LanguageModelV4CallOptions {
  const { optionsName, options, cachedSystem } = guard;
  const { openaiCompatible, ...others } = call.providerOptions ?? {};
  // Agents and judges say by that name what every provider may be told, since another model may take the call over.
  const own = { ...options, ...openaiCompatible, ...others[optionsName] };
  return {
    ...call,
    ...(cachedSystem === undefined
      ? {}
      : { prompt: withCachedSystem(call.prompt, guard, cachedSystem) }),
    providerOptions: { ...others, [optionsName]: own } as CallProviderOptions,
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

async function* cleanParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  { redactor }: ModelGuard,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { redactText } = redactor;
  const texts = new Map<string, TextPieces>();
  let ready: LanguageModelV4StreamPart[] = [];
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  try {
    for await (const part of stream) {
      switch (part.type) {
        case "text-delta":
        case "reasoning-delta": {
          const { type, id, delta, providerMetadata } = part;
          const key = `${type} ${id}`;
          const pieces =
            texts.get(key) ??
            redactor.redactPieces((piece) => void ready.push({ type, id, delta: piece }));
          texts.set(key, pieces);
          if (delta !== "") pieces.write(delta);
          if (providerMetadata !== undefined)
            ready.push(mapTexts({ type, id, delta: "", providerMetadata }, redactText));
          break;
        }
        case "text-end":
        case "reasoning-end": {
          const key = `${part.type.replace("end", "delta")} ${part.id}`;
          texts.get(key)?.end();
          texts.delete(key);
          ready.push(mapTexts(part, redactText));
          break;
        }
        case "finish":
          ready.push(mapTexts({ ...part, finishReason: finishOf(part.finishReason) }, redactText));
          break;
        case "error":
          ready.push({ ...part, error: cleanError(part.error, redactText) });
          break;
        default:
          ready.push(mapTexts(part, redactText));
      }
      yield* take();
    }
  } catch (thrown) {
    throw cleanError(thrown, redactText);
  }
  for (const pieces of texts.values()) pieces.end();
  yield* take();
}

/** A stream that ends without a reason was cut off; some packages then say `other`, and none of what the provider said. */
function finishOf({ unified, raw }: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  return { unified: unified === "other" && raw === undefined ? "interrupted" : unified, raw };
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

/** A failure of ours that the provider's package has wrapped, or a package that is no provider. */
function failureIn(thrown: unknown): FailureError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof FailureError) return error;
    if (error instanceof RunError) {
      const { code, message, hint } = error;
      const hinted = hint === undefined ? {} : { hint };
      return new FailureError({ class: "model", code, message, ...hinted }, { cause: error });
    }
  }
  return undefined;
}
