/** `madrigal models`: which model an alias stands for and why, what is missing, and one question to each. */
import { test as baseTest, expect } from "vitest";
import { openAiServer } from "../../../support/openai-server.ts";
import { missing } from "../../../support/python-env.ts";
import { smallModel } from "../../../support/small-model.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const reason = await missing("small-model");
const test = baseTest.skipIf(reason !== undefined);

const program = `model smart = "openai-compatible/big"
model fast = "rules"
graph G() returns a, b {
  state {
    a: string
    b: string
  }
  agent think { model smart; prompt \`Think.\`; writes a }
  agent write { model fast; prompt \`Write.\`; writes b }
  start -> think -> write -> end
}
`;

const nothing = { MADRIGAL_CACHE: "/nowhere" };

baseTest(
  "each alias with its model, the reason and the price; what can't be asked says why",
  async () => {
    const home = workspace({ "g.madrigal": program });
    expect(
      await said(home, ["models", "g.madrigal", "--model", "fast=rules"], { env: nothing }),
    ).toMatchInlineSnapshot(`
      "exit 1
      provider
      rules              configured  in this process, without a language model
      gguf               missing     the package node-llama-cpp is not installed
      openai             missing     the provider \`openai\` is not configured, OPENAI_API_KEY is not set
      openai-chat        missing     the provider \`openai-chat\` is not configured, OPENAI_API_KEY is not set
      anthropic          missing     the provider \`anthropic\` is not configured, ANTHROPIC_API_KEY is not set
      google             missing     the provider \`google\` is not configured, GOOGLE_GENERATIVE_AI_API_KEY is not set
      azure              missing     the provider \`azure\` is not configured, AZURE_API_KEY is not set
      bedrock            missing     the provider \`bedrock\` is not configured, AWS_REGION is not set
      mistral            missing     the provider \`mistral\` is not configured, MISTRAL_API_KEY is not set
      ollama             configured  http://127.0.0.1:11434/v1
      openai-compatible  missing     the provider \`openai-compatible\` is not configured, OPENAI_COMPATIBLE_BASE_URL is not set

      alias  model                  because of  price of 1M tokens
      smart  openai-compatible/big  program     unknown             M8101: g.madrigal:1:1 \`openai-compatible/big\` cannot run: the provider \`openai-compatible\` is not configured, OPENAI_COMPATIBLE_BASE_URL is not set
      fast   rules                  --model     $0 in, $0 out       ready"
    `);
    const { exit, json } = await document(home, ["models", "g.madrigal"], {
      env: { ...nothing, MADRIGAL_MODEL: "gguf/none" },
    });
    expect(exit).toBe(1);
    expect(json.models).toMatchObject([
      {
        alias: "smart",
        declared: "openai-compatible/big",
        id: "gguf/none",
        from: "MADRIGAL_MODEL",
        error: { code: "M8141" },
      },
      { alias: "fast", declared: "rules", id: "gguf/none", from: "MADRIGAL_MODEL", price: null },
    ]);
  },
);

test("--try asks each model once: the answer, its time and tokens, or the error", async () => {
  let requests = 0;
  const server = await openAiServer(() => {
    requests += 1;
    return { status: 500, body: { error: { message: "no ink" } } };
  });
  const home = workspace({ "g.madrigal": program });
  const env = { ...smallModel, OPENAI_COMPATIBLE_BASE_URL: server.url };
  const words = ["models", "g.madrigal", "--model", "fast=gguf/smollm2", "--try"];
  const ended = await madrigal([...words, "--json"], { home, env });
  await server.close();
  expect([ended.code, requests]).toEqual([1, 1]);
  const json = JSON.parse(ended.stdout);
  expect(json.models).toMatchObject([
    { alias: "smart", trial: { failure: { code: "M8106" } } },
    {
      alias: "fast",
      id: "gguf/smollm2",
      from: "--model",
      source: "live",
      price: { input: 0, output: 0 },
      trial: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    },
  ]);
  expect(json.fetched).toMatchObject([{ name: "smollm2", bytes: 98_362_432 }]);
});

test("fetch finds what is there already, and says under which id it is asked", async () => {
  const home = workspace();
  const ended = await madrigal(["models", "fetch", "smollm2"], { home, env: smallModel });
  expect([ended.code, ended.stdout]).toEqual([
    0,
    "gguf/smollm2 is ready: MADRIGAL_MODEL=gguf/smollm2 madrigal run FILE\n",
  ]);
  expect(ended.stderr).toContain("smollm2 is there: ");
});

baseTest.each([
  [["fetch"], "M7103", "`madrigal models fetch smollm2`"],
  [["fetch", "smolm2"], "M8149", "did you mean `smollm2`?"],
  [["remove", "llama"], "M8149", "any other GGUF file is used where it lies"],
  [["fetch", "smollm2", "more"], "M7103", "one argument too many"],
  [["none.madrigal"], "M7201", "none.madrigal"],
])("models %s is %s", async (words, code, text) => {
  const ended = await madrigal(["models", ...words], { home: workspace(), env: nothing });
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain(`error[${code}]`);
  expect(ended.stderr).toContain(text);
});

baseTest("remove says when there is nothing to remove", async () => {
  expect(await said(workspace(), ["models", "remove", "smollm2"], { env: nothing })).toBe(
    "exit 0\nnothing to remove: smollm2 is not in /nowhere/models",
  );
});
