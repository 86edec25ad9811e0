/** Ids and settings as providers get them: packages, addresses, keys, headers, and the options of each call. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import project from "../../../../../package.json" with { type: "json" };
import { resolveModel } from "../../../../../runtime/agents/models/model.ts";
import type {
  ModelEnvironment,
  ModelSettings,
} from "../../../../../runtime/agents/models/model-handle.ts";
import { settingsFor } from "../../../../../runtime/agents/models/model-settings.ts";
import { PROVIDER_ENTRIES } from "../../../../../runtime/agents/models/providers/provider-table.ts";
import { temporaryFolder } from "../../../../support/child.ts";

const ENV = {
  OPENAI_API_KEY: "key-of-openai",
  ANTHROPIC_API_KEY: "key-of-anthropic",
  GOOGLE_GENERATIVE_AI_API_KEY: "key-of-google",
  AZURE_API_KEY: "key-of-azure",
  AZURE_RESOURCE_NAME: "house",
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "id-of-aws",
  AWS_SECRET_ACCESS_KEY: "key-of-aws",
  MISTRAL_API_KEY: "key-of-mistral",
  TEAM_KEY: "key-of-team",
};

const CALL: LanguageModelV4CallOptions = {
  prompt: [
    { role: "system", content: "Be short." },
    { role: "user", content: [{ type: "text", text: "Hi." }] },
  ],
};

interface Asked {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** The request of one call. */
async function asked(
  id: string,
  settings: ModelSettings = {},
  more: Partial<ModelEnvironment> = {},
  added: Partial<LanguageModelV4CallOptions> = {},
): Promise<Asked> {
  let request: Asked | undefined;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const body = JSON.parse(String(init?.body));
    request = { url: String(url), headers: new Headers(init?.headers), body };
    return new Response("{}", { status: 400 });
  };
  const handle = resolveModel(id, { env: ENV, settings, fetch, ...more });
  const call = { ...CALL, ...handle.settings, ...added } as LanguageModelV4CallOptions;
  await expect(async () => await handle.model.doStream(call)).rejects.toThrow();
  if (request === undefined) throw new Error("nothing was asked");
  return request;
}

function errorOf(id: string, more: Partial<ModelEnvironment> = {}): unknown {
  try {
    return resolveModel(id, { env: ENV, ...more }).id;
  } catch (thrown) {
    const { code, message, hint } = thrown as { code: string; message: string; hint?: string };
    return [code, message, hint];
  }
}

describe("where each provider is asked", () => {
  test.each([
    ["openai/m", "https://api.openai.com/v1/responses"],
    ["openai-chat/m", "https://api.openai.com/v1/chat/completions"],
    ["anthropic/m", "https://api.anthropic.com/v1/messages"],
    [
      "google/m",
      "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse",
    ],
    ["azure/m", "https://house.openai.azure.com/openai/v1/responses?api-version=v1"],
    [
      "bedrock/a.m-v1:0",
      "https://bedrock-runtime.eu-central-1.amazonaws.com/model/a.m-v1%3A0/converse-stream",
    ],
    ["mistral/m", "https://api.mistral.ai/v1/chat/completions"],
    ["ollama/m:8b", "http://127.0.0.1:11434/v1/chat/completions"],
  ])("%s", async (id, url) => {
    expect((await asked(id)).url).toBe(url);
  });

  test.each([
    ["0.0.0.0", "http://127.0.0.1:11434/v1"],
    ["box:8080", "http://box:8080/v1"],
    ["https://box.test", "https://box.test/v1"],
    ["http://box.test:80/", "http://box.test/v1"],
    ["http://box.test/sub/v1/", "http://box.test:11434/sub/v1"],
  ])("OLLAMA_HOST %s", async (host, address) => {
    const { url } = await asked("ollama/m", {}, { env: { OLLAMA_HOST: host } });
    expect(url).toBe(`${address}/chat/completions`);
  });
});

