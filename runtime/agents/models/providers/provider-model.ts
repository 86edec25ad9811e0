/** Makes the model of a provider that is named by its id, without loading the provider. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelId } from "../../../../dsl/index.ts";
import { RunError } from "../../../failure.ts";
import { createRedactor, type Secret, secretsOf } from "../../../redaction/redact.ts";
import { createTextRedactor } from "../../../redaction/text-redactor.ts";
import { embeddingAsLanguageModel, isEmbeddingModel } from "../embedding/embedding-model.ts";
import { isLanguageModel } from "../is-language-model.ts";
import { lazyModel, sharedModel } from "../lazy-model.ts";
import type {
  ModelCapabilities,
  ModelEnvironment,
  ModelHandle,
  ProviderSettings,
} from "../model-handle.ts";
import { type Access, headersOf, isSet, type NamedModel, notConfigured } from "./access.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { guardedModel } from "./guarded-model.ts";
import { loadCompatibleModel, ollamaAccess, serverAccess } from "./openai-compatible.ts";
import { findPackage, loadPackage } from "./packages.ts";
import {
  PROVIDER_ENTRIES,
  type ProviderEntry,
  type SdkProvider,
  SERVER_CAPABILITIES,
} from "./provider-table.ts";

type NamedId = Extract<ModelId, { readonly kind: "provider" | "package" }>;

/**
 * The model behind a provider's id. What is missing throws here, before a run starts: M8101 without an address or a key,
 * M8130 without the package. The package is loaded by the first call.
 */
export function providerModel(
  id: string,
  read: NamedId,
  environment: ModelEnvironment,
): ModelHandle {
  const named: NamedModel = {
    id,
    provider: read.kind === "package" ? read.package : read.provider,
    model: read.model,
  };
  if (read.kind === "package") return packageModel(named, environment);
  const { provider } = read;
  if (provider === "openai-compatible" || provider === "ollama") {
    const readAccess = provider === "ollama" ? ollamaAccess : serverAccess;
    return handleOf(named, environment, {
      access: readAccess(named, environment),
      optionsName: "openaiCompatible",
      capabilities: SERVER_CAPABILITIES,
      from: "",
      load: (options) => loadCompatibleModel(named, options, environment.isEmbedding),
    });
  }
  const entry = PROVIDER_ENTRIES[provider];
  const access = entry.access(named, environment);
  const path = findPackage(entry.package, {
    id,
    ...folderOption(environment),
    ...insteadOption(entry),
  });
  return handleOf(named, environment, {
    ...entry,
    access,
    from: path,
    load: async (options) => {
      const made = providerIn(await loadPackage(path), [entry.create], options);
      if (made === undefined) throw noProvider(entry.package.name);
      if (environment.isEmbedding === true) return embeddingModelOf(made, named);
      return (entry.modelOf ?? languageModelOf)(made, named.model);
    },
  });
}

const folderOption = ({ folder }: ModelEnvironment) => (folder === undefined ? {} : { folder });

const insteadOption = ({ instead }: ProviderEntry) => (instead === undefined ? {} : { instead });

