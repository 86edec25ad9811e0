/** Resolves a model by its id to a provider and a handle. */
import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import { readModelId } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import { cassetteHandle, keptHandle } from "./cassette/cassette-handle.ts";
import { embeddingAsLanguageModel, isEmbeddingModel } from "./embedding/embedding-model.ts";
import { isLanguageModel } from "./is-language-model.ts";
import { lazyModel } from "./lazy-model.ts";
import { localModel } from "./local/local-model.ts";
import type { ModelChoice, ModelEnvironment, ModelHandle } from "./model-handle.ts";
import { sortedSettings } from "./model-settings.ts";
import { priceOf } from "./prices.ts";
import { providerModel } from "./providers/provider-model.ts";

/**
 * The model that `choice` means. Nothing is loaded and no provider is called before it is asked for the first time;
 * what is not configured or not a model throws here, before the run starts.
 */
export function resolveModel(choice: ModelChoice, environment: ModelEnvironment): ModelHandle {
  const { settings } = environment;
  const handle = handleFor(choice, environment);
  return settings === undefined ? handle : { ...handle, ...sortedSettings(settings) };
}

function handleFor(choice: ModelChoice, environment: ModelEnvironment): ModelHandle {
  const { isEmbedding = false } = environment;
  if (typeof choice !== "string") return isEmbedding ? embeddingOf(choice) : handleOf(choice);
  const id = choice.trim();
  const read = readModelId(id);
  switch (read.kind) {
    case "rules":
      return isEmbedding ? rulesEmbeddingHandle() : rulesHandle();
    case "cassette":
      return cassetteHandle({ id, path: read.path }, environment, resolveModel);
    case "scripted":
      throw scriptedWithoutAnswers();
    case "unknown":
      throw new RunError("M8103", read.message, { hint: read.hint });
    case "gguf":
      if (isEmbedding) throw notAnEmbeddingModel(`\`${id}\` runs here as a language model alone`);
      return localModel({ id, path: read.path }, environment);
    case "provider":
    case "package":
      return withPrice(providerModel(id, read, environment));
  }
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

function rulesEmbeddingHandle(): ModelHandle {
  const model = lazyModel({ provider: LOCAL, modelId: "rules" }, async () =>
    embeddingAsLanguageModel((await import("./embedding/rules-embedding.ts")).rulesEmbedding()),
  );
  return withPrice({ id: "rules", source: "rules", model });
}

function embeddingOf(choice: Exclude<ModelChoice, string>): ModelHandle {
  if (!isEmbeddingModel(choice))
    throw notAnEmbeddingModel("the given object is no embedding model");
  const id = `${choice.provider}/${choice.modelId}`;
  return withPrice({ id, source: "live", model: embeddingAsLanguageModel(choice) });
}

function handleOf(model: LanguageModelV4 | EmbeddingModelV4): ModelHandle {
  if (!isLanguageModel(model)) throw notAModel(model);
  const cassette = keptHandle(model);
  if (cassette !== undefined) return cassette;
  const source = localSource(model);
  if (source !== undefined) return withPrice({ id: source, source, model });
  return withPrice({ id: `${model.provider}/${model.modelId}`, source: "live", model });
}

/** The provider of what runs in this process and is ours. */
const LOCAL = "madrigal";

function localSource({ provider, modelId }: LanguageModelV4): "rules" | "scripted" | undefined {
  return provider === LOCAL && (modelId === "rules" || modelId === "scripted")
    ? modelId
    : undefined;
}

// ── what can't be ───────────────────────────────────────────────────────────────────────────────

function scriptedWithoutAnswers(): RunError {
  return new RunError("M8103", "`scripted` has no answers when it is only named", {
    hint: "pass the object that `scripted([…])` returns: `models: { ALIAS: scripted([…]) }`",
  });
}

function notAnEmbeddingModel(message: string): RunError {
  return new RunError("M8103", message, {
    hint: "name an embedding model of a provider, as `openai/text-embedding-3-small`, or `rules`; or pass an `EmbeddingModelV4` of the AI SDK 7",
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