describe("settings of a declaration", () => {
  test("M22 an address, its key and headers", async () => {
    const { url, headers } = await asked("openai/m", {
      baseURL: "http://box.test/v1",
      keyVariable: "TEAM_KEY",
      headers: { "x-team": "a" },
      headerVariables: { "x-desk": "MISTRAL_API_KEY" },
    });
    expect(url).toBe("http://box.test/v1/responses");
    expect(headers.get("authorization")).toBe("Bearer key-of-team");
    expect([headers.get("x-team"), headers.get("x-desk")]).toEqual(["a", "key-of-mistral"]);
  });

  test("no key goes to an address of the program that the program does not name", async () => {
    const baseURL = "http://box.test/v1";
    for (const id of ["openai/m", "anthropic/m", "@ai-sdk/deepseek/m"])
      expect(errorOf(id, { settings: { baseURL } })).toEqual([
        "M8101",
        expect.any(String),
        expect.any(String),
      ]);
    const server = await asked("openai-compatible/m", { baseURL });
    expect(server.headers.get("authorization")).toBeNull();
    const env = { ...ENV, AWS_BEARER_TOKEN_BEDROCK: "token-of-aws" };
    const signed = await asked("bedrock/m", { baseURL }, { env });
    expect(signed.headers.get("authorization")).toMatch(/^AWS4-HMAC-SHA256 /);
    const token = await asked("bedrock/m", {}, { env });
    expect(token.headers.get("authorization")).toBe("Bearer token-of-aws");
  });

  test.each([
    ["openai/gpt-5", { reasoning: { effort: "low" } }],
    ["openai-chat/gpt-5", { reasoning_effort: "low" }],
    ["anthropic/claude-opus-4-6", { output_config: { effort: "low" } }],
    ["google/gemini-3-pro", { generationConfig: { thinkingConfig: { thinkingLevel: "low" } } }],
    ["ollama/m", { reasoning_effort: "low" }],
  ])("effort: %s", async (id, body) => {
    expect((await asked(id, { effort: "low" })).body).toMatchObject(body);
  });

  test.each([
    ["anthropic/claude-opus-4-5", { thinking: { type: "enabled", budget_tokens: 2000 } }],
    [
      "google/gemini-2.5-pro",
      { generationConfig: { thinkingConfig: { thinkingBudget: 2000, includeThoughts: true } } },
    ],
    [
      "bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0",
      { additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2000 } } },
    ],
  ])("thinking: %s", async (id, body) => {
    expect((await asked(id, { thinking: 2000 })).body).toMatchObject(body);
  });

  test("cache: marks where a provider asks for marks, and nothing elsewhere", async () => {
    const marked = await asked("anthropic/claude-opus-4-5", { cache: true });
    const ephemeral = { cache_control: { type: "ephemeral" } };
    expect(marked.body).toMatchObject({
      ...ephemeral,
      system: [{ text: "Be short.", ...ephemeral }],
    });
    const bedrock = await asked("bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0", {
      cache: true,
    });
    expect(bedrock.body.system).toEqual([
      { text: "Be short." },
      { cachePoint: { type: "default" } },
    ]);
    expect((await asked("openai/m", { cache: true })).body).toEqual((await asked("openai/m")).body);
  });

  test("options go to the package as they are", async () => {
    expect((await asked("openai/m", { options: { user: "u" } })).body).toMatchObject({
      user: "u",
      store: false,
    });
  });

  test("a schema that leaves something open is not sent as strict, whoever gets it", async () => {
    const more = {
      responseFormat: { type: "json" as const, schema: { type: "object" as const }, name: "n" },
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    };
    const strict = async (id: string) => JSON.stringify((await asked(id, {}, {}, more)).body);
    for (const id of ["openai/m", "azure/m", "openai-chat/m", "mistral/m", "ollama/m"])
      expect(await strict(id)).toContain('"strict":false');
  });

  test("what a model can do is its provider's, unless the declaration says otherwise", () => {
    const capabilities = (id: string, settings: ModelSettings = {}) =>
      resolveModel(id, { env: ENV, settings }).capabilities;
    expect(capabilities("anthropic/m")).toMatchObject({ images: true, toolResultImages: true });
    expect(capabilities("ollama/m", { images: false })).toEqual({
      images: false,
      toolResultImages: false,
      files: false,
      tools: true,
      parallelTools: true,
      structuredOutput: true,
    });
    expect(resolveModel("rules", { env: {} }).capabilities).toBeUndefined();
  });

  test("those of the provider stay with it when another model takes its place", () => {
    const settings = { temperature: 0, baseURL: "http://box.test/v1", headers: { a: "b" } };
    const sent = (chosen: unknown) => settingsFor(settings, { declared: "openai/m", chosen });
    expect(sent("openai/m")).toEqual(settings);
    expect(sent("openai/other")).toEqual(settings);
    expect(sent("anthropic/m")).toEqual({ temperature: 0 });
    expect(sent("rules")).toEqual({ temperature: 0 });
    expect(sent({})).toEqual({ temperature: 0 });
  });

  test("one that is computed and wrong is M8133", () => {
    expect(() =>
      settingsFor({ temperature: "hot" }, { declared: "openai/m", chosen: "openai/m" }),
    ).toThrow(
      expect.objectContaining({ code: "M8133", message: "`temperature` of a model is a number" }),
    );
  });
});

