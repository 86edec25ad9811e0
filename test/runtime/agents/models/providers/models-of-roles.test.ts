/** A graph whose agents have a model each: what the servers of the providers see of one run. */
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../../../runtime/index.ts";
import { temporaryFolder } from "../../../../support/child.ts";
import { anthropicMessages } from "../../../../support/providers/anthropic-messages.ts";
import { googleGenerate } from "../../../../support/providers/google-generate.ts";
import { openAiResponses } from "../../../../support/providers/openai-responses.ts";
import type { Protocol } from "../../../../support/providers/protocol.ts";
import { protocolServer } from "../../../../support/providers/protocol-server.ts";

async function serve(protocol: Protocol) {
  const server = await protocolServer(protocol, ({ model }) => ({
    kind: "answer",
    answer: { text: `${model} says so` },
  }));
  onTestFinished(() => server.close());
  return server;
}

const PROGRAM = `model planner  = "openai/gpt-5"
model searcher = "openai/gpt-5-mini" { temperature: 0 }
model guard    = "anthropic/claude-opus-4-5" { maxOutputTokens: 300 }
model writer   = "google/gemini-3-pro"

graph Team(task: string) returns answer {
  state {
    plan:   string
    found:  string
    verdict: string
    answer: string
  }
  agent plan { model planner; prompt \`Plan \${task}\`; writes plan }
  agent search { model searcher; prompt \`Search for \${plan}\`; writes found }
  agent check { model guard; prompt \`Is it safe? \${found}\`; writes verdict }
  agent write { model writer; prompt \`Write \${found}, \${verdict}\`; writes answer }
  start -> plan -> search -> check -> write -> end
}`;

test("M21 each agent asks the model of its role, by its own provider", async () => {
  const [openai, anthropic, google] = [
    await serve(openAiResponses),
    await serve(anthropicMessages),
    await serve(googleGenerate),
  ];
  const env = {
    ...openAiResponses.env(openai.url, "key-of-openai"),
    ...anthropicMessages.env(anthropic.url, "key-of-anthropic"),
    ...googleGenerate.env(google.url, "key-of-google"),
  };
  const session = new Session({ cwd: temporaryFolder(), store: "memory", env });
  onTestFinished(() => session.close());
  const { Team } = session.compile(PROGRAM);
  const run = Team?.run({ task: "a walk" });
  expect(await run?.output).toEqual({ answer: "gemini-3-pro says so" });
  const models = (server: typeof openai) => server.requests.map(({ model }) => model);
  expect(models(openai)).toEqual(["gpt-5", "gpt-5-mini"]);
  expect(models(anthropic)).toEqual(["claude-opus-4-5"]);
  expect(models(google)).toEqual(["gemini-3-pro"]);
  expect(openai.requests[0]?.headers.authorization).toBe("Bearer key-of-openai");
  expect(anthropic.requests[0]?.headers["x-api-key"]).toBe("key-of-anthropic");
  expect(anthropic.requests[0]?.body).toMatchObject({ max_tokens: 300 });
  expect(google.requests[0]?.headers["x-goog-api-key"]).toBe("key-of-google");
});
