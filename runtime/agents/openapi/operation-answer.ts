/** Reads the answer of an API: its value, held against the description, or the failure that it tells of. */

import { isUtf8 } from "node:buffer";
import { systemClock } from "../../clock.ts";
import { DoubtfulEnd, type Failure, FailureError } from "../../failure.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";
import { retryAfter } from "../models/call-fault.ts";
import type { WebAnswer } from "../web/guarded-request.ts";
import { type ApiAnswer, type ApiOperation, isJson, isReading } from "./operations.ts";

const EXCERPT_CHARS_MAX = 600;

/** Returns the value of a call. Throws M8419 for an answer that is an error, M8420 for one that is not as described. */
export function operationValue(operation: ApiOperation, answer: WebAnswer): unknown {
  const { status } = answer;
  if (status < 200 || status > 299) throw failureOf(operation, answer);
  const { name, answers } = operation;
  const media = answer.headers["content-type"] ?? "";
  const described = answers.find((one) => isOf(one, status));
  if (answer.body.length === 0) return null;
  if (!isJson(media)) return plainValue(media, answer.body);
  const value = parsed(name, answer.body);
  const [wrong] = described?.schema === undefined ? [] : misfits(value, described.schema);
  if (wrong !== undefined) throw notAsDescribed(name, describeMisfit(wrong));
  return value;
}

/** The first of the exact status, of its class, of any. Answers are in the order of the text, in which numbers come first. */
function isOf({ status }: ApiAnswer, of: number): boolean {
  return status === String(of) || status === `${String(of)[0]}XX` || status === "DEFAULT";
}

function parsed(name: string, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw notAsDescribed(name, "it is no JSON, although it says so", cause);
  }
}

/** A text as it is; a picture or a file as base64, as tools return it. */
function plainValue(media: string, body: Buffer): unknown {
  if (media === "" && isUtf8(body)) return body.toString("utf8");
  const mimeType = (media.split(";")[0] ?? "").trim() || "application/octet-stream";
  if (/^text\/|xml\b|javascript\b|yaml\b/i.test(mimeType)) return body.toString("utf8");
  const type = /^image\//i.test(mimeType) ? "image" : "file";
  return { content: [{ type, data: body.toString("base64"), mimeType }] };
}

function notAsDescribed(name: string, what: string, cause?: unknown): FailureError {
  const failure: Failure = {
    class: "tool",
    code: "M8420",
    message: `the answer of \`${name}\` is not as its description says: ${what}`,
    hint: "the API has another version than its description, or the description is wrong",
  };
  return new FailureError(failure, { cause });
}

function failureOf(operation: ApiOperation, { status, headers, body }: WebAnswer): FailureError {
  const text = body.toString("utf8").replace(/\s+/g, " ").trim().slice(0, EXCERPT_CHARS_MAX);
  const retryAfterMs = isPassing(status) ? retryAfter(headers, systemClock.now()) : undefined;
  const failure: Failure = {
    class: isPassing(status) ? "transport" : "tool",
    code: "M8419",
    message: `\`${operation.name}\` was answered with ${status}${text === "" ? "" : `: ${text}`}`,
    ...hintOf(status, headers.location),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  // A gateway says so of a request that may have gone through.
  const isDoubtful = !isReading(operation.method) && (status === 502 || status === 504);
  return isDoubtful ? new DoubtfulEnd(failure) : new FailureError(failure);
}

/** Another try may succeed, as with models. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function hintOf(status: number, location: string | undefined): Pick<Failure, "hint"> {
  if (status === 401 || status === 403)
    return { hint: "check the variable that `auth` or `headers` of the declaration names" };
  if (status >= 300 && status < 400)
    return {
      hint: `it leads to \`${location ?? "nowhere"}\`, and calls of an API are not led on: set its \`url\``,
    };
  return {};
}
