/** Writes the messages of one socket one after the other: a socket of zeromq.js refuses a send while another waits. */
import type { Writable } from "zeromq";
import type { WireFrame } from "./frames.ts";

export class SocketOutbox {
  readonly #socket: Writable;
  #last: Promise<unknown> = Promise.resolve();

  constructor(socket: Writable) {
    this.#socket = socket;
  }

  /** False when the client it is for is gone, or the socket is closed. */
  send(frames: WireFrame[]): Promise<boolean> {
    const sent = this.#last
      .then(() => this.#socket.send(frames))
      .then(
        () => true,
        () => false,
      );
    this.#last = sent;
    return sent;
  }

  /** Resolves once ZeroMQ has all that was given to `send`. */
  async drained(): Promise<void> {
    await this.#last;
  }
}
