/** A small Jupyter client: sends requests to a kernel over its connection and waits for messages, never for time. */
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { Dealer, Request as Heartbeat, Subscriber } from "zeromq";
import { addressOf, type Connection } from "../../kernel/jupyter/wire/connection.ts";
import { createCodec } from "../../kernel/jupyter/wire/frames.ts";
import {
  createHeader,
  type Dict,
  parentId,
  type WireMessage,
} from "../../kernel/jupyter/wire/message.ts";

export type RequestChannel = "shell" | "control";

/** All that came of one request. */
export interface Exchange {
  readonly reply: WireMessage;
  /** What stood on iopub under its header, from `busy` to `idle`. */
  readonly iopub: readonly WireMessage[];
}

export interface JupyterClient {
  readonly session: string;
  /** Sends without waiting; the id is that of the request. */
  send(type: string, content?: Dict, options?: SendOptions): string;
  /** The reply to a request that was sent. */
  reply(id: string): Promise<WireMessage>;
  /** Sends a request and waits for its reply and its `idle`. */
  request(type: string, content?: Dict, options?: SendOptions): Promise<Exchange>;
  /** Sends what has no reply, such as a comm's message, and waits for its `idle`: what stood on iopub under its header. */
  tell(type: string, content?: Dict, options?: SendOptions): Promise<readonly WireMessage[]>;
  /** Runs a cell, as `request` of its whole content. */
  execute(code: string, content?: Dict, options?: SendOptions): Promise<Exchange>;
  /** The first message on iopub, come or to come, for which `isWanted`. */
  iopub(isWanted: (message: WireMessage) => boolean): Promise<WireMessage>;
  /** All that came on iopub so far, in order. */
  readonly heard: readonly WireMessage[];
  /** The next question, come or to come. */
  question(): Promise<WireMessage>;
  answer(question: WireMessage | undefined, value: string): void;
  /** Sends frames as they are. */
  sendFrames(channel: RequestChannel, frames: readonly Uint8Array[]): void;
  /** Resolves when the kernel's heartbeat answered. */
  heartbeat(): Promise<void>;
  close(): void;
}

export interface SendOptions {
  readonly channel?: RequestChannel;
  readonly metadata?: Dict;
  readonly buffers?: readonly Uint8Array[];
  readonly subshellId?: string;
}

export interface ClientOptions {
  /** Whether it connects its stdin. */
  readonly canBeAsked?: boolean;
}

/** Connects and waits until the kernel's iopub knows this client; it is closed when the test is over. */
export async function connectClient(
  connection: Connection,
  options: ClientOptions = {},
): Promise<JupyterClient> {
  const client = await openClient(connection, options);
  onTestFinished(client.close);
  return client;
}

/** The same for whoever closes it. */
export async function openClient(
  connection: Connection,
  { canBeAsked = true }: ClientOptions = {},
): Promise<JupyterClient> {
  const routingId = randomUUID();
  const sockets = {
    shell: new Dealer({ routingId, linger: 0, sendHighWaterMark: 0 }),
    control: new Dealer({ routingId, linger: 0, sendHighWaterMark: 0 }),
    stdin: new Dealer({ routingId, linger: 0 }),
  };
  const iopub = new Subscriber({ linger: 0, receiveHighWaterMark: 0 });
  const heartbeat = new Heartbeat({ linger: 0 });
  for (const channel of ["shell", "control"] as const) {
    sockets[channel].connect(addressOf(connection, channel));
  }
  if (canBeAsked) sockets.stdin.connect(addressOf(connection, "stdin"));
  iopub.connect(addressOf(connection, "iopub"));
  iopub.subscribe();
  heartbeat.connect(addressOf(connection, "hb"));
  const close = () => {
    for (const socket of [...Object.values(sockets), iopub, heartbeat]) socket.close();
  };
  const client = createClient(connection.key, { sockets, iopub, heartbeat, close });
  await client.iopub(({ header }) => header.msg_type === "iopub_welcome");
  return client;
}

interface Sockets {
  readonly sockets: Readonly<Record<RequestChannel | "stdin", Dealer>>;
  readonly iopub: Subscriber;
  readonly heartbeat: Heartbeat;
  readonly close: () => void;
}

