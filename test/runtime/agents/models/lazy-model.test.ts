/** Models that are loaded at their first call, and shared by the runs that make the same. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { lazyModel } from "../../../../runtime/agents/models/lazy-model.ts";
import { resolveModel } from "../../../../runtime/agents/models/model.ts";
import { scripted } from "../../../../runtime/agents/models/scripted.ts";

const CALL = {
  prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }],
};

test("a model whose package could not be loaded is loaded by the next call, and then once", async () => {
  let loads = 0;
  const model = lazyModel({ provider: "p", modelId: "m" }, async () => {
    loads += 1;
    if (loads === 1) throw new Error("not there");
    return scripted(["a", "b"]);
  });
  await expect(async () => await model.doStream(CALL)).rejects.toThrow("not there");
  await model.doStream(CALL);
  await model.doStream(CALL);
  expect(loads).toBe(2);
});

test("runs share a model, but none that has another key, address or header", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization} ${request.headers["x-team"]}`);
    response.writeHead(400).end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string, key: string, team?: string) => {
    const env = {
      OPENAI_COMPATIBLE_BASE_URL: `${address}/${path}`,
      OPENAI_COMPATIBLE_API_KEY: key,
    };
    const settings = team === undefined ? {} : { headers: { "x-team": team } };
    const { model } = resolveModel("openai-compatible/m", { env, settings });
    await expect(async () => await model.doStream(CALL)).rejects.toThrow();
  };
  await ask("a", "first");
  await ask("a", "second");
  await ask("b", "second");
  await ask("b", "second", "blue");
  await ask("a", "first");
  const at = "chat/completions";
  expect(asked).toEqual([
    `/a/${at} Bearer first undefined`,
    `/a/${at} Bearer second undefined`,
    `/b/${at} Bearer second undefined`,
    `/b/${at} Bearer second blue`,
    `/a/${at} Bearer first undefined`,
  ]);
});
