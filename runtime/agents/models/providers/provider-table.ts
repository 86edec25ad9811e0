/** Lists the providers that ids name: their packages, variables, options and capabilities. */
import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import type { Provider } from "../../../../dsl/index.ts";
import type { ModelCapabilities, ModelEnvironment, ProviderSettings } from "../model-handle.ts";
import {
  type Access,
  addressIn,
  isSet,
  keyAccess,
  type NamedModel,
  notConfigured,
  type ReadAccess,
} from "./access.ts";
import type { ProviderPackage } from "./packages.ts";

/** A provider object of the AI SDK: callable, with methods for the kinds of models that it has. */
export interface SdkProvider {
  (modelId: string): LanguageModelV4;
  readonly languageModel: (modelId: string) => LanguageModelV4;
  readonly chat?: (modelId: string) => LanguageModelV4;
  readonly responses?: (modelId: string) => LanguageModelV4;
  readonly embeddingModel?: (modelId: string) => EmbeddingModelV4;
}

/** One provider that an id names by a word. */
export interface ProviderEntry {
  readonly package: ProviderPackage;
  /** The export that makes the provider. */
  readonly create: string;
  readonly access: ReadAccess;
  /** The name under which its options stand in a call, and its data in an answer. */
  readonly optionsName: string;
  readonly capabilities: ModelCapabilities;
  /** The model of the provider; absent: its `languageModel`. */
  readonly modelOf?: (provider: SdkProvider, modelId: string) => LanguageModelV4;
  /** The options of each call that stand for the settings `thinking` and `cache`. */
  readonly callOptions?: (settings: ProviderSettings) => Readonly<Record<string, unknown>>;
  /** The options of the system's message with the setting `cache`. */
  readonly cachedSystem?: Readonly<Record<string, unknown>>;
  /** A way without the package, for the hint. */
  readonly instead?: string;
}

const ALL: ModelCapabilities = {
  images: true,
  toolResultImages: true,
  files: true,
  tools: true,
  parallelTools: true,
  structuredOutput: true,
};
const CHAT: ModelCapabilities = { ...ALL, toolResultImages: false };

/** The abilities of servers that speak OpenAI's chat protocol, and of providers that this table does not have. */
export const SERVER_CAPABILITIES: ModelCapabilities = { ...CHAT, files: false };

const OPENAI = {
  package: { name: "@ai-sdk/openai", range: "^4.0.0" },
  create: "createOpenAI",
  access: keyAccess({
    keyVariable: "OPENAI_API_KEY",
    addressVariable: "OPENAI_BASE_URL",
    address: () => "https://api.openai.com/v1",
  }),
  optionsName: "openai",
  instead: "`openai-compatible/MODEL` needs no package (OPENAI_BASE_URL=https://api.openai.com/v1)",
} as const;

/** Nothing is stored at the provider: what a later call needs of an answer stands in the log. */
const NOT_STORED = () => ({ store: false });

/** The providers with a package of their own; `openai-compatible` and `ollama` have none. */
export const PROVIDER_ENTRIES: Readonly<
  Record<Exclude<Provider, "openai-compatible" | "ollama">, ProviderEntry>
