/** Serves an API on this machine, keeps what it was asked, and writes descriptions of it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes as they are; anything else as JSON; `cut` ends the connection. */
  readonly body?: unknown;
}

/** The address of a server that answers by `answer`, and what it was asked. It ends with the test. */
export async function serveApi(
  answer: (request: SeenRequest) => Answered,
): Promise<{ readonly url: string; readonly seen: readonly SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks) };
    seen.push(one);
    const { status = 200, headers: sent = {}, body } = answer(one);
    if (body === "cut") {
      request.socket.destroy();
      return;
    }
    const isPlain = typeof body === "string" || body instanceof Buffer;
    response.writeHead(status, {
      ...(isPlain || body === undefined ? {} : { "content-type": "application/json" }),
      ...sent,
    });
    response.end(isPlain || body === undefined ? body : JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** The path of a file with a description, gone after the test. */
export function descriptionFile(description: object | string, name = "api.json"): string {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, typeof description === "string" ? description : JSON.stringify(description));
  return file;
}

/** A description of one operation, `go`. */
export function describedBy(
  operation: object,
  { path = "/go", method = "get", ...root }: { path?: string; method?: string } & object = {},
): object {
  return {
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: { [path]: { [method]: { operationId: "go", responses: {}, ...operation } } },
    ...root,
  };
}
