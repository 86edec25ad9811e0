/** Reads the access to servers that speak OpenAI's chat protocol, and makes models of them. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { embeddingAsLanguageModel } from "../embedding/embedding-model.ts";
import type { ModelEnvironment } from "../model-handle.ts";
import { type Access, addressIn, isSet, type NamedModel, notConfigured } from "./access.ts";

/**
 * Reads where the server is: by the settings of the declaration, by OPENAI_COMPATIBLE_BASE_URL, else by OPENAI_BASE_URL.
 * A key that belongs to one address is never sent to another: the pair is taken whole.
 */
export function serverAccess(named: NamedModel, environment: ModelEnvironment): Access {
  const { settings = {} } = environment;
  const prefixes = settings.baseURL === undefined ? ["OPENAI_COMPATIBLE", "OPENAI"] : [""];
  for (const prefix of prefixes) {
    const baseURL = addressIn(named, `${prefix}_BASE_URL`, environment);
    if (baseURL === undefined) continue;
    const keyVariable = settings.keyVariable ?? (prefix === "" ? undefined : `${prefix}_API_KEY`);
    return accessAt(named, baseURL, keyVariable, environment);
  }
  throw notConfigured(named, "OPENAI_COMPATIBLE_BASE_URL", environment);
}

/** Reads where Ollama is: by the settings, by OLLAMA_HOST as Ollama itself reads it, else on this machine. */
export function ollamaAccess(named: NamedModel, environment: ModelEnvironment): Access {
  const { env, settings = {} } = environment;
  const baseURL =
    settings.baseURL === undefined
      ? addressIn(named, "OLLAMA_HOST", {
          env: { OLLAMA_HOST: ollamaAddress(env.OLLAMA_HOST?.trim() ?? "") },
        })
      : addressIn(named, "", environment);
  return accessAt(named, baseURL ?? "", settings.keyVariable, environment);
}

/** `host`, `host:port` or an address; a server that listens everywhere is asked on this machine. */
function ollamaAddress(host: string): string {
  const address = /^https?:\/\//.test(host) ? host : `http://${host === "" ? "127.0.0.1" : host}`;
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !/^https?:\/\/[^/]*:\d+/.test(address) && url.protocol === "http:")
    url.port = "11434";
  url.pathname = `${url.pathname.replace(/\/(v1\/?)?$/, "")}/v1`;
  return url.href;
}

function accessAt(
  named: NamedModel,
  baseURL: string,
  keyVariable: string | undefined,
  environment: ModelEnvironment,
): Access {
  const apiKey = keyVariable === undefined ? undefined : environment.env[keyVariable];
  // A key that the program names is needed; one that only belongs to the address may be absent.
  if (environment.settings?.keyVariable !== undefined && !isSet(apiKey))
    throw notConfigured(named, environment.settings.keyVariable, environment);
  return {
    options: isSet(apiKey) ? { baseURL, apiKey } : { baseURL },
    address: baseURL,
    ...(keyVariable === undefined ? {} : { keyVariable }),
    secrets:
      isSet(apiKey) && keyVariable !== undefined ? [{ name: keyVariable, value: apiKey }] : [],
  };
}

/** A model of such a server; the package comes with Madrigal. */
export async function loadCompatibleModel(
  { provider, model }: NamedModel,
  options: Readonly<Record<string, unknown>>,
  isEmbedding = false,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const server = createOpenAICompatible({
    baseURL: "",
    ...options,
    name: provider,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  if (isEmbedding) return embeddingAsLanguageModel(server.embeddingModel(model));
  return server.chatModel(model);
}