/** A provider that the table does not have: it reads its own variables, unless `keyVariable` names one. */
function packageModel(named: NamedModel, environment: ModelEnvironment): ModelHandle {
  const { id, provider: name } = named;
  const { baseURL, keyVariable } = environment.settings ?? {};
  if (baseURL !== undefined && keyVariable === undefined) {
    throw new RunError(
      "M8101",
      `\`${id}\` cannot run: \`baseURL\` needs \`keyVariable\` beside it`,
      {
        hint: "no key is sent to an address of the program that the program does not name",
      },
    );
  }
  const apiKey = keyVariable === undefined ? undefined : environment.env[keyVariable];
  if (keyVariable !== undefined && !isSet(apiKey))
    throw notConfigured(named, keyVariable, environment);
  const path = findPackage({ name }, { id, ...folderOption(environment) });
  const access: Access = {
    options: {
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
    address: baseURL ?? "",
    ...(keyVariable === undefined ? {} : { keyVariable }),
    secrets:
      keyVariable === undefined || apiKey === undefined
        ? []
        : [{ name: keyVariable, value: apiKey }],
  };
  return handleOf(named, environment, {
    access,
    optionsName: optionsNameOf(name),
    capabilities: SERVER_CAPABILITIES,
    load: async (options) => {
      const exported = await loadPackage(path);
      const names = Object.keys(exported).filter((one) => /^create[A-Z]/.test(one));
      const made = providerIn(exported, [...names, "default"], options);
      if (made === undefined) throw noProvider(name);
      if (environment.isEmbedding === true) return embeddingModelOf(made, named);
      return languageModelOf(made, named.model);
    },
  });
}

/** `@ai-sdk/groq`: `groq`; `@scope/some-provider`: `someProvider`. */
function optionsNameOf(name: string): string {
  const last = name.slice(name.indexOf("/") + 1);
  return last.replace(/-\w/g, (part) => part.slice(1).toUpperCase());
}

/** The provider behind the first of these exports that is one, or makes one. */
function providerIn(
  exported: Readonly<Record<string, unknown>>,
  names: readonly string[],
  options: Readonly<Record<string, unknown>>,
): SdkProvider | undefined {
  for (const name of names) {
    const found = exported[name];
    if (isProvider(found)) return found;
    const made: unknown = typeof found === "function" ? found(options) : undefined;
    if (isProvider(made)) return made;
  }
  return undefined;
}

function noProvider(name: string): RunError {
  return new RunError("M8131", `the package ${name} exports no provider of the AI SDK`, {
    hint: "it needs an export `createX` or a provider as its default, of the AI SDK 7",
  });
}

function isProvider(value: unknown): value is SdkProvider {
  return (
    (typeof value === "function" || (typeof value === "object" && value !== null)) &&
    "languageModel" in value &&
    typeof value.languageModel === "function"
  );
}

function embeddingModelOf(provider: SdkProvider, { id, model }: NamedModel): LanguageModelV4 {
  const made = provider.embeddingModel?.(model);
  if (isEmbeddingModel(made)) return embeddingAsLanguageModel(made);
  throw new RunError("M8131", `\`${id}\` can't embed texts: its provider has no embedding models`, {
    hint: "name a model of another provider, as `openai/text-embedding-3-small`",
  });
}

function languageModelOf(provider: SdkProvider, model: string): LanguageModelV4 {
  return provider.languageModel(model);
}

/** A provider as far as it is known before its package is loaded. */
interface ProviderSource
  extends Pick<ProviderEntry, "optionsName" | "capabilities" | "callOptions" | "cachedSystem"> {
  readonly access: Access;
  /** The file of its package; absent where the package reads variables of its own. */
  readonly from?: string;
  readonly load: (options: Readonly<Record<string, unknown>>) => Promise<LanguageModelV4>;
}

function handleOf(
  named: NamedModel,
  environment: ModelEnvironment,
  { access, from, optionsName, capabilities, load, callOptions, cachedSystem }: ProviderSource,
): ModelHandle {
  const { settings = {}, env } = environment;
  const { headers, secrets: ofHeaders } = headersOf(named, environment);
  const known = [...access.secrets, ...ofHeaders];
  const options = { ...access.options, ...(headers === undefined ? {} : { headers }) };
  const make = () =>
    lazyModel({ provider: named.provider, modelId: named.model }, async () => {
      const loaded = await load({ ...options, fetch: boundedFetch(named.id, environment.fetch) });
      if (isLanguageModel(loaded)) return loaded;
      throw new RunError(
        "M8131",
        `\`${named.id}\` cannot run: its package is not of the AI SDK 7`,
        { hint: "install a version of it that implements `LanguageModelV4`" },
      );
    });
  const isShared = from !== undefined && environment.fetch === undefined;
  const model = isShared
    ? sharedModel(JSON.stringify([named, from, options, environment.isEmbedding]), make)
    : make();
  const key = access.keyVariable === undefined ? "" : ` ${access.keyVariable}`;
  return {
    id: named.id,
    source: "live",
    provider: `${named.provider} ${access.address}${key}`,
    origin: `${named.id} ${access.address}`,
    capabilities: capabilitiesOf(capabilities, settings),
    ...(access.keyVariable === undefined ? {} : { keyVariable: access.keyVariable }),
    redact: createTextRedactor(known.map(({ value }) => value)),
    model: guardedModel(model, {
      optionsName,
      options: { ...callOptions?.(settings), ...settings.options },
      cachedSystem: settings.cache === true ? cachedSystem : undefined,
      redactor: createRedactor(withoutRepeats([...known, ...secretsOf(env)])),
    }),
  };
}

function withoutRepeats(secrets: readonly Secret[]): readonly Secret[] {
  return [...new Map(secrets.map((secret) => [secret.value, secret])).values()];
}

function capabilitiesOf(of: ModelCapabilities, settings: ProviderSettings): ModelCapabilities {
  const { images, toolResultImages, files, tools, parallelTools, structuredOutput } = settings;
  return {
    images: images ?? of.images,
    toolResultImages: toolResultImages ?? of.toolResultImages,
    files: files ?? of.files,
    tools: tools ?? of.tools,
    parallelTools: parallelTools ?? of.parallelTools,
    structuredOutput: structuredOutput ?? of.structuredOutput,
  };
}