> = {
  openai: {
    ...OPENAI,
    capabilities: ALL,
    modelOf: (provider, model) => (provider.responses ?? provider)(model),
    callOptions: NOT_STORED,
  },
  "openai-chat": {
    ...OPENAI,
    capabilities: CHAT,
    modelOf: (provider, model) => (provider.chat ?? provider)(model),
  },
  anthropic: {
    package: { name: "@ai-sdk/anthropic", range: "^4.0.0" },
    create: "createAnthropic",
    access: keyAccess({
      keyVariable: "ANTHROPIC_API_KEY",
      addressVariable: "ANTHROPIC_BASE_URL",
      address: () => "https://api.anthropic.com",
      path: "/v1",
    }),
    optionsName: "anthropic",
    capabilities: ALL,
    callOptions: ({ thinking, cache }) => ({
      ...(thinking === undefined ? {} : { thinking: { type: "enabled", budgetTokens: thinking } }),
      // The last block of each call: the next one begins with all that this one had.
      ...(cache === true ? { cacheControl: { type: "ephemeral" } } : {}),
    }),
    cachedSystem: { cacheControl: { type: "ephemeral" } },
  },
  google: {
    package: { name: "@ai-sdk/google", range: "^4.0.0" },
    create: "createGoogle",
    access: keyAccess({
      keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
      addressVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
      address: () => "https://generativelanguage.googleapis.com/v1beta",
    }),
    optionsName: "google",
    capabilities: ALL,
    callOptions: ({ thinking }) =>
      thinking === undefined
        ? {}
        : { thinkingConfig: { thinkingBudget: thinking, includeThoughts: true } },
  },
  azure: {
    package: { name: "@ai-sdk/azure", range: "^4.0.0" },
    create: "createAzure",
    access: keyAccess({
      keyVariable: "AZURE_API_KEY",
      addressVariable: "AZURE_BASE_URL",
      address: azureAddress,
    }),
    optionsName: "azure",
    capabilities: ALL,
    callOptions: NOT_STORED,
  },
  bedrock: {
    package: { name: "@ai-sdk/amazon-bedrock", range: "^5.0.0" },
    create: "createAmazonBedrock",
    access: bedrockAccess,
    optionsName: "bedrock",
    capabilities: ALL,
    callOptions: ({ thinking }) =>
      thinking === undefined
        ? {}
        : { reasoningConfig: { type: "enabled", budgetTokens: thinking } },
    cachedSystem: { cachePoint: { type: "default" } },
  },
  mistral: {
    package: { name: "@ai-sdk/mistral", range: "^4.0.0" },
    create: "createMistral",
    access: keyAccess({
      keyVariable: "MISTRAL_API_KEY",
      addressVariable: "MISTRAL_BASE_URL",
      address: () => "https://api.mistral.ai/v1",
    }),
    optionsName: "mistral",
    capabilities: CHAT,
  },
};

function azureAddress({ env }: ModelEnvironment): string | undefined {
  const name = env.AZURE_RESOURCE_NAME?.trim();
  return isSet(name) ? `https://${name}.openai.azure.com/openai` : undefined;
}

/** By a bearer token, or by the keys of an account, which sign each call. */
function bedrockAccess(named: NamedModel, environment: ModelEnvironment): Access {
  const { env, settings = {} } = environment;
  const region = settings.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
  if (!isSet(region)) throw notConfigured(named, "AWS_REGION", environment);
  const baseURL = addressIn(named, "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", environment);
  const place = { region, ...(baseURL === undefined ? {} : { baseURL }) };
  const address = baseURL ?? region;
  const tokenVariable = settings.keyVariable ?? "AWS_BEARER_TOKEN_BEDROCK";
  // A signature gives no key away; a token that the program does not name stays away from the program's address.
  const isNamed = settings.baseURL === undefined || settings.keyVariable !== undefined;
  const token = isNamed ? env[tokenVariable] : undefined;
  if (isSet(token)) {
    const secrets = [{ name: tokenVariable, value: token }];
    return { options: { ...place, apiKey: token }, address, keyVariable: tokenVariable, secrets };
  }
  if (settings.keyVariable !== undefined) throw notConfigured(named, tokenVariable, environment);
  const [accessKeyId, secretAccessKey] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].map(
    (name) => {
      const value = env[name];
      if (!isSet(value)) throw notConfigured(named, name, environment);
      return value;
    },
  );
  const sessionToken = env.AWS_SESSION_TOKEN;
  const keys = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
  return {
    // An empty token keeps the package from looking for one by itself.
    options: { ...place, apiKey: "", accessKeyId, secretAccessKey, sessionToken },
    address,
    keyVariable: "AWS_SECRET_ACCESS_KEY",
    secrets: Object.entries(keys).flatMap(([name, value]) =>
      isSet(value) ? [{ name, value }] : [],
    ),
  };
}
