/** Sends spans over HTTP, one request at a time, and again where the receiver asks for that. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { messageOf, RunError } from "../../../failure.ts";
import { membersOf } from "../any-value.ts";
import type { OtlpTraces } from "../span.ts";
import { type OtlpTarget, shownAddress } from "./target.ts";

export interface SentSpans {
  /** The spans that the receiver said it did not take, of those that it was sent. */
  readonly rejected: number;
  /** The reason of the receiver, for some spans or for all. */
  readonly reason?: string;
}

export interface SendOptions {
  /** Waits between two tries. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
}

const TRIES_MAX = 5;
const WAIT_MAX_MS = 60_000;
/** The number of bytes of the receiver's answer that are read. */
const ANSWER_MAX = 64 * 1024;
/** OTLP's own list; everything else is not mended by trying again. */
const AGAIN = new Set([429, 502, 503, 504]);

/** Sends bodies one after the other; M5432 for the first that the receiver does not take. */
export async function send(
  bodies: readonly OtlpTraces[],
  target: OtlpTarget,
  options: SendOptions = {},
): Promise<SentSpans> {
  let rejected = 0;
  let reason: string | undefined;
  for (const body of bodies) {
    const { partialSuccess } = membersOf(await sendOne(JSON.stringify(body), target, options));
    const { rejectedSpans, errorMessage } = membersOf(partialSuccess);
    rejected += Number(rejectedSpans ?? 0) || 0;
    if (typeof errorMessage === "string" && errorMessage !== "") reason ??= errorMessage;
  }
  return { rejected, ...(reason === undefined ? {} : { reason }) };
}

async function sendOne(body: string, target: OtlpTarget, options: SendOptions): Promise<unknown> {
  const { wait = sleep, now = Date.now, random = Math.random, signal } = options;
  const bytes = target.gzip ? await promisify(gzip)(body) : body;
  for (let number = 1; ; number += 1) {
    signal?.throwIfAborted();
    const tried = await attempt(bytes, target, signal);
    if (tried.kind === "taken") return tried.answer;
    signal?.throwIfAborted();
    if (!tried.again || number === TRIES_MAX) throw notTaken(target, { ...tried, tries: number });
    const backoff = 1_000 * 2 ** (number - 1) * (0.5 + random() / 2);
    await wait(Math.min(afterOf(tried.retryAfter, now()) ?? backoff, WAIT_MAX_MS));
  }
}

type SendAttempt =
  | { readonly kind: "taken"; readonly answer: unknown }
  | {
      readonly kind: "failed";
      readonly again: boolean;
      readonly why: string;
      readonly retryAfter?: string | null;
    };

async function attempt(
  body: string | Uint8Array<ArrayBuffer>,
  { url, headers, timeoutMs, gzip: isSmall }: OtlpTarget,
  signal: AbortSignal | undefined,
): Promise<SendAttempt> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      // A redirect would carry the headers, and what is in the spans, to somebody nobody has named.
      redirect: "manual",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...(isSmall ? { "content-encoding": "gzip" } : {}),
      },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await readText(response);
    if (response.ok) return { kind: "taken", answer: parsed(text) };
    const message = membersOf(parsed(text)).message;
    return {
      kind: "failed",
      again: AGAIN.has(response.status),
      why: `it answered ${response.status}${typeof message === "string" ? `: ${message.slice(0, 300)}` : ""}`,
      retryAfter: response.headers.get("retry-after"),
    };
  } catch (error) {
    const why = timeout.aborted ? `no answer within ${timeoutMs} ms` : lineFault(error);
    return { kind: "failed", again: true, why };
  }
}

async function readText(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_MAX) break;
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lineFault(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code } = membersOf(cause);
  return typeof code === "string" ? code : messageOf(cause);
}

/** In how many milliseconds the receiver wants to be asked again: seconds, or a date. */
function afterOf(header: string | null | undefined, nowMs: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function notTaken(
  { url }: OtlpTarget,
  { why, again, tries }: { readonly why: string; readonly again: boolean; readonly tries: number },
): RunError {
  const often = again ? ` (tried ${tries} times)` : "";
  return new RunError("M5432", `${shownAddress(url)} did not take the spans: ${why}${often}`, {
    hint: "check that a collector listens there and takes OTLP as JSON, and whether it needs a key (OTEL_EXPORTER_OTLP_HEADERS)",
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