function createClient(key: string, { sockets, iopub, heartbeat, close }: Sockets): JupyterClient {
  const codec = createCodec(key);
  const session = randomUUID();
  const replies = inbox(codec, [sockets.shell, sockets.control]);
  const published = inbox(codec, [iopub]);
  const questions = inbox(codec, [sockets.stdin]);
  const write = (channel: keyof typeof sockets, message: Omit<WireMessage, "identities">) =>
    void sockets[channel].send(codec.encode({ identities: [], ...message }));
  const client: JupyterClient = {
    session,
    heard: published.messages,
    send(type, content = {}, options = {}) {
      const { channel = "shell", metadata = {}, buffers = [], subshellId } = options;
      const named = createHeader(type, { session, username: "test" });
      const header = { ...named, subshell_id: subshellId ?? null };
      write(channel, { header, parent: {}, metadata, content, buffers });
      return header.msg_id;
    },
    reply: (id) => replies.first((message) => parentId(message) === id),
    async request(type, content, options) {
      const id = client.send(type, content, options);
      const [reply] = await Promise.all([client.reply(id), published.first(isIdleOf(id))]);
      return { reply, iopub: published.messages.filter((message) => parentId(message) === id) };
    },
    async tell(type, content, options) {
      const id = client.send(type, content, options);
      await published.first(isIdleOf(id));
      return published.messages.filter((message) => parentId(message) === id);
    },
    execute(code, content = {}, options = {}) {
      const whole = { code, silent: false, store_history: true, allow_stdin: false };
      return client.request(
        "execute_request",
        { ...whole, stop_on_error: true, ...content },
        options,
      );
    },
    iopub: published.first,
    async question() {
      const question = await questions.first(() => true);
      questions.messages.splice(questions.messages.indexOf(question), 1);
      return question;
    },
    answer(question, value) {
      const header = createHeader("input_reply", { session, username: "test" });
      const parent = question?.header ?? {};
      write("stdin", { header, parent, metadata: {}, content: { value }, buffers: [] });
    },
    sendFrames: (channel, frames) => void sockets[channel].send(frames.map((frame) => frame)),
    async heartbeat() {
      await heartbeat.send("ping");
      await heartbeat.receive();
    },
    close,
  };
  return client;
}

function isIdleOf(id: string) {
  return (message: WireMessage): boolean =>
    parentId(message) === id && message.content.execution_state === "idle";
}

interface Inbox {
  readonly messages: WireMessage[];
  first(isWanted: (message: WireMessage) => boolean): Promise<WireMessage>;
}

/** Keeps all that comes; what is signed wrongly fails the test that waits. */
function inbox(
  codec: ReturnType<typeof createCodec>,
  sockets: readonly AsyncIterable<readonly Buffer[]>[],
): Inbox {
  const messages: WireMessage[] = [];
  const lookers = new Set<(message: WireMessage) => void>();
  const read = async (socket: AsyncIterable<readonly Buffer[]>) => {
    for await (const frames of socket) {
      const decoded = codec.decode(frames);
      if (!decoded.ok) throw new Error(`the kernel sent a message with ${decoded.reason}`);
      messages.push(decoded.message);
      for (const look of lookers) look(decoded.message);
    }
  };
  for (const socket of sockets) void read(socket); // Ends when the socket is closed.
  return {
    messages,
    async first(isWanted) {
      const { promise, resolve } = Promise.withResolvers<WireMessage>();
      const look = (message: WireMessage) => {
        if (isWanted(message)) resolve(message);
      };
      const found = messages.find(isWanted);
      if (found !== undefined) resolve(found);
      lookers.add(look);
      return await promise.finally(() => lookers.delete(look));
    },
  };
}

/** One line a message: what tests compare. */
export function summary({ header, content }: WireMessage): string {
  switch (header.msg_type) {
    case "status":
      return `status ${content.execution_state}`;
    case "stream":
      return `${content.name} ${JSON.stringify(content.text)}`;
    case "execute_input":
      return `input [${content.execution_count}] ${content.code}`;
    case "execute_result":
      return `result [${content.execution_count}] ${JSON.stringify(content.data)}`;
    case "error":
      return `error ${content.ename}: ${content.evalue}`;
    default:
      return `${header.msg_type} ${JSON.stringify(content)}`;
  }
}
