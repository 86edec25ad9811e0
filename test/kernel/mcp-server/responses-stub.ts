/** A server on loopback in the place of Codex's model: it answers requests of the Responses API in order, and leads to no other host. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { sseFrame } from "../../support/providers/protocol.ts";

/** A tool of a server of MCP, as Codex offers it to its model. */
interface OfferedNamespace {
  readonly type: string;
  readonly name: string;
  readonly tools?: readonly { readonly name: string; readonly description: string }[];
}

/** A request as far as tests look at it. */
export interface StubRequest {
  readonly authorization: string | undefined;
  readonly tools: readonly OfferedNamespace[];
  readonly input: readonly { readonly type: string; readonly output?: unknown }[];
}

/** Starts the server, which says one item of the API a request; a request too many is answered with 404. */
export async function startResponsesStub(items: readonly object[]) {
  const requests: StubRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const item = request.method === "POST" ? items[requests.length] : undefined;
    if (item === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { authorization } = request.headers;
    requests.push({ authorization, ...JSON.parse(Buffer.concat(chunks).toString("utf8")) });
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [
      { type: "response.created", response: { id: "resp_1" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "resp_1", usage } },
    ])
      response.write(sseFrame(event, event.type));
    response.end();
  });
  // Whoever takes it for a proxy gets nowhere.
  server.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