test("calls to one provider, address and key share a limiter, and no others", () => {
  const key = (id: string, settings: ModelSettings = {}) =>
    resolveModel(id, { env: ENV, settings }).provider;
  expect(key("openai/a")).toBe(key("openai/b"));
  const keys = [
    key("openai/a"),
    key("openai-chat/a"),
    key("openai/a", { keyVariable: "TEAM_KEY" }),
    key("openai/a", { keyVariable: "TEAM_KEY", baseURL: "http://box.test" }),
    key("anthropic/a"),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(JSON.stringify(keys)).not.toContain("key-of");
});

test("an address with a password is M8101, and nobody sees the password", () => {
  const env = { ...ENV, OPENAI_BASE_URL: "http://me:hidden-word@box.test/v1" };
  const error = errorOf("openai/m", { env });
  expect(error).toEqual(["M8101", expect.stringContaining("has a password"), expect.any(String)]);
  expect(JSON.stringify(error)).not.toContain("hidden-word");
});

describe("packages", () => {
  /** A project with one package of its own. */
  function projectWith(name: string, code: string): string {
    const folder = temporaryFolder();
    const own = join(folder, "node_modules", name);
    mkdirSync(own, { recursive: true });
    const manifest = { name, version: "1.0.0", type: "module", exports: "./index.js" };
    writeFileSync(join(own, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(own, "index.js"), code);
    return folder;
  }
  const provider = (specificationVersion: string) => `
const languageModel = (modelId) => ({
  specificationVersion: "${specificationVersion}", provider: "choir", modelId, supportedUrls: {},
  doStream: async () => ({ stream: ReadableStream.from([
    { type: "text-start", id: "0" }, { type: "text-delta", id: "0", delta: modelId },
  ]) }),
});
`;

  test.each([
    ["by `createX`", "export const createChoir = () => ({ languageModel });"],
    ["as its default", "export default { languageModel };"],
  ])("any provider of the AI SDK is found in the user's project, %s", async (_, exported) => {
    const folder = projectWith("@choir/voices", provider("v4") + exported);
    const handle = resolveModel("@choir/voices/org/alto", { env: {}, folder });
    const { stream } = await handle.model.doStream(CALL);
    expect(await Array.fromAsync(stream)).toMatchObject([{}, { delta: "org/alto" }]);
  });

  test("one that takes a key gets the one that the program names", async () => {
    const { url, headers } = await asked("@ai-sdk/mistral/m", { keyVariable: "TEAM_KEY" });
    expect(url).toBe("https://api.mistral.ai/v1/chat/completions");
    expect(headers.get("authorization")).toBe("Bearer key-of-team");
  });

  test("one that is not there is M8130 with the command, before the run starts", () => {
    expect(errorOf("@choir/voices/alto", { folder: temporaryFolder() })).toEqual([
      "M8130",
      "`@choir/voices/alto` cannot run: the package @choir/voices is not installed",
      "`npm run add -- @choir/voices`",
    ]);
  });

  test.each([
    ["has no provider", "export const createChoir = () => 1;"],
    ["is for another version of the AI SDK", `${provider("v2")}export default { languageModel };`],
  ])("one that %s is M8131", async (_, code) => {
    const folder = projectWith("@choir/voices", code);
    const { model } = resolveModel("@choir/voices/alto", { env: {}, folder });
    await expect(async () => await model.doStream(CALL)).rejects.toMatchObject({
      failure: { class: "model", code: "M8131" },
    });
  });

  test("those of the table are optional peers of the package, in the same versions", () => {
    for (const { package: own } of Object.values(PROVIDER_ENTRIES)) {
      expect(project.peerDependencies).toMatchObject({ [own.name]: own.range });
      expect(project.peerDependenciesMeta).toMatchObject({ [own.name]: { optional: true } });
      expect(project.dependencies).not.toHaveProperty([own.name]);
    }
  });
});
