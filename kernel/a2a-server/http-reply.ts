/** Writes answers to clients of A2A: whole ones, and streams of events. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Answers with a body, and ends the connection. */
export async function send(
  outgoing: ServerResponse,
  status: number,
  body: string,
  headers: Headers | Readonly<Record<string, string>> = {},
): Promise<void> {
  const plain = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  outgoing.writeHead(status, { connection: "close", ...plain }).end(body);
}

interface EventWriting<Event> {
  /** An event as its lines. */
  readonly write: (event: Event) => string;
  /** Answers a failure before the first event. */
  readonly refuse: (thrown: unknown) => Promise<void>;
  /** The lines of a failure behind the first event: it is the last one. */
  readonly fail: (thrown: unknown) => string;
}

/** Sends events as a stream, as fast as they are read. A failure before the first of them is an answer. */
export async function sendEvents<Event>(
  outgoing: ServerResponse,
  events: AsyncIterable<Event>,
  { write, refuse, fail }: EventWriting<Event>,
): Promise<void> {
  const open = () => {
    if (outgoing.headersSent) return;
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  };
  try {
    for await (const event of events) {
      if (outgoing.destroyed) return;
      open();
      if (!outgoing.write(write(event))) await drained(outgoing);
    }
    open();
    outgoing.end();
  } catch (thrown) {
    if (!outgoing.headersSent) return await refuse(thrown);
    outgoing.end(fail(thrown));
  }
}

async function drained(outgoing: ServerResponse): Promise<void> {
  await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
}
