/** Holds the connection to one MCP server: made when it is first needed, and made once more where the server ended. */

import type { Client, Progress, RequestOptions, Transport } from "@modelcontextprotocol/client";
import type {
  DeclaredServer,
  DescribedApi,
  JsonSchema,
  ServerCommand,
} from "../../../dsl/index.ts";
import { TIMER_MAX_MS } from "../../clock.ts";
import { DoubtfulEnd, type Failure, FailureError, messageOf } from "../../failure.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";
import { isLostConnection } from "../values/lost-connection.ts";
import { CallTime } from "./call-time.ts";
import { type AskPeople, elicit } from "./elicitation.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { ServerAccess, ServerVariables } from "./server-access.ts";
import { ServerTokens, tokensFile } from "./server-tokens.ts";

type ClientPackage = typeof import("@modelcontextprotocol/client");

/** A declared server that speaks MCP. */
export interface McpServer extends DeclaredServer {
  readonly connection: Exclude<DeclaredServer["connection"], DescribedApi>;
}

/** The parts of a connection. */
export interface ConnectWith {
  readonly server: McpServer;
  readonly access: ServerAccess;
  /** The folder in which a command is started. */
  readonly folder?: string;
  /** The environment, which says where tokens are kept. */
  readonly env: ServerVariables;
}

/** One call: how it may be made, and who is asked what the server asks. */
export interface ServerRequest {
  readonly signal: AbortSignal;
  readonly ask?: AskPeople | undefined;
  /** Told how far the call has come, as often as the server says it. */
  readonly progress?: ((of: Progress) => void) | undefined;
  /** Set where a call that was lost may be made again. */
  readonly repeatable: boolean;
  /** The name of what is called, for messages. */
  readonly what: string;
}

/** The starts in a row that no successful call was between. */
const STARTS_MAX = 2;

/** One client with its transport. */
interface Live {
  readonly client: Client;
  readonly transport: Transport;
  isClosed: boolean;
}

export class ServerConnection {
  readonly #of: ConnectWith;
  readonly #calls = new Set<{ readonly ask?: AskPeople | undefined }>();
  #live: Promise<Live> | undefined;
  #starts = 0;
  /** Set when the server says that its tools are others now. */
  hasChanged = false;

  constructor(of: ConnectWith) {
    this.#of = of;
  }

  /** Makes a request. Throws M8411 where there is no connection, M8412 where it was lost; then the call may have taken effect. */
  async request<T>(
    make: (client: Client, options: RequestOptions) => Promise<T>,
    call: ServerRequest,
  ): Promise<T> {
    for (;;) {
      const live = await this.#connected(call.signal);
      const outcome = await this.#make(live, make, call);
      if ("value" in outcome) {
        this.#starts = 1;
        return outcome.value;
      }
      if (!call.repeatable || this.#starts >= STARTS_MAX) throw outcome.lost;
    }
  }

  async close(): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    const made = await live?.catch(() => undefined);
    if (made === undefined) return;
    made.isClosed = true;
    await made.client.close();
    await made.transport.close();
  }

