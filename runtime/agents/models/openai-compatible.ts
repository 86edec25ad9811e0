/** Makes models of OpenAI and of servers that speak its protocol. */
import { RunError } from "../../failure.ts";
import { createTextRedactor } from "../../redaction/text-redactor.ts";
import { lazyModel } from "./lazy-model.ts";
import type { ModelEnvironment, ModelHandle } from "./model-handle.ts";

interface NamedModel {
  readonly id: string;
  readonly provider: "openai" | "openai-compatible";
  readonly model: string;
}

interface Access {
  readonly baseURL: string;
  readonly keyVariable: string;
  readonly apiKey: string | undefined;
}

/** A model behind the chat completions protocol of OpenAI: their own, or any server that speaks it. */
export function openAiCompatible(named: NamedModel, environment: ModelEnvironment): ModelHandle {
  const access =
    named.provider === "openai"
      ? openAiAccess(named, environment)
      : serverAccess(named, environment);
  const { id, provider, model: modelId } = named;
  const { baseURL, apiKey, keyVariable } = access;
  return {
    id,
    source: "live",
    provider: `${provider} ${baseURL}`,
    keyVariable,
    redact: createTextRedactor(apiKey === undefined ? [] : [apiKey]),
    model: lazyModel({ provider: `${provider}.chat`, modelId }, async () => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const server = createOpenAICompatible({
        name: provider,
        baseURL,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(environment.fetch === undefined ? {} : { fetch: environment.fetch }),
        // OpenAI's newer models refuse the old name of the length limit; other servers may know only the old one.
        ...(provider === "openai" ? { transformRequestBody: withCompletionTokens } : {}),
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
      return server.chatModel(modelId);
    }),
  };
}

function withCompletionTokens({ max_tokens, ...body }: Record<string, unknown>) {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

function openAiAccess(named: NamedModel, environment: ModelEnvironment): Access {
  const { env } = environment;
  const apiKey = env.OPENAI_API_KEY;
  if (!isSet(apiKey)) throw notConfigured(named, "OPENAI_API_KEY", environment);
  const baseURL = isSet(env.OPENAI_BASE_URL) ? env.OPENAI_BASE_URL : OPENAI_URL;
  assertAddress(named, "OPENAI_BASE_URL", baseURL);
  return { baseURL, apiKey, keyVariable: "OPENAI_API_KEY" };
}

const OPENAI_URL = "https://api.openai.com/v1";

// A key that belongs to one address is never sent to another: the pair is taken whole.
function serverAccess(named: NamedModel, environment: ModelEnvironment): Access {
  const { env } = environment;
  for (const prefix of ["OPENAI_COMPATIBLE", "OPENAI"]) {
    const baseURL = env[`${prefix}_BASE_URL`];
    if (!isSet(baseURL)) continue;
    assertAddress(named, `${prefix}_BASE_URL`, baseURL);
    const apiKey = env[`${prefix}_API_KEY`];
    return {
      baseURL,
      apiKey: isSet(apiKey) ? apiKey : undefined,
      keyVariable: `${prefix}_API_KEY`,
    };
  }
  throw notConfigured(named, "OPENAI_COMPATIBLE_BASE_URL", environment);
}

function assertAddress({ id }: NamedModel, variable: string, address: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return;
  throw new RunError("M8101", `\`${id}\` cannot run: ${variable} is not an http(s) address`, {
    hint: `set ${variable} to something like http://127.0.0.1:11434/v1`,
  });
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function notConfigured(
  { id, provider }: NamedModel,
  variable: string,
  { alias = "ALIAS", isCommand = false }: ModelEnvironment,
): RunError {
  const example = variable.endsWith("_URL") ? "=http://127.0.0.1:11434/v1" : "";
  const inCall = `\`models: { ${alias}: "rules" }\``;
  const without = isCommand
    ? `\`--model ${alias}=rules\` or ${inCall}`
    : `${inCall} beside the input, or MADRIGAL_MODEL=rules`;
  return new RunError(
    "M8101",
    `\`${id}\` cannot run: the provider \`${provider}\` is not configured, ${variable} is not set`,
    { hint: `set ${variable}${example}, or run without a live model: ${without}` },
  );
}
