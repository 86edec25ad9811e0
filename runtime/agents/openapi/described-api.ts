/** Holds one declared API of a run: reads its description once, and calls its operations. */

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type DescribedApi, isServerAddress } from "../../../dsl/index.ts";
import { TIMER_MAX_MS } from "../../clock.ts";
import { DoubtfulEnd, type Failure, FailureError, messageOf } from "../../failure.ts";
import type { ServerAccess, ServerVariables } from "../mcp/server-access.ts";
import { isLostConnection } from "../values/lost-connection.ts";
import { assertWebUrl, requestGuarded, type WebAnswer } from "../web/guarded-request.ts";
import { declaredHosts } from "../web/reachable-addresses.ts";
import { operationValue } from "./operation-answer.ts";
import { operationRequest } from "./operation-request.ts";
import {
  type ApiOperation,
  idempotencyParameter,
  isReading,
  listOperations,
} from "./operations.ts";
import {
  DESCRIPTION_BYTES_MAX,
  DescriptionFault,
  placeIn,
  readDescription,
} from "./read-description.ts";

/** The parts of an API of a run. */
export interface OpenApi {
  readonly name: string;
  readonly api: DescribedApi;
  readonly access: ServerAccess;
  readonly env: ServerVariables;
  /** The folder that the description is in. */
  readonly folder: string;
  /** The time of one call, in milliseconds. */
  readonly callMs: number;
}

const ANSWER_BYTES_MAX = 10 * 1024 * 1024;

/** Lists the operations of an API. Rejects with M8417 for a description that can't be read. */
export async function readOperations(
  of: OpenApi,
  signal: AbortSignal,
): Promise<readonly ApiOperation[]> {
  const { name, api } = of;
  const { description, url } = api;
  const isAddress = isServerAddress(description);
  const file = isAddress ? description : resolve(of.folder, description);
  let text = "";
  try {
    text = isAddress ? await fetchText(of, new URL(description), signal) : await readText(file);
    return listOperations(readDescription(text), {
      url,
      ...(isAddress ? { from: description } : {}),
    });
  } catch (thrown) {
    if (signal.aborted || thrown instanceof FailureError) throw thrown;
    const fault = thrown instanceof DescriptionFault ? thrown : undefined;
    const at = fault && placeIn(text, fault);
    const where = at === undefined ? description : `${description}:${at.line}:${at.column}`;
    throw new FailureError(
      {
        class: isAddress && fault === undefined ? "transport" : "tool",
        code: "M8417",
        message: `the description of the API \`${name}\` can't be read: ${where}: ${messageOf(thrown)}`,
        ...(fault?.hint === undefined ? {} : { hint: fault.hint }),
      },
      { cause: thrown },
    );
  }
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > DESCRIPTION_BYTES_MAX) throw new DescriptionFault("it is too long");
  return await readFile(file, "utf8");
}

async function fetchText(of: OpenApi, url: URL, signal: AbortSignal): Promise<string> {
  assertWebUrl(url);
  const answer = await requestGuarded(url, {
    signal,
    privateHosts: declaredHosts([url.host], of.env),
    timeoutMs: of.callMs,
    bytesMax: DESCRIPTION_BYTES_MAX,
  });
  if (answer.status !== 200) throw new Error(`it was answered with ${answer.status}`);
  return answer.body.toString("utf8");
}

/** Calls an operation. Rejects with M8418 to M8420, and what a request that is guarded rejects with. */
export async function callOperation(
  operation: ApiOperation,
  of: OpenApi,
  call: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
    readonly idempotencyKey: string;
  },
): Promise<unknown> {
  const { api, access, env } = of;
  const input = withKey(operation, call.input, call.idempotencyKey);
  const secret = api.auth === undefined ? undefined : env[api.auth];
  const { headers } = access;
  const { url, ...request } = await operationRequest(operation, { input, headers, secret });
  assertWebUrl(url);
  let answer: WebAnswer;
  try {
    answer = await requestGuarded(url, {
      ...request,
      signal: call.signal,
      // Whoever writes an address into the program means that address.
      privateHosts: declaredHosts(api.url === undefined ? [] : [hostOf(api.url)], env),
      // The time of a call is that of its tool.
      timeoutMs: TIMER_MAX_MS,
      bytesMax: ANSWER_BYTES_MAX,
    });
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    throw unreached(operation, thrown);
  }
  return operationValue(operation, answer);
}

function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

function withKey(
  operation: ApiOperation,
  input: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  const member = idempotencyParameter(operation);
  return member === undefined ? input : { ...input, [member]: key };
}

/** The failure of a call that changes something and whose connection was lost: nobody knows whether it was made. */
function unreached({ method }: ApiOperation, thrown: unknown): unknown {
  const { code, hint } = thrown as { readonly code?: unknown; readonly hint?: string };
  if (code !== "M8602") return thrown;
  const failure: Failure = {
    class: "transport",
    code: "M8602",
    message: messageOf(thrown),
    ...(hint === undefined ? {} : { hint }),
  };
  const isDoubtful = !isReading(method) && isLostConnection(thrown);
  return isDoubtful
    ? new DoubtfulEnd(failure, { cause: thrown })
    : new FailureError(failure, { cause: thrown });
}