  async #make<T>(
    live: Live,
    make: (client: Client, options: RequestOptions) => Promise<T>,
    { signal, ask, progress, what }: ServerRequest,
  ): Promise<{ readonly value: T } | { readonly lost: FailureError }> {
    const { server } = this.#of;
    const time = new CallTime(server.callMs);
    const own = { ask: ask && ((question) => time.without(() => ask(question))) } satisfies {
      readonly ask?: AskPeople | undefined;
    };
    const letGo = live.transport instanceof ProcessTransport ? live.transport.hold() : () => {};
    this.#calls.add(own);
    try {
      const options = {
        signal: AbortSignal.any([signal, time.signal]),
        // Longer than any timer of the client: the time of a call is kept here.
        timeout: TIMER_MAX_MS,
        onprogress: (of: Progress) => {
          time.restart();
          progress?.(of);
        },
      };
      return { value: await make(live.client, options) };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      if (time.isOver) throw outOfTime(what, server);
      if (isForgotten(thrown)) {
        this.#drop(live);
        return { lost: this.#lost(what, thrown, false) };
      }
      if (live.isClosed || isLostConnection(thrown)) {
        this.#drop(live);
        return { lost: this.#lost(what, thrown, true) };
      }
      throw this.#refused(thrown);
    } finally {
      this.#calls.delete(own);
      time.end();
      letGo();
    }
  }

  #drop(live: Live): void {
    live.isClosed = true;
    this.#live = undefined;
    void live.client.close().catch(() => {});
  }

  async #connected(signal: AbortSignal): Promise<Live> {
    const known = await this.#live;
    if (known?.isClosed === true) this.#live = undefined;
    this.#live ??= this.#connect().catch((thrown: unknown) => {
      this.#live = undefined;
      throw thrown;
    });
    return await orAborted(this.#live, signal);
  }

  /** Several calls may wait for it, so that none of them ends it; its own time does. */
  async #connect(): Promise<Live> {
    const { server } = this.#of;
    if (this.#starts >= STARTS_MAX) {
      this.#starts = 0;
      throw new FailureError(endedTwice(server));
    }
    const time = AbortSignal.timeout(Math.min(server.startMs, TIMER_MAX_MS));
    try {
      const sdk = await import("@modelcontextprotocol/client");
      const live = await this.#tryAll(sdk, { signal: time, timeout: TIMER_MAX_MS });
      this.#starts += 1;
      return live;
    } catch (thrown) {
      if (thrown instanceof FailureError) throw thrown;
      throw notReached(server, time.aborted ? outOfStartTime(server) : messageOf(thrown));
    }
  }

  /** The newest protocol first; a server that does not survive to be asked for it is one of before. */
  async #tryAll(sdk: ClientPackage, options: RequestOptions): Promise<Live> {
    const { kind } = this.#of.server.connection;
    const tries: readonly [make: () => Transport, isLegacy: boolean][] = [
      [() => this.#transport(sdk), false],
      kind === "stdio" ? [() => this.#transport(sdk), true] : [() => this.#eventStream(sdk), true],
    ];
    let first: unknown;
    for (const [make, isLegacy] of tries) {
      const transport = make();
      const live: Live = { client: this.#client(sdk), transport, isClosed: false };
      const letGo = transport instanceof ProcessTransport ? transport.hold() : () => {};
      try {
        live.client.onclose = () => {
          live.isClosed = true;
        };
        const prior = isLegacy && kind === "stdio" ? { prior: { kind: "legacy" as const } } : {};
        await live.client.connect(transport, { ...options, ...prior });
        return live;
      } catch (thrown) {
        first ??= this.#refused(withNoise(thrown, transport));
        await live.client.close().catch(() => {});
        await transport.close().catch(() => {});
        if (options.signal?.aborted === true || first instanceof FailureError) throw first;
      } finally {
        letGo();
      }
    }
    throw first;
  }

  #client(sdk: ClientPackage): Client {
    const { server } = this.#of;
    const client = new sdk.Client(
      { name: "madrigal", version: "1" },
      {
        versionNegotiation: { mode: "auto" },
        capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
        jsonSchemaValidator: VALIDATOR,
        listChanged: {
          tools: {
            autoRefresh: false,
            debounceMs: 0,
            onChanged: () => {
              this.hasChanged = true;
            },
          },
        },
      },
    );
    // On one channel nothing says which call a question belongs to; the call that waits longest asks it.
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const [call] = this.#calls;
      return await elicit(server.name, params, call?.ask);
    });
    return client;
  }

  #transport(sdk: ClientPackage): Transport {
    const { server, access, folder } = this.#of;
    const { connection } = server;
    if (connection.kind === "http")
      return new sdk.StreamableHTTPClientTransport(new URL(connection.url), this.#httpOptions());
    const { command } = connection satisfies ServerCommand;
    const process = { command, env: access.env, ...(folder === undefined ? {} : { folder }) };
    return new ProcessTransport(process, sdk);
  }

  /** The transport of servers of before 2025, which still answer. */
  #eventStream(sdk: ClientPackage): Transport {
    const { connection } = this.#of.server;
    const url = connection.kind === "http" ? connection.url : "";
    return new sdk.SSEClientTransport(new URL(url), this.#httpOptions());
  }

  #httpOptions() {
    const { access, server, env } = this.#of;
    const { connection, name } = server;
    const requestInit = { headers: access.headers };
    if (connection.kind !== "http" || connection.auth !== "oauth") return { requestInit };
    const tokens = new ServerTokens({ name, file: tokensFile(connection.url, env) });
    return { requestInit, authProvider: tokens };
  }

  #lost(what: string, cause: unknown, mayHaveActed: boolean): FailureError {
    const { name } = this.#of.server;
    const failure = {
      class: "transport",
      code: "M8412",
      message: `the server \`${name}\` ended while \`${what}\` was called: ${messageOf(cause)}`,
      hint: "it is started again when it is next needed; its own log may say why it ended",
    } as const;
    return mayHaveActed
      ? new DoubtfulEnd(failure, { cause })
      : new FailureError(failure, { cause });
  }

  /** A server that wants to know who asks is another failure than one that is not there. */
  #refused(thrown: unknown): unknown {
    const { server } = this.#of;
    const { name, status } = (thrown ?? {}) as { name?: string; status?: number };
    if (name !== "UnauthorizedError" && status !== 401 && status !== 403) return thrown;
    const { connection } = server;
    const auth = connection.kind === "http" ? connection.auth : undefined;
    const hint =
      auth === "oauth"
        ? `\`madrigal mcp login FILE ${server.name}\` opens its page and keeps the tokens`
        : auth === undefined
          ? 'name the variable of its token, `http("…", "TOKEN")`, or `http("…", "oauth")`'
          : `check what ${auth} holds`;
    return new FailureError(
      {
        class: "tool",
        code: "M8416",
        message: `the server \`${server.name}\` does not let us in: ${messageOf(thrown)}`,
        hint,
      },
      { cause: thrown },
    );
  }
}

