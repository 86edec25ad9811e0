/** Calls handlers through the ingress of a Restate server, and its administration. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, RunError } from "../failure.ts";
import { RUN_OBJECT } from "./messages.ts";
import { messageIn } from "./register.ts";
import type { WireValues } from "./wire-values.ts";

export interface IngressOptions {
  /** The same key is the same call: it is made once, however often it is sent. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Told that the server was not there, before it is asked again. */
  readonly onGone?: () => void;
}

export interface WaitOptions extends IngressOptions {
  /** The time for which the server may be gone, in milliseconds. */
  readonly patienceMs?: number;
}

/** A server of Restate that may be gone for a while: what it did not answer is asked again. */
export class Ingress {
  readonly #url: string;
  readonly #values: WireValues;

  constructor(url: string, values: WireValues) {
    this.#url = url.replace(/\/+$/, "");
    this.#values = values;
  }

  /** Calls a handler of the run. Rejects with what it refuses; asks again while the server is not there. */
  run<T>(
    runId: string,
    handler: string,
    message: unknown,
    options: IngressOptions = {},
  ): Promise<T> {
    return this.#until(`${RUN_OBJECT}/${encodeURIComponent(runId)}/${handler}`, message, options);
  }

  /** Calls a handler once: M5802 where the server is not there. */
  async once<T>(path: string, message: unknown, options: IngressOptions = {}): Promise<T> {
    const body = this.#values.serialize(message);
    let response: Response;
    try {
      response = await fetch(`${this.#url}/${path}`, {
        method: "POST",
        body: Buffer.from(body),
        headers: {
          "content-type": this.#values.contentType,
          ...(options.idempotencyKey === undefined
            ? {}
            : { "idempotency-key": options.idempotencyKey }),
        },
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok) return this.#values.deserialize<T>(bytes);
      throw refusal(response.status, Buffer.from(bytes).toString());
    } catch (error) {
      if (error instanceof RunError || options.signal?.aborted === true) throw error;
      throw notThere(this.#url, error);
    }
  }

  /**
   * Calls a handler that may take days, and asks again for an answer that does not come: `fetch` waits for no longer than five minutes.
   * The call has a key, so it is made once. M5802 where the server has not been there for `patienceMs`.
   */
  async wait<T>(
    path: string,
    message: unknown,
    { idempotencyKey = randomUUID(), patienceMs = PATIENCE_MS, ...options }: WaitOptions = {},
  ): Promise<T> {
    for (;;) {
      try {
        return await this.once<T>(path, message, { ...options, idempotencyKey });
      } catch (error) {
        if (!mayComeBack(error, options)) throw error;
        const until = performance.now() + patienceMs;
        while (!(await this.#isThere())) {
          if (performance.now() >= until || options.signal?.aborted === true) throw error;
          await sleep(LOOK_PAUSE_MS, undefined, { ref: false });
        }
      }
    }
  }

  /** False for a server that hangs, too. */
  async #isThere(): Promise<boolean> {
    const signal = AbortSignal.timeout(LOOK_MS);
    const health = await fetch(`${this.#url}/restate/health`, { signal }).catch(() => undefined);
    return health?.ok === true;
  }

  async #until<T>(path: string, message: unknown, options: IngressOptions): Promise<T> {
    for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
      try {
        return await this.once<T>(path, message, options);
      } catch (error) {
        if (!mayComeBack(error, options)) throw error;
        options.onGone?.();
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
  }
}

const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 2_000;

/** The time for which a server may be gone while a client waits, the pause between two looks at it, and the time of one look. */
const PATIENCE_MS = 30_000;
const LOOK_PAUSE_MS = 500;
const LOOK_MS = 5_000;

function mayComeBack(error: unknown, { signal }: IngressOptions): boolean {
  return error instanceof RunError && error.code === "M5802" && signal?.aborted !== true;
}

/** Statuses of a server that starts, or of a proxy before it. */
const NOT_YET: readonly number[] = [502, 503, 504];

const CODE = /^(M\d{4}): /;

/** The refusal of a handler begins with its code. */
function refusal(status: number, body: string): RunError {
  const message = messageIn(body);
  if (NOT_YET.includes(status)) return new RunError("M5802", `Restate is not ready: ${message}`);
  const code = CODE.exec(message)?.[1];
  if (code === undefined) return new RunError("M5808", `Restate answered ${status}: ${message}`);
  return new RunError(code as RunError["code"], message.slice(code.length + 2));
}

function notThere(url: string, cause: unknown): RunError {
  const why = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return new RunError("M5802", `no Restate server answers at ${url}: ${messageOf(why)}`, {
    hint: "start one, or name its ingress with `--restate URL`",
    cause,
  });
}
