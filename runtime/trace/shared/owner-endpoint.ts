/** Lets other processes read what this one has traced and nobody can read in a file yet: on this machine, with its token. */
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { messageOf } from "../../failure.ts";
import {
  bytesOf,
  isFromHere,
  isSame,
  listenHere,
  parsed,
  Refusal,
  reply,
} from "../otlp/import/loopback.ts";
import { SqlError } from "../sql/sql-error.ts";
import { placeFile } from "./place-file.ts";

/** What others may ask. */
export interface Owner {
  /** Rows of one SELECT; rejects with `SqlError`. */
  query(sql: string): Promise<{ readonly rows: readonly unknown[]; readonly cut: boolean }>;
  /** The runs that no file has as they are now: `[run_id, last_seq, log_id]`. */
  live(): Promise<readonly LiveRun[]>;
  /** The rows of runs, as a Parquet file. */
  rows(runIds: readonly string[]): Promise<Uint8Array>;
}

export type LiveRun = readonly [runId: string, seq: number, logId: number | null];

/** What stands in the file beside a live one; it is its owner's alone. */
export interface Address {
  readonly owner: string;
  readonly pid: number;
  readonly port: number;
  readonly token: string;
}

const BODY_MAX = 1024 * 1024;

/** The address of the owner of a live file. */
export function addressFile(liveFile: string): string {
  return liveFile.replace(/\.duckdb$/, ".endpoint.json");
}

/** Serves until it is closed; it keeps no process alive. */
export async function serveOwner(
  liveFile: string,
  owner: Owner,
): Promise<{ close(): Promise<void> }> {
  const token = randomBytes(32).toString("base64url");
  const { port, close, unref } = await listenHere((request, response) => {
    void answer(request, response, { token, owner });
  }, 0);
  unref();
  const file = addressFile(liveFile);
  const address: Address = {
    owner: basename(liveFile, ".duckdb"),
    pid: process.pid,
    port,
    token,
  };
  await placeFile({ folder: dirname(file), name: basename(file) }, async (path) => {
    writeFileSync(path, JSON.stringify(address), { mode: 0o600 });
  });
  return {
    async close() {
      rmSync(file, { force: true });
      await close();
    },
  };
}

interface Serving {
  readonly token: string;
  readonly owner: Owner;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { token, owner }: Serving,
): Promise<void> {
  try {
    assertAllowed(request, token);
    const body = parsed((await bytesOf(request, BODY_MAX)).toString("utf8"));
    await answerTo(request.url, body as Asked, { owner, response });
  } catch (error) {
    const status = error instanceof Refusal ? error.status : error instanceof SqlError ? 400 : 500;
    const { code, hint } = error as Partial<SqlError>;
    reply(response, status, { error: { code, message: messageOf(error), hint } });
    request.resume();
  }
}

interface Asked {
  readonly sql?: unknown;
  readonly runs?: unknown;
}

async function answerTo(
  path: string | undefined,
  { sql, runs }: Asked,
  { owner, response }: { readonly owner: Owner; readonly response: ServerResponse },
): Promise<void> {
  if (path === "/query" && typeof sql === "string") {
    reply(response, 200, await owner.query(sql));
  } else if (path === "/live") {
    reply(response, 200, { runs: await owner.live() });
  } else if (path === "/rows" && Array.isArray(runs)) {
    const bytes = await owner.rows(runs.map(String));
    response.writeHead(200, { "content-type": "application/vnd.apache.parquet" });
    response.end(bytes);
  } else {
    throw new Refusal("there is /query { sql }, /live {} and /rows { runs }", { status: 404 });
  }
}

function assertAllowed(request: IncomingMessage, token: string): void {
  if (!isFromHere(request)) {
    throw new Refusal("only programs on this machine may ask, and no web pages", { status: 403 });
  }
  if (!isSame(request.headers.authorization ?? "", `Bearer ${token}`)) {
    throw new Refusal("the token stands in the file beside the live one: Authorization: Bearer", {
      status: 401,
    });
  }
  if (request.method !== "POST") throw new Refusal("questions are posted", { status: 405 });
}
