/** Binds the kernel's five sockets, reads them without end, and writes in order. Only this file opens the kernel's sockets. */
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { Reply, Router, XPublisher } from "zeromq";
import { addressOf, type Channel, type Connection } from "./connection.ts";
import { type Codec, createCodec, DELIMITER, isLent, type Rejection } from "./frames.ts";
import type { WireMessage } from "./message.ts";
import { SocketOutbox } from "./outbox.ts";
import { createReplayGuard } from "./replay-guard.ts";

/** The channels on which single clients are answered. */
export type ClientChannel = "shell" | "control" | "stdin";

/** Takes a message that is signed, new and well formed. */
export type Receive = (channel: ClientChannel, message: WireMessage) => void;

// A larger message than this ends the connection of who sends it.
const MESSAGE_BYTES_MAX = 512 * 1024 * 1024;
// The time that closing waits for clients to receive sent messages, in milliseconds.
const LINGER_MS = 1000;
// A longer subscription is no topic, and gets no welcome message.
const TOPIC_BYTES_MAX = 1024;
const SUBSCRIBE = 1;

/** Without a limit, as a client that lost an `idle` would wait for ever. */
const NEVER_DROP = { sendHighWaterMark: 0, linger: LINGER_MS };

/** The sockets of one kernel; `close` sends what is left to send. */
export class Channels {
  /** The number of dropped messages, by the reason. */
  readonly dropped = new Map<Rejection, number>();
  readonly #codec: Codec;
  readonly #clients: Readonly<Record<ClientChannel, Router>>;
  readonly #iopub = new XPublisher({ ...NEVER_DROP, verbosity: "allSubsUnsubs" });
  readonly #outboxes: Readonly<Record<ClientChannel | "iopub", SocketOutbox>>;
  readonly #heartbeat = new Reply({ linger: 0 });
  /** Resolves when ZeroMQ has no more to say of stdin, which ends the process when it is said to a thread that ends. */
  readonly #counted: Promise<void>;
  #left: (remaining: number) => void = () => {};
  #receivedCount = 0;
  #hasLent = false;
  #isWatched = false;

  private constructor(codec: Codec) {
    const options = { ...NEVER_DROP, maxMessageSize: MESSAGE_BYTES_MAX };
    this.#codec = codec;
    this.#clients = {
      shell: new Router(options),
      control: new Router(options),
      // Says so when the client that is asked is gone.
      stdin: new Router({ ...options, mandatory: true }),
    };
    const { shell, control, stdin } = this.#clients;
    this.#outboxes = {
      shell: new SocketOutbox(shell),
      control: new SocketOutbox(control),
      stdin: new SocketOutbox(stdin),
      iopub: new SocketOutbox(this.#iopub),
    };
    this.#counted = this.#countAskable(stdin);
  }

  static async bind(connection: Connection): Promise<Channels> {
    const channels = new Channels(createCodec(connection.key, { replays: createReplayGuard() }));
    const { shell, control, stdin } = channels.#clients;
    const sockets = { shell, control, stdin, iopub: channels.#iopub, hb: channels.#heartbeat };
    try {
      for (const [channel, socket] of Object.entries(sockets)) {
        await socket.bind(addressOf(connection, channel as Channel));
      }
    } catch (thrown) {
      // Left open, they would end the process when this thread ends.
      await channels.close();
      throw thrown;
    }
    return channels;
  }

  /** Begins to read who subscribes, and has told of those who had when it resolves: what is published then comes second to them. */
  async watch(subscribed: (topic: Uint8Array) => void): Promise<void> {
    this.#isWatched = true;
    void this.#readSubscriptions(subscribed);
    await this.settled();
  }

  /** Begins to read messages, and gives on one after the other. */
  listen(receive: Receive): void {
    for (const channel of ["control", "shell", "stdin"] as const) {
      void this.#readClients(channel, receive);
    }
    void this.#echo();
  }

  /** Calls `left` when a client leaves stdin, with the number that remain. */
  watchAskable(left: (remaining: number) => void): void {
    this.#left = left;
  }

  /** False when the client is not there any more; only stdin knows. Throws when the content can't be written as JSON. */
  send(channel: ClientChannel, message: WireMessage): Promise<boolean> {
    return this.#outboxes[channel].send(this.#codec.encode(message));
  }

  /** Throws when the content can't be written as JSON. */
  publish(message: WireMessage): void {
    const frames = this.#codec.encode(message);
    this.#hasLent ||= frames.some(isLent);
    void this.#outboxes.iopub.send(frames); // All are told, or we are closing.
  }

  /** Resolves once all that had arrived when this was called has been read. */
  async settled(): Promise<void> {
    for (let before = -1; before !== this.#receivedCount; ) {
      before = this.#receivedCount;
      // A whole turn of the event loop, and with it a look at the sockets, lies between two of these.
      await turn();
      await turn();
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#outboxes).map((outbox) => outbox.drained()));
    for (const socket of [...Object.values(this.#clients), this.#iopub, this.#heartbeat]) {
      socket.close();
    }
    await Promise.race([this.#counted, sleep(LINGER_MS, undefined, { ref: false })]);
    // Then ZeroMQ throws away what no client has taken, and gives back what it was lent.
    if (this.#hasLent) await sleep(2 * LINGER_MS);
  }

  async #readClients(channel: ClientChannel, receive: Receive): Promise<void> {
    for await (const frames of this.#clients[channel]) {
      this.#receivedCount += 1;
      // The sockets are looked at between these turns: a client that subscribed before this was sent gets its welcome before the outputs.
      // `iopub.readable` must not be asked: that takes ZeroMQ's notice from the reader of subscriptions, which then never wakes.
      if (this.#isWatched) {
        await turn();
        await turn();
      }
      const decoded = this.#codec.decode(frames);
      if (decoded.ok) receive(channel, decoded.message);
      else this.dropped.set(decoded.reason, (this.dropped.get(decoded.reason) ?? 0) + 1);
    }
  }

  async #readSubscriptions(subscribed: (topic: Uint8Array) => void): Promise<void> {
    for await (const [frame] of this.#iopub) {
      this.#receivedCount += 1;
      if (frame?.[0] === SUBSCRIBE && isTopic(frame.subarray(1))) subscribed(frame.subarray(1));
    }
  }

  /** ZeroMQ says that somebody left, but not who. */
  async #countAskable(stdin: Router): Promise<void> {
    let count = 0;
    for await (const { type } of stdin.events) {
      if (type === "accept") count += 1;
      if (type === "disconnect") {
        count -= 1;
        this.#left(count);
      }
    }
  }

  async #echo(): Promise<void> {
    for await (const frames of this.#heartbeat) await this.#heartbeat.send(frames);
  }
}

/** A welcome reaches all whose topic begins like this one: a delimiter in its place would confuse them. */
function isTopic(bytes: Uint8Array): boolean {
  return bytes.length <= TOPIC_BYTES_MAX && !DELIMITER.equals(bytes);
}