/** Holds what servers return against their schemas as everything else is held against one. */
const VALIDATOR = {
  getValidator: (schema: JsonSchema) => (value: unknown) => {
    const [wrong] = misfits(value, schema);
    return wrong === undefined
      ? ({ valid: true, data: value as never, errorMessage: undefined } as const)
      : ({ valid: false, data: undefined, errorMessage: describeMisfit(wrong) } as const);
  },
};

/** The result of `work`, unless the signal comes first; the work goes on for whoever else waits for it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A server that was started anew does not know the session; it has done nothing. */
function isForgotten(thrown: unknown): boolean {
  return (thrown as { readonly status?: unknown } | undefined)?.status === 404;
}

function withNoise(thrown: unknown, transport: Transport): unknown {
  const noise = transport instanceof ProcessTransport ? transport.noise : "";
  if (noise === "") return thrown;
  return new Error(`${messageOf(thrown)}; it wrote: ${noise.split("\n").slice(-3).join(" ")}`, {
    cause: thrown,
  });
}

function outOfTime(what: string, { callMs }: DeclaredServer): DoubtfulEnd {
  const message = `\`${what}\` did not answer within ${callMs / 1000} s`;
  return new DoubtfulEnd({ class: "tool", code: "M8202", message });
}

function outOfStartTime({ startMs }: DeclaredServer): string {
  return `it did not answer within ${startMs / 1000} s`;
}

function notReached({ name, connection }: McpServer, why: string): FailureError {
  const hint =
    connection.kind === "http"
      ? `check that ${connection.url} is right and answers`
      : `run \`${connection.command.join(" ")}\` to see what it says; it gets no variables but those in \`env\``;
  return new FailureError({
    class: "transport",
    code: "M8411",
    message: `the server \`${name}\` could not be started: ${why}`,
    hint,
  });
}

function endedTwice({ name }: DeclaredServer): Failure {
  return {
    class: "transport",
    code: "M8412",
    message: `the server \`${name}\` ended again after it had been started once more`,
    hint: "its own log may say why it ends",
  };
}
