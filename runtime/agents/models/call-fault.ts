/** Turns the errors of model providers into failures with a class, a code and a hint. */
import { type Failure, FailureError, messageOf, stackOf } from "../../failure.ts";
import { thrownText } from "../values/thrown.ts";
import type { ModelHandle } from "./model-handle.ts";

/** The failure of one try of a model call, and whether another try may help. */
export interface CallFault {
  readonly failure: Failure;
  readonly again: boolean;
  /** The provider has too much to do: nobody calls it for a while. */
  readonly isOverloaded?: true;
  /** The wait that the provider asks for, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause: unknown;
}

/** Thrown inside a try for what a provider sends instead of an answer. */
export class StreamFault extends Error {
  /** The provider's own error object, or what is wrong with its stream. */
  readonly detail: unknown;

  constructor(message: string, detail?: unknown) {
    super(message);
    this.name = "StreamFault";
    this.detail = detail;
  }
}

/** Reads what a try threw: an HTTP status, a lost connection, a broken stream, or the code of a local model. */
export function readFault(thrown: unknown, handle: ModelHandle, now: number): CallFault {
  if (thrown instanceof FailureError)
    return { failure: thrown.failure, again: false, cause: thrown };
  const http = httpAnswer(thrown);
  if (http !== undefined) return httpFault(http, handle, { now, cause: thrown });
  if (handle.source === "live") return liveFault(thrown, handle);
  const failure: Failure = {
    class: "model",
    code: "M8110",
    message: `the model \`${handle.id}\` threw: ${thrownText(thrown)}`,
    ...stackOf(thrown),
  };
  return { failure, again: false, cause: thrown };
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// By shape and not by class: an own model may bring its own copy of the AI SDK.
function httpAnswer(thrown: unknown): HttpAnswer | undefined {
  if (!(thrown instanceof Error) || !("statusCode" in thrown)) return undefined;
  // An answer of 200 that could not be read is not a refusal: its stream broke.
  if (typeof thrown.statusCode !== "number" || thrown.statusCode < 300) return undefined;
  const headers = "responseHeaders" in thrown ? thrown.responseHeaders : undefined;
  const body = "responseBody" in thrown ? thrown.responseBody : undefined;
  return {
    status: thrown.statusCode,
    headers: isHeaders(headers) ? headers : {},
    body: typeof body === "string" && body !== "" ? body : thrown.message,
  };
}

function isHeaders(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null;
}

function httpFault(
  { status, headers, body }: HttpAnswer,
  handle: ModelHandle,
  { now, cause }: { readonly now: number; readonly cause: unknown },
): CallFault {
  const detailText = excerpt(body, handle);
  if (status === 401 || status === 403) {
    return { failure: refusedCredentials(handle, status, detailText), again: false, cause };
  }
  if (status < 500 && FILTERED.test(body)) {
    const message = `a content filter of \`${handle.id}\` refuses the request: ${status}: ${detailText}`;
    return { failure: filtered(handle.id, message), again: false, cause };
  }
  if (status === 413 || (status !== 429 && TOO_LONG.test(body)))
    return { failure: tooLong(handle, `${status}: ${detailText}`), again: false, cause };
  const again = isWorthAnother(status) && !/insufficient_quota/.test(body);
  if (!again) return { failure: refusedRequest(handle, `${status}: ${detailText}`), again, cause };
  const failure = unreachable(handle, `it answered ${status}: ${detailText}`);
  const retryAfterMs = retryAfter(headers, now);
  return {
    failure,
    again,
    cause,
    ...(OVERLOADED.includes(status) ? { isOverloaded: true } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Too many requests, no capacity; 529 is Anthropic's. */
const OVERLOADED: readonly number[] = [429, 503, 529];

/** As OpenAI, Azure and Google say it. */
const FILTERED = /content_filter|content_policy|ResponsibleAIPolicyViolation|PROHIBITED_CONTENT/;

function isWorthAnother(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
}

// What is neither an HTTP answer nor ours is the connection: refused, reset, cut, or filled with something else.
function liveFault(thrown: unknown, handle: ModelHandle): CallFault {
  const detail = thrown instanceof StreamFault ? detailText(thrown.detail) : causeText(thrown);
  const responseText = excerpt(`${messageOf(thrown)}${detail === "" ? "" : `: ${detail}`}`, handle);
  if (thrown instanceof StreamFault && TOO_LONG.test(detail))
    return { failure: tooLong(handle, responseText), again: false, cause: thrown };
  if (thrown instanceof StreamFault && /invalid_request|insufficient_quota/.test(detail)) {
    return { failure: refusedRequest(handle, responseText), again: false, cause: thrown };
  }
  return {
    failure: unreachable(handle, responseText),
    again: true,
    cause: thrown,
    ...(/overloaded|rate_limit/.test(detail) ? { isOverloaded: true } : {}),
  };
}

function causeText(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause === undefined || cause === null) return "";
  const text = messageOf(cause);
  return messageOf(thrown).includes(text) ? "" : text;
}

function detailText(detail: unknown): string {
  if (detail === undefined) return "";
  if (detail instanceof Error) return detail.message;
  return typeof detail === "string" ? detail : (JSON.stringify(detail) ?? "");
}

// ── the failures ────────────────────────────────────────────────────────────────────────────────

function refusedCredentials(handle: ModelHandle, status: number, detailText: string): Failure {
  const { id, keyVariable } = handle;
  const hint =
    keyVariable === undefined
      ? "check the key that the model object was created with"
      : `check ${keyVariable}: its key is missing, wrong, or may not use this model`;
  return {
    class: "model",
    code: "M8104",
    message: `the provider of \`${id}\` refuses the credentials: ${status}: ${detailText}`,
    hint,
  };
}

function refusedRequest({ id }: ModelHandle, detailText: string): Failure {
  return {
    class: "model",
    code: "M8105",
    message: `the provider of \`${id}\` refuses the request: ${detailText}`,
  };
}

/** The failure of class `filter`, for what a content filter of the provider stopped. */
export function filtered(id: string, message: string): Failure {
  return {
    class: "filter",
    code: "M8210",
    message,
    hint: `change the prompt, ask another model than \`${id}\`, or write where to go on: \`node -> other on filter\``,
  };
}

/** The words by which providers say that they can't read so much at once. */
const TOO_LONG =
  /context_length_exceeded|context[ _](?:length|window|size)|prompt is too long|input is too long|too many (?:input )?tokens|maximum (?:prompt|input|number of tokens)/i;

function tooLong({ id }: ModelHandle, detailText: string): Failure {
  return {
    class: "model",
    code: "M8125",
    message: `the prompt is too long for \`${id}\`: ${detailText}`,
    hint: "shorten it by `context { limit: 0.8, offload: 2k }` of the node, or choose a model that reads more",
  };
}

/** Returns whether a model was asked more than it can read: a shorter prompt may do. */
export function isTooLong(thrown: unknown): boolean {
  return thrown instanceof FailureError && thrown.failure.code === "M8125";
}

function unreachable({ id }: ModelHandle, detailText: string): Failure {
  return {
    class: "transport",
    code: "M8106",
    message: `the provider of \`${id}\` failed: ${detailText}`,
  };
}

const EXCERPT_MAX = 300;

function excerpt(text: string, { redact }: ModelHandle): string {
  const line = (redact === undefined ? text : redact(text)).replace(/\s+/g, " ").trim();
  return line.length > EXCERPT_MAX ? `${line.slice(0, EXCERPT_MAX)}…` : line;
}

/** The wait that an answer asks for, in seconds or as a date; also OpenAI's own header in milliseconds. */
export function retryAfter(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const exact = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (exact >= 0) return exact;
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number.parseFloat(value) * 1000;
  // JavaScript reads a date into almost anything: only what names a month is one.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
