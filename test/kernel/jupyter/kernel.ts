/** A kernel whose main thread is this test's: the real worker 1 over loopback, and cells that are words. */
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { onTestFinished } from "vitest";
import type { CellOutput } from "../../../kernel/cell-output.ts";
import {
  type CellReply,
  type CellRequest,
  type CommPacket,
  Phase,
} from "../../../kernel/jupyter/link.ts";
import { type JupyterLink, startJupyter } from "../../../kernel/jupyter/main/start.ts";
import {
  type Connection,
  createConnection,
  writeConnection,
} from "../../../kernel/jupyter/wire/connection.ts";
import { temporaryFolder } from "../../support/child.ts";
import { connectClient, type JupyterClient } from "../../support/jupyter-client.ts";

export interface TestKernel {
  readonly connection: Connection;
  readonly link: JupyterLink;
  readonly client: JupyterClient;
  /** The requests that reached the main thread, in order. */
  readonly cells: readonly CellRequest[];
  /** Ends the cells that say `wait`. */
  release(): void;
  readonly calls: readonly string[];
  /** The port that completion was asked for, once it was. */
  servePort(port: MessagePort): void;
}

/**
 * Cells are lines: `out TEXT`, `err TEXT`, `show TEXT`, `value TEXT`, `ask PROMPT`, `clear`, `fail TEXT`, `wait`, `target NAME`.
 * Comms answer each message with the same, until they are told to `close`.
 */
export async function startKernel(
  options: { readonly startTypes?: (link: () => JupyterLink) => void; readonly key?: string } = {},
): Promise<TestKernel> {
  const created = await createConnection();
  const connection = { ...created, key: options.key ?? created.key };
  const file = join(temporaryFolder(), "kernel.json");
  writeConnection(file, connection);
  const state = createState();
  const link = await startJupyter(file, {
    execute: (request) => state.run(request, link),
    comm: async (id, packet) => state.comm({ id, packet }, link),
    cancel: () => state.cancel(link),
    debug: async () => undefined,
    isEnding: () => false,
    startTypes: () => {
      state.calls.push("startTypes");
      options.startTypes?.(() => link);
    },
    close: async () => void state.calls.push("close"),
  });
  const client = await connectClient(connection);
  onTestFinished(async () => {
    client.send("shutdown_request", { restart: false }, { channel: "control" });
    await link.closed;
  });
  const { cells, calls, release } = state;
  return { connection, link, client, cells, calls, release, servePort: (port) => link.types(port) };
}

function createState() {
  const cells: CellRequest[] = [];
  const calls: string[] = [];
  const waiting = new Set<PromiseWithResolvers<string>>();
  const end = (how: string) => {
    for (const { resolve } of waiting) resolve(how);
    waiting.clear();
  };
  return {
    cells,
    calls,
    release: () => end("released"),
    cancel(link: JupyterLink) {
      calls.push("cancel");
      end("cancelled");
      link.cancelled();
    },
    comm({ id, packet }: { readonly id: string; readonly packet: CommPacket }, link: JupyterLink) {
      const { commId, data, buffers } = packet;
      calls.push(
        `${packet.kind} ${commId} ${JSON.stringify(data)} ${buffers.map(({ length }) => length)}`,
      );
      if (packet.kind !== "message") return;
      link.comm({ ...packet, kind: data === "close" ? "close" : "message" }, id);
    },
    async run(request: CellRequest, link: JupyterLink): Promise<CellReply> {
      cells.push(request);
      const show = (output: CellOutput) => link.output(request.id, output);
      for (const line of request.code.split("\n")) {
        const text = line.replace(/^\w+ ?/, "");
        if (line.startsWith("fail")) return failed(text);
        if (line.startsWith("target")) link.commTarget(text, true);
        else if (line.startsWith("ask")) {
          show({ kind: "stream", name: "stdout", text: link.ask(request.id, text, false) });
        } else if (line.startsWith("wait")) {
          const ending = Promise.withResolvers<string>();
          waiting.add(ending);
          link.phase(Phase.awaiting);
          show({ kind: "stream", name: "stdout", text: "waits\n" });
          const how = await ending.promise;
          link.phase(Phase.idle);
          if (how === "cancelled") return failed("cancelled");
        } else for (const output of outputsOf(line, text)) show(output);
      }
      const { userExpressions } = request;
      return {
        status: "ok",
        userExpressions: "big" in userExpressions ? { big: 1n } : userExpressions,
      };
    },
  };
}

function outputsOf(line: string, text: string): readonly CellOutput[] {
  const bundle = { data: { "text/plain": text }, metadata: {} };
  if (line.startsWith("out")) return [{ kind: "stream", name: "stdout", text: `${text}\n` }];
  if (line.startsWith("err")) return [{ kind: "stream", name: "stderr", text: `${text}\n` }];
  if (line.startsWith("show")) return [{ kind: "display", bundle, displayId: "d1" }];
  if (line.startsWith("update")) return [{ kind: "update", bundle, displayId: "d1" }];
  if (line.startsWith("value")) return [{ kind: "result", bundle }];
  if (line.startsWith("clear")) return [{ kind: "clear", wait: true }];
  if (line.startsWith("odd")) {
    return [{ kind: "display", bundle: { data: { "text/plain": 1n }, metadata: {} } }];
  }
  return [];
}

function failed(evalue: string): CellReply {
  const error = { kind: "error", ename: "Oops", evalue, traceback: [`Oops: ${evalue}`] } as const;
  return { status: "error", error };
}
