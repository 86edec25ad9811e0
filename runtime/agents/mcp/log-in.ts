/** Logs a person in to an MCP server by OAuth: the browser comes back to an address of this machine, and the tokens are kept. */
import { existsSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { DeclaredServer } from "../../../dsl/index.ts";
import { messageOf, RunError } from "../../failure.ts";
import type { ServerVariables } from "./server-access.ts";
import { ServerTokens, tokensFile } from "./server-tokens.ts";

/** A server, and the person that it asks to log in. */
export interface LogIn {
  readonly server: DeclaredServer;
  readonly env: ServerVariables;
  /** Shows a page to the person. */
  readonly open: (page: URL) => void;
  readonly signal?: AbortSignal;
}

const PATH = "/callback";

/** Resolves with the file that has the tokens; throws M8416 where the server or the person says no. */
export async function logIn({ server, env, open, signal }: LogIn): Promise<string> {
  const { connection, name } = server;
  if (connection.kind !== "http" || connection.auth !== "oauth") throw notForPeople(name);
  const { url } = connection;
  const file = tokensFile(url, env);
  const browser = await waitForBrowser(signal);
  try {
    const redirect = { address: browser.address, open };
    const tokens = new ServerTokens({ name, file, redirect });
    const sdk = await import("@modelcontextprotocol/client");
    const of = { sdk, url, tokens, browser };
    if (!(await connectOnce(of))) await connectOnce(of);
    return file;
  } catch (thrown) {
    throw refusedLogIn(name, thrown);
  } finally {
    browser.close();
  }
}

interface WayIn {
  readonly sdk: typeof import("@modelcontextprotocol/client");
  readonly url: string;
  readonly tokens: ServerTokens;
  readonly browser: { readonly answer: Promise<URLSearchParams> };
}

/** Connects; where the server wants a person first, waits for that, and returns false. */
async function connectOnce({ sdk, url, tokens, browser }: WayIn): Promise<boolean> {
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { authProvider: tokens });
  const negotiation = { versionNegotiation: { mode: "auto" } } as const;
  const client = new sdk.Client({ name: "madrigal", version: "1" }, negotiation);
  try {
    await client.connect(transport);
    await client.listTools();
    return true;
  } catch (thrown) {
    if (!(thrown instanceof sdk.UnauthorizedError)) throw thrown;
  } finally {
    await client.close();
  }
  const answer = await browser.answer;
  if (answer.get("state") !== tokens.state()) throw new Error("the page led back from elsewhere");
  await transport.finishAuth(answer);
  return false;
}

/** Removes the tokens of a server; returns whether there were any. */
export function logOut({ connection }: DeclaredServer, env: ServerVariables): boolean {
  const file = connection.kind === "http" ? tokensFile(connection.url, env) : "";
  const isThere = existsSync(file);
  if (isThere) rmSync(file);
  return isThere;
}

/** A server of this machine alone, to which the page of the authorization server leads back. */
async function waitForBrowser(signal: AbortSignal | undefined): Promise<{
  readonly address: string;
  readonly answer: Promise<URLSearchParams>;
  readonly close: () => void;
}> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  answer.catch(() => {});
  const { createServer } = await import("node:http");
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname !== PATH) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
    response.end("Madrigal has got an answer. You can close this page.\n");
    resolve(searchParams);
  });
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${PATH}`,
    answer,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refusedLogIn(name: string, cause: unknown): RunError {
  const message = `the server \`${name}\` does not let us in: ${messageOf(cause)}`;
  return new RunError("M8416", message, { hint: "look at what its page said", cause });
}

function notForPeople(name: string): RunError {
  return new RunError("M8416", `nobody logs in to the server \`${name}\``, {
    hint: `only a server with \`http("…", "oauth")\` wants that`,
  });
}
