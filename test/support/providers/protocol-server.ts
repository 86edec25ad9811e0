/** A server on 127.0.0.1 that speaks the protocol of a provider, well or badly. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Protocol, ProtocolAnswer, ProtocolRequest } from "./protocol.ts";

/** One move of the server for one request. */
export type ServerMove =
  | { readonly kind: "answer"; readonly answer: ProtocolAnswer }
  /** Sends the answer when `after` says so. */
  | { readonly kind: "slow"; readonly answer: ProtocolAnswer; readonly after: Promise<void> }
  /** Half of the stream; then the connection is dropped, or the stream ends as if all were said. */
  | { readonly kind: "half"; readonly answer: ProtocolAnswer; readonly isDropped: boolean }
  /** Half of the stream, and nothing more. */
  | { readonly kind: "stuck"; readonly answer: ProtocolAnswer }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "drop" }
  /** A text that is no protocol, as often as told. */
  | { readonly kind: "garbage"; readonly text: string; readonly times?: number };

/** A request as the server has it. */
export interface ServedRequest extends ProtocolRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
  /** Resolves when its connection is closed or its answer is sent; true when the answer was not sent whole. */
  readonly closed: Promise<boolean>;
}

export interface ProtocolServer {
  readonly url: string;
  readonly requests: readonly ServedRequest[];
  /** Resolves when it has been asked `count` times in all. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that answers by these moves in order, or by a function of the request. */
export async function protocolServer(
  protocol: Protocol,
  moves: readonly ServerMove[] | ((request: ServedRequest, index: number) => ServerMove),
): Promise<ProtocolServer> {
  const requests: ServedRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new Promise<boolean>((resolve) =>
      response.once("close", () => resolve(!response.writableFinished)),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const path = request.url ?? "";
    const { headers } = request;
    const served = { path, headers, body, closed, ...protocol.read(path, body as never) };
    const index = requests.push(served) - 1;
    const move = typeof moves === "function" ? moves(served, index) : moves[index];
    await send(move ?? { kind: "status", status: 400, message: "no more answers" }, response, {
      protocol,
      model: served.model,
    });
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    asked: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(
  move: ServerMove,
  response: ServerResponse,
  { protocol, model }: { readonly protocol: Protocol; readonly model: string },
): Promise<void> {
  const head = (headers: object = {}) =>
    response.writeHead(200, { "content-type": protocol.contentType, ...headers });
  switch (move.kind) {
    case "answer":
      head();
      for (const frame of protocol.frames(move.answer, model)) response.write(frame);
      response.end();
      return;
    case "slow":
      void move.after.then(() =>
        send({ kind: "answer", answer: move.answer }, response, { protocol, model }),
      );
      return;
    case "half":
    case "stuck": {
      const frames = protocol.frames(move.answer, model);
      head();
      for (const frame of frames.slice(0, frames.length / 2)) response.write(frame);
      if (move.kind === "stuck") return;
      // After the bytes have left: what came before the cut must arrive.
      if (move.isDropped) response.write("", () => setImmediate(() => response.destroy()));
      else response.end();
      return;
    }
    case "status": {
      const { status, message = `status ${status}`, headers } = move;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(protocol.error(status, message)));
      return;
    }
    case "drop":
      response.destroy();
      return;
    case "garbage":
      head();
      await sendOften(move, response);
      return;
  }
}

/** Sends a text many times, as fast as it is taken, until somebody closes the connection. */
async function sendOften(
  { text, times = 1 }: { readonly text: string; readonly times?: number },
  response: ServerResponse,
): Promise<void> {
  for (let sent = 0; sent < times && !response.destroyed; sent += 1) {
    if (response.write(text)) continue;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        response.off("drain", goOn).off("close", goOn);
        resolve();
      };
      response.once("drain", goOn).once("close", goOn);
    });
  }
  response.end();
}
