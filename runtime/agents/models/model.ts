import type { LanguageModelV4 } from "@ai-sdk/provider";
import { nearest } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import { priceOf } from "../prices.ts";
import { lazyModel } from "./lazy-model.ts";
import type { ModelChoice, ModelEnvironment, ModelHandle } from "./model-handle.ts";
import { openAiCompatible } from "./openai-compatible.ts";

/**
 * The model that `choice` means. Nothing is loaded and no provider is called before it is asked for the first time;
 * what is not configured, not built or not a model throws here, before the run starts.
 */
export function resolveModel(choice: ModelChoice, environment: ModelEnvironment): ModelHandle {
  if (typeof choice !== "string") return handleOf(choice);
  const id = choice.trim();
  if (id === "rules") return rulesHandle();
  if (id === "scripted") throw scriptedWithoutAnswers();
  if (id.startsWith("cassette:")) throw notBuilt(id, "cassettes are");
  const slash = id.indexOf("/");
  const provider = slash < 0 ? id : id.slice(0, slash);
  const model = slash < 0 ? "" : id.slice(slash + 1);
  if (LATER_PROVIDERS.includes(provider)) throw notBuilt(id, `the provider \`${provider}\` is`);
  if (provider !== "openai" && provider !== "openai-compatible") throw unknownModel(id, provider);
  if (model === "") throw withoutModelName(id, provider);
  return withPrice(openAiCompatible({ id, provider, model }, environment));
}

function withPrice(handle: ModelHandle): ModelHandle {
  const price = priceOf(handle.id);
  return price === undefined ? handle : { ...handle, price };
}

function rulesHandle(): ModelHandle {
  const model = lazyModel({ provider: LOCAL, modelId: "rules" }, async () =>
    (await import("../rules/rules.ts")).rules(),
  );
  return withPrice({ id: "rules", source: "rules", model });
}

function handleOf(model: LanguageModelV4): ModelHandle {
  if (!isLanguageModel(model)) throw notAModel(model);
  const source = localSource(model);
  if (source !== undefined) return withPrice({ id: source, source, model });
  return withPrice({ id: `${model.provider}/${model.modelId}`, source: "live", model });
}

/** Whether `value` can be asked as a model of the AI SDK, version 4 of its interface. */
export function isLanguageModel(value: unknown): value is LanguageModelV4 {
  return (
    typeof value === "object" &&
    value !== null &&
    "specificationVersion" in value &&
    value.specificationVersion === "v4" &&
    "doStream" in value &&
    typeof value.doStream === "function"
  );
}

/** The provider of what runs in this process and is ours. */
const LOCAL = "madrigal";

function localSource({ provider, modelId }: LanguageModelV4): "rules" | "scripted" | undefined {
  return provider === LOCAL && (modelId === "rules" || modelId === "scripted")
    ? modelId
    : undefined;
}

// ── what can't be ───────────────────────────────────────────────────────────────────────────────

const PROVIDERS = ["openai", "openai-compatible"];
const LATER_PROVIDERS = ["anthropic", "azure", "bedrock", "google", "mistral", "ollama", "vertex"];
const USABLE = "`rules`, `openai/MODEL` or `openai-compatible/MODEL`";

function notBuilt(id: string, what: string): RunError {
  const hint = `use ${USABLE}; a server that speaks the OpenAI protocol is \`openai-compatible\``;
  return new RunError("M8102", `\`${id}\` cannot run: ${what} not built yet`, { hint });
}

function unknownModel(id: string, provider: string): RunError {
  const meant = nearest(provider, [
    "rules",
    "scripted",
    "cassette",
    ...PROVIDERS,
    ...LATER_PROVIDERS,
  ]);
  const what = id.includes("/")
    ? `no provider is called \`${provider}\``
    : "there is no such model";
  const hint =
    meant === undefined ? `use ${USABLE}` : `did you mean \`${id.replace(provider, meant)}\`?`;
  return new RunError("M8103", `\`${id}\` is not a model: ${what}`, { hint });
}

function withoutModelName(id: string, provider: string): RunError {
  return new RunError("M8103", `\`${id}\` is not a model: the model's own name is missing`, {
    hint: `write \`${provider}/MODEL\``,
  });
}

function scriptedWithoutAnswers(): RunError {
  return new RunError("M8103", "`scripted` has no answers when it is only named", {
    hint: "pass the object that `scripted([…])` returns: `models: { ALIAS: scripted([…]) }`",
  });
}

function notAModel(value: unknown): RunError {
  const version =
    typeof value === "object" && value !== null && "specificationVersion" in value
      ? `: it implements version ${String(value.specificationVersion)} of the interface, not v4`
      : "";
  return new RunError("M8103", `the given object is not a model${version}`, {
    hint: "pass an id, `rules()`, `scripted([…])` or a `LanguageModelV4` of the AI SDK 7",
  });
}
