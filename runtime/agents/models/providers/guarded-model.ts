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
import { type HearPart, heardModel, hearStream } from "../heard-model.ts";

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
  const guarded: LanguageModelV4 = {
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
  return heardModel(guarded, async (call, hear) => {
    const { stream } = await withoutKeys(guard, () => model.doStream(prepared(call, guard)));
    const cleaner = new AnswerCleaner(guard, hear);
    const clean = (part: LanguageModelV4StreamPart) => cleaner.clean(part);
    await hearStream(stream, clean, (fault) => cleanError(fault, redactText));
    cleaner.end();
  });
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
  guard: ModelGuard,
): AsyncGenerator<LanguageModelV4StreamPart> {
  let ready: LanguageModelV4StreamPart[] = [];
  const cleaner = new AnswerCleaner(guard, (part) => void ready.push(part));
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  try {
    for await (const part of stream) {
      cleaner.clean(part);
      yield* take();
    }
  } catch (thrown) {
    throw cleanError(thrown, guard.redactor.redactText);
  }
  cleaner.end();
  yield* take();
}

/** Takes keys out of the parts of one answer. A text is held back for as long as it may go on with a key. */
class AnswerCleaner {
  readonly #redactor: Redactor;
  readonly #hear: HearPart;
  readonly #texts = new Map<string, TextPieces>();

  constructor({ redactor }: ModelGuard, hear: HearPart) {
    this.#redactor = redactor;
    this.#hear = hear;
  }

  clean(part: LanguageModelV4StreamPart): void {
    const { redactText } = this.#redactor;
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta": {
        const { type, id, delta, providerMetadata } = part;
        if (delta !== "") this.#piecesOf(type, id).write(delta);
        if (providerMetadata !== undefined)
          this.#hear(mapTexts({ type, id, delta: "", providerMetadata }, redactText));
        return;
      }
      case "text-end":
      case "reasoning-end": {
        const key = `${part.type === "text-end" ? "text-delta" : "reasoning-delta"} ${part.id}`;
        this.#texts.get(key)?.end();
        this.#texts.delete(key);
        this.#hear(mapTexts(part, redactText));
        return;
      }
      case "finish":
        this.#hear(mapTexts({ ...part, finishReason: finishOf(part.finishReason) }, redactText));
        return;
      case "error":
        this.#hear({ ...part, error: cleanError(part.error, redactText) });
        return;
      default:
        this.#hear(mapTexts(part, redactText));
    }
  }

  /** Says what has been held back. */
  end(): void {
    for (const pieces of this.#texts.values()) pieces.end();
  }

  #piecesOf(type: "text-delta" | "reasoning-delta", id: string): TextPieces {
    const key = `${type} ${id}`;
    let pieces = this.#texts.get(key);
    if (pieces === undefined) {
      pieces = this.#redactor.redactPieces((delta) => this.#hear({ type, id, delta }));
      this.#texts.set(key, pieces);
    }
    return pieces;
  }
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
