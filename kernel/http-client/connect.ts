/** Connects to a server of `madrigal serve`: `connect("http://…", { token }).graph("DeepSearch").run({ … })`. */
import { currentHost } from "../host.ts";
import { RemoteRun } from "./remote-run.ts";
import { type ConnectOptions, ServerLink } from "./server-link.ts";

export type { RemoteAnswerOptions, RemoteDocument, RemoteStep } from "./remote-run.ts";
export { RemoteRun } from "./remote-run.ts";
export type { ConnectOptions } from "./server-link.ts";

/** A server, by its address and the token of a role. Nothing is asked before it is needed. */
export function connect(url: string | URL, options: ConnectOptions): RemoteServer {
  return new RemoteServer(new ServerLink(url, options));
}

export interface RemoteRunOptions {
  readonly thread?: string;
  readonly user?: string;
  readonly mode?: string;
  /** The same key again is the same run; made anew unless said. */
  readonly key?: string;
}

export interface RemoteRunFilter {
  readonly graph?: string;
  readonly status?: string;
  readonly thread?: string;
  readonly limit?: number;
}

export class RemoteServer {
  readonly #link: ServerLink;

  constructor(link: ServerLink) {
    this.#link = link;
  }

  /** A graph of the server by its name; `graph<Input, Output>(…)` says what it takes and returns. */
  graph<I = Record<string, unknown>, O = Record<string, unknown>>(name: string): RemoteGraph<I, O> {
    return new RemoteGraph<I, O>(this.#link, name);
  }

  /** The graphs, with the schemas of what each takes and returns. */
  async graphs(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.#link.jsonAgain("/graphs")).graphs as Readonly<Record<string, unknown>>[];
  }

  /** A run by its whole id. */
  async open<O = Record<string, unknown>>(id: string): Promise<RemoteRun<O>> {
    return new RemoteRun<O>(
      this.#link,
      await this.#link.jsonAgain(`/runs/${encodeURIComponent(id)}`),
    );
  }

  /** Runs, newest first. */
  async list(filter: RemoteRunFilter = {}): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const members = Object.entries(filter).map(([name, value]): [string, string] => [
      name,
      `${value}`,
    ]);
    const { runs } = await this.#link.jsonAgain(`/runs?${new URLSearchParams(members)}`);
    return runs as Readonly<Record<string, unknown>>[];
  }
}

export class RemoteGraph<I = Record<string, unknown>, O = Record<string, unknown>> {
  readonly name: string;
  readonly #link: ServerLink;

  constructor(link: ServerLink, name: string) {
    this.#link = link;
    this.name = name;
  }

  /** Starts a run, once, also where the connection is lost meanwhile; a cell shows its drawing. */
  async run(
    input: I,
    { key = crypto.randomUUID(), ...how }: RemoteRunOptions = {},
  ): Promise<RemoteRun<O>> {
    const document = await this.#link.jsonAgain(`/graphs/${encodeURIComponent(this.name)}/runs`, {
      body: { input, ...how },
      headers: { "idempotency-key": key },
    });
    const run = new RemoteRun<O>(this.#link, document);
    if (currentHost() !== undefined) {
      const { display } = await import("../display/show.ts");
      display(await run.drawing());
    }
    return run;
  }

  /** Starts a run and waits for its output. */
  async invoke(input: I, options?: RemoteRunOptions): Promise<O> {
    return await (await this.run(input, options)).output;
  }
}
