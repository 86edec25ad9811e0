/** Opens the client's ends of a kernel's sockets. */
import { randomUUID } from "node:crypto";
import type { Dealer, Subscriber } from "zeromq";
import { addressOf, type Connection } from "../../jupyter/wire/connection.ts";
import { createCodec } from "../../jupyter/wire/frames.ts";
import type { WireMessage } from "../../jupyter/wire/message.ts";

export type RequestChannel = "shell" | "control" | "stdin";

export interface ClientSockets {
  send(channel: RequestChannel, message: WireMessage): Promise<void>;
  close(): void;
}

/** Connects; `take` is told each message that is rightly signed. */
export async function openSockets(
  connection: Connection,
  take: (channel: RequestChannel | "iopub", message: WireMessage) => void,
): Promise<ClientSockets> {
  const { Dealer, Subscriber } = await import("zeromq");
  const codec = createCodec(connection.key);
  // The kernel binds a moment after we connect.
  const options = { linger: 0, reconnectInterval: 20 };
  // A kernel asks the client that it got a cell from: by the same identity.
  const asked = { ...options, routingId: `exec-${randomUUID()}` };
  const requests = {
    shell: new Dealer(asked),
    control: new Dealer(options),
    stdin: new Dealer(asked),
  };
  const iopub = new Subscriber({ ...options, receiveHighWaterMark: 0 });
  const all = { ...requests, iopub };
  for (const channel of ["shell", "control", "stdin", "iopub"] as const) {
    all[channel].connect(addressOf(connection, channel));
    void receive(all[channel], (frames) => {
      const decoded = codec.decode(frames);
      if (decoded.ok) take(channel, decoded.message);
    });
  }
  iopub.subscribe();
  const queues = {
    shell: Promise.resolve(),
    control: Promise.resolve(),
    stdin: Promise.resolve(),
  };
  return {
    // A socket sends one message at a time.
    send(channel, message) {
      const sent = queues[channel].then(() => requests[channel].send(codec.encode(message)));
      queues[channel] = sent.catch(() => {});
      return sent;
    },
    close() {
      for (const socket of Object.values(all)) socket.close();
    },
  };
}

/** Until the socket is closed. */
async function receive(
  socket: Dealer | Subscriber,
  take: (frames: readonly Uint8Array[]) => void,
): Promise<void> {
  for await (const frames of socket) take(frames);
}
