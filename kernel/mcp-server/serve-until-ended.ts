/** Serves MCP over stdio, or over HTTP where the call says `--http`, until its client or a signal ends it. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { messageOf, servers } from "../../runtime/index.ts";
import type { CommandCall } from "../cli/arguments.ts";
import { protocolStdout, tell } from "../cli/output.ts";
import { CommandError } from "../command-error.ts";

/** The stdout that carries the protocol alone, or the port and the token of HTTP. */
export type ServingPlace =
  | { readonly stdout: Writable }
  | { readonly port: number; readonly token: string };

/** Reads where to serve. Output of a program's TypeScript must not stand between the messages of the protocol from then on. */
export function servingPlace(call: CommandCall): ServingPlace {
  const http = portOf(call.text("http"));
  if (http === undefined) return { stdout: protocolStdout() };
  return { port: http, token: call.text("token") ?? randomBytes(24).toString("base64url") };
}

/** Serves until SIGINT, SIGTERM, or the end of stdin; `offers` is told. */
export async function serveUntilEnded(
  factory: McpServerFactory,
  place: ServingPlace,
  offers: string,
): Promise<void> {
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  tell(`madrigal mcp: offers ${offers}`);
  if ("stdout" in place) {
    const transport = new StdioServerTransport(process.stdin, place.stdout);
    const onerror = (error: Error) => tell(`madrigal mcp: ${error.message}`);
    const serving = serveStdio(factory, { transport, onerror });
    await Promise.race([ended, once(process.stdin, "end"), once(process.stdin, "close")]);
    await serving.close();
  } else {
    const serving = await listen(factory, place);
    await ended;
    await serving.close();
  }
}

async function listen(
  factory: McpServerFactory,
  { port, token }: Extract<ServingPlace, { readonly port: number }>,
): Promise<servers.HttpServing> {
  try {
    const serving = await servers.serveHttp(factory, { port, token, tell });
    tell(`madrigal mcp: ${serving.url}\nmadrigal mcp: Authorization: Bearer ${token}`);
    return serving;
  } catch (cause) {
    throw takenPort(port, cause);
  }
}

/** The error of a port on which no server can listen. */
export function takenPort(port: number, cause: unknown): CommandError {
  return new CommandError("M7104", `no server can listen on port ${port}: ${messageOf(cause)}`, {
    hint: "choose another port, or 0 for a free one",
    cause,
  });
}

/** The port that an option names; throws M7104 for what is none. */
export function portOf(text: string | undefined, option = "http"): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new CommandError("M7104", `\`--${option} ${text}\` is no port`, {
    hint: "a number up to 65535; 0 takes a free one",
  });
}
