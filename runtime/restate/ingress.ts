/** Calls handlers through the ingress of a Restate server, and its administration. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, RunError } from "../failure.ts";
import { RUN_OBJECT } from "./messages.ts";
import { messageIn } from "./register.ts";
import type { WireValues } from "./wire-values.ts";

export interface IngressOptions {
  /** The same key is the same call: it is made once, however often it is sent. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
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

  async #until<T>(path: string, message: unknown, options: IngressOptions): Promise<T> {
    for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
      try {
        return await this.once<T>(path, message, options);
      } catch (error) {
        const mayComeBack = error instanceof RunError && error.code === "M5802";
        if (!mayComeBack || options.signal?.aborted === true) throw error;
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
  }
}

const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 2_000;

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
