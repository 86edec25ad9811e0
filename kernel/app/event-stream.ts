/** Sends a page of an app what its kernel shows, as server-sent events, until the page or the server closes it. */
import type { ServerResponse } from "node:http";
import type { PageEvent } from "./page-event.ts";
import type { PageState } from "./page-state.ts";

/** A page that reads so much slower than its kernel writes connects again. */
const BEHIND_MAX = 32 * 1024 * 1024;

export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #unlisten: () => void;

  constructor(outgoing: ServerResponse, page: PageState, closed: () => void) {
    this.#outgoing = outgoing;
    outgoing.write("retry: 300\n\n");
    this.#unlisten = page.listen((event) => this.#send(event));
    outgoing.once("close", () => {
      this.#unlisten();
      closed();
    });
  }

  end(): void {
    this.#outgoing.end();
  }

  #send({ kind, data }: PageEvent): void {
    // JSON has no line ends.
    this.#outgoing.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
    if (this.#outgoing.writableLength > BEHIND_MAX) this.#outgoing.destroy();
  }
}
