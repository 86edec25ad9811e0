/** Remote agents that begin an answer and never end it, and requests that nobody waits for any more. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { a2aController, type StartRequest } from "../../../runtime/index.ts";

const request: StartRequest = {
  ...{ key: "run/1/1", runId: "run", nodeRunId: "run/1", attempt: 1, operator: "asked" },
  ...{ instruction: "Do it.", stateView: {}, inbox: [], artifacts: [], skills: [] },
  ...{ session: "new", tools: [] },
};

/** An agent with a card; `card` and `answer` send it and answer what is posted. */
async function agentAt(
  answer: (response: ServerResponse) => void,
  card: (send: () => void) => void = (send) => send(),
) {
  const posted: string[] = [];
  const server = createServer((incoming, response) => {
    incoming.resume();
    if (incoming.method === "GET")
      card(() => response.setHeader("content-type", "application/json").end(text));
    else {
      posted.push(incoming.url ?? "");
      answer(response);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = JSON.stringify({
    ...{ name: "Silent", description: "", version: "1", skills: [] },
    ...{ defaultInputModes: [], defaultOutputModes: [], capabilities: { streaming: true } },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, posted };
}

test.each([
  ["a stream", "text/event-stream"],
  ["an answer", "application/json"],
])("%s that begins and says nothing is left in time", async (_, type) => {
  const { url } = await agentAt((response) => {
    response.writeHead(200, { "content-type": type }).flushHeaders();
  });
  const started = a2aController(url, { timeoutMs: 200 }).start(request);
  await expect(started).rejects.toMatchObject({
    failure: { code: "M5214", class: "transport", message: /within 0\.2 s/ },
  });
});

test("the task of a remote agent that nobody waits for is not begun", async () => {
  const asked = Promise.withResolvers<() => void>();
  const { url, posted } = await agentAt((response) => response.end(), asked.resolve);
  const gone = new AbortController();
  const started = a2aController(url).start(request, gone.signal);
  const send = await asked.promise;
  gone.abort();
  send();
  await expect(started).rejects.toMatchObject({ name: "AbortError" });
  expect(posted).toEqual([]);
});
