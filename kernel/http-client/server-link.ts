/** Asks a server of `madrigal serve`: JSON, bytes, and the events of a run, which go on behind the last one after a lost connection. */
import type { Code } from "../../dsl/index.ts";
import { messageOf, RunError, type RunEvent } from "../../runtime/index.ts";
import { isRecord } from "../is-record.ts";

export interface ConnectOptions {
  /** The token of a role of the server. */
  readonly token: string;
  /** The time for a lost connection to come back, in milliseconds; a minute unless said. */
  readonly reconnectMs?: number;
}

/** The parts of a request besides its address. */
interface AskedOf {
  /** A form, or what is sent as JSON. */
  readonly body?: unknown;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const RECONNECT_MS = 60_000;
const PAUSE_MS = 250;

export class ServerLink {
  readonly url: string;
  readonly #token: string;
  readonly #reconnectMs: number;

  constructor(url: string | URL, { token, reconnectMs = RECONNECT_MS }: ConnectOptions) {
    this.url = String(url).replace(/\/$/, "");
    this.#token = token;
    this.#reconnectMs = reconnectMs;
  }

  /** The JSON of an answer. Throws the error that the server tells, M7786 where there is none. */
  async json(path: string, asked: AskedOf = {}): Promise<Record<string, unknown>> {
    const json: unknown = await (await this.ask(path, asked)).json().catch(() => undefined);
    if (isRecord(json)) return json;
    throw this.#unreachable("its answer is no JSON");
  }

  /** The same, asked again while the connection is lost: only for what changes nothing, or has a key. */
  async jsonAgain(path: string, asked: AskedOf = {}): Promise<Record<string, unknown>> {
    return await this.#again(() => this.json(path, asked), asked.signal);
  }

  async bytes(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.ask(path)).arrayBuffer());
  }

  async ask(path: string, { body, method, headers, signal }: AskedOf = {}): Promise<Response> {
    const hasBody = body !== undefined;
    const isForm = body instanceof FormData;
    let response: Response;
    try {
      response = await fetch(`${this.url}${path}`, {
        method: method ?? (hasBody ? "POST" : "GET"),
        headers: {
          authorization: `Bearer ${this.#token}`,
          // A form says its own type, with what stands between its parts.
          ...(hasBody && !isForm ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        redirect: "error",
        ...(hasBody ? { body: isForm ? body : JSON.stringify(body) } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      throw this.#unreachable(messageOf(cause), cause);
    }
    if (response.ok) return response;
    throw await this.#toldError(response);
  }

  /** Gives each event once, in their order, until the run is over; resolves then. */
  async follow(
    run: string,
    { next, signal }: { readonly next: (event: RunEvent) => void; readonly signal: AbortSignal },
  ): Promise<void> {
    let last: string | undefined;
    let isOver = false;
    const path = `/runs/${encodeURIComponent(run)}/events`;
    while (!isOver) {
      await this.#again(async (reached) => {
        const headers = last === undefined ? {} : { "last-event-id": last };
        const response = await this.ask(path, { headers, signal });
        try {
          for await (const { id, event, data } of messagesIn(response)) {
            reached();
            if (event === "end") isOver = true;
            else next(JSON.parse(data) as RunEvent);
            last = id ?? last;
          }
        } catch (cause) {
          throw this.#unreachable(messageOf(cause), cause);
        }
      }, signal);
      if (!isOver) await pause(PAUSE_MS, signal);
    }
  }

  /** `reached` tells that the server is there again. */
  async #again<T>(task: (reached: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
    let since = Date.now();
    for (let waitMs = PAUSE_MS; ; waitMs = Math.min(waitMs * 2, 5000)) {
      try {
        return await task(() => {
          since = Date.now();
          waitMs = PAUSE_MS;
        });
      } catch (thrown) {
        const isLost = thrown instanceof RunError && LOST.has(thrown.code);
        const isTooLong = Date.now() - since > this.#reconnectMs;
        if (!isLost || isTooLong || signal?.aborted === true) throw thrown;
      }
      await pause(waitMs, signal);
    }
  }

  async #toldError(response: Response): Promise<RunError> {
    const json: unknown = await response.json().catch(() => undefined);
    const error = isRecord(json) && isRecord(json.error) ? json.error : undefined;
    if (error === undefined) return this.#unreachable(`it answers ${response.status}`);
    return new RunError(String(error.code) as Code, String(error.message), {
      hint: error.hint === undefined ? undefined : String(error.hint),
    });
  }

  #unreachable(why: string, cause?: unknown): RunError {
    return new RunError("M7786", `the server at ${this.url} can't be reached: ${why}`, {
      hint: "`madrigal serve FILE` tells its address",
      cause,
    });
  }
}

/** No answer, too much to do, and a server that ends: the next one goes on. */
const LOST: ReadonlySet<string> = new Set(["M7786", "M7780", "M7784"]);

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", () => resolve(), { once: true });
  if (signal?.aborted === true) resolve();
  await promise;
  clearTimeout(timer);
}

interface ServerSentEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** Reads server-sent events; comments are passed over. */
async function* messagesIn({ body }: Response): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body ?? []) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true });
    const parts = rest.split("\n\n");
    rest = parts.pop() ?? "";
    for (const text of parts) {
      const lines = text.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line));
      const members = Object.fromEntries(
        lines.flatMap((found) => (found ? [[found[1] ?? "", found[2] ?? ""]] : [])),
      );
      const { id, event, data } = members;
      if (data === undefined) continue;
      yield {
        data,
        ...(id === undefined ? {} : { id }),
        ...(event === undefined ? {} : { event }),
      };
    }
  }
}
