/**
 * A client that times requests up to their replies. Not KernelClient: that one waits for `iopub_welcome`, which older
 * kernels do not send, and for all output, which would time our own reading of it.
 */
import { randomUUID } from "node:crypto";
import { createHeader, type Dict, parentId } from "../../../kernel/jupyter/wire/message.ts";
import { type KernelOptions, KernelProcess } from "../../../kernel/notebook/kernel-process.ts";
import { type ClientSockets, openSockets } from "../../../kernel/notebook/sockets.ts";

export interface Answer {
  readonly content: Dict;
  readonly ms: number;
}

interface Waiting {
  readonly id: string;
  readonly began: number;
  readonly resolve: (answer: Answer) => void;
}

const ANSWER_MS = 60_000;

export class TimedClient {
  readonly #process: KernelProcess;
  readonly #session = randomUUID();
  #sockets: ClientSockets | undefined;
  #waiting: Waiting | undefined;

  private constructor(process: KernelProcess) {
    this.#process = process;
  }

  /** Starts a kernel; it may be asked at once and answers when it can. */
  static async start(options: KernelOptions): Promise<TimedClient> {
    const process = await KernelProcess.start(options);
    const client = new TimedClient(process);
    client.#sockets = await openSockets(process.connection, (channel, message) => {
      const isReply = channel === "shell" && message.header.msg_type.endsWith("_reply");
      if (isReply) client.#answered(parentId(message), message.content);
    });
    return client;
  }

  /** One at a time. Rejects when the kernel ends or is silent for a minute. */
  async request(type: string, content: Dict): Promise<Answer> {
    const header = createHeader(type, { session: this.#session });
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const late = setTimeout(() => reject(this.#failed(`${type} has no answer`)), ANSWER_MS);
    void this.#process.ended.then((how) => reject(this.#failed(`the kernel ended (${how})`)));
    this.#waiting = { id: header.msg_id, began: performance.now(), resolve };
    const message = { identities: [], header, parent: {}, metadata: {}, content, buffers: [] };
    this.#sockets?.send("shell", message).catch(reject);
    return await promise.finally(() => clearTimeout(late));
  }

  /** What it would still write is of no use to anybody. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.#process.ended;
    this.#sockets?.close();
  }

  #answered(id: string | undefined, content: Dict): void {
    const waiting = this.#waiting;
    if (waiting === undefined || id !== waiting.id) return;
    this.#waiting = undefined;
    waiting.resolve({ content, ms: performance.now() - waiting.began });
  }

  #failed(what: string): Error {
    return new Error(`${what}; its last words: ${this.#process.lastWords}`);
  }
}
