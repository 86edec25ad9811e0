/** Speaks to one remote agent: sends messages, follows tasks, cancels them. Everything is JSON of the protocol's version 1.0. */
import type { AgentCard, StreamResponse as SdkEvent } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { createRedactor } from "../../redaction/redact.ts";
import { readAgentCard } from "./agent-card.ts";
import { callFailure } from "./failures.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { RemotePlace } from "./remote-options.ts";
import type { A2aMessage, WireEvent, WireTask } from "./wire.ts";

/** The package is loaded with the first agent that is spoken to. */
const loadSdk = () => import("@a2a-js/sdk");
type ProtocolPackage = Awaited<ReturnType<typeof loadSdk>>;

export class RemoteAgent {
  readonly card: AgentCard;
  readonly #sdk: ProtocolPackage;
  readonly #client: Client;
  readonly #place: RemotePlace;
  readonly #clean: <T>(value: T) => T;

  /** Reads the card of an agent. Rejects with M5209 to M5214 and M8601. */
  static async at(place: RemotePlace, signal: AbortSignal): Promise<RemoteAgent> {
    const sdk = await loadSdk();
    const client = await import("@a2a-js/sdk/client");
    const fetchImpl = guardedFetch(place);
    const how = { fetchImpl, legacyCompat: { enabled: true } };
    try {
      const card = await readAgentCard(place, { fetch: fetchImpl, signal });
      const factory = new client.ClientFactory({
        transports: [new client.JsonRpcTransportFactory(how), new client.RestTransportFactory(how)],
        // The id of a task is known before its end.
        clientConfig: { polling: true },
        cardResolver: new client.DefaultAgentCardResolver(how),
      });
      return new RemoteAgent({ sdk, place, card, client: await factory.createFromAgentCard(card) });
    } catch (thrown) {
      throw callFailure(place.url.host, thrown);
    }
  }

  private constructor(of: {
    readonly sdk: ProtocolPackage;
    readonly place: RemotePlace;
    readonly card: AgentCard;
    readonly client: Client;
  }) {
    this.card = of.card;
    this.#sdk = of.sdk;
    this.#client = of.client;
    this.#place = of.place;
    this.#clean = withoutSecrets(of.place);
  }

  get streams(): boolean {
    return this.card.capabilities?.streaming === true;
  }

  /** Sends a message, and streams the answer: a stream of events where the agent has streams, else one event. */
  async *send(message: A2aMessage, signal: AbortSignal): AsyncGenerator<WireEvent> {
    const request = this.#sdk.SendMessageRequest.fromJSON({ message, configuration: {} });
    if (this.streams) {
      yield* this.#wire(this.#client.sendMessageStream(request, { signal }));
      return;
    }
    const result = await this.#asked(() => this.#client.sendMessage(request, { signal }));
    yield this.#clean<WireEvent>(
      "messageId" in result
        ? { message: this.#sdk.Message.toJSON(result) as A2aMessage }
        : { task: this.#sdk.Task.toJSON(result) as WireTask },
    );
  }

  /** Follows a task that is under way: first as it stands, then its events. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<WireEvent> {
    yield* this.#wire(this.#client.resubscribeTask({ tenant: "", id }, { signal }));
  }

  async task(id: string, signal: AbortSignal): Promise<WireTask> {
    const task = await this.#asked(() => this.#client.getTask({ tenant: "", id }, { signal }));
    return this.#clean(this.#sdk.Task.toJSON(task) as WireTask);
  }

  async cancel(id: string, signal: AbortSignal): Promise<void> {
    await this.#asked(() =>
      this.#client.cancelTask({ tenant: "", id, metadata: undefined }, { signal }),
    );
  }

  /** The number of tasks of a conversation; undefined where the agent lists none. */
  async tasksIn(contextId: string, signal: AbortSignal): Promise<number | undefined> {
    const request = this.#sdk.ListTasksRequest.fromJSON({ contextId, pageSize: 1 });
    try {
      return (await this.#client.listTasks(request, { signal })).tasks.length;
    } catch {
      return undefined;
    }
  }

  async *#wire(events: AsyncGenerator<SdkEvent>): AsyncGenerator<WireEvent> {
    try {
      for await (const event of events)
        yield this.#clean(this.#sdk.StreamResponse.toJSON(event) as WireEvent);
    } catch (thrown) {
      throw callFailure(this.#place.url.host, thrown);
    }
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (thrown) {
      throw callFailure(this.#place.url.host, thrown);
    }
  }
}

/** Takes out of an answer the token and the headers that the agent was sent. */
function withoutSecrets(place: RemotePlace): <T>(value: T) => T {
  const { auth, headers, env } = place;
  const names = [...Object.values(headers), ...(auth === undefined ? [] : [auth])];
  const secrets = names.map((name) => ({ name, value: env[name] ?? "" }));
  const { redactText } = createRedactor(secrets);
  return <T>(value: T): T => {
    const text = JSON.stringify(value);
    const clean = redactText(text);
    return clean === text ? value : (JSON.parse(clean) as T);
  };
}
