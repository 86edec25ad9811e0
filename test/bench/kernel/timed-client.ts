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
  /** Of each time that it was asked. */
  readonly ids: Set<string>;
  readonly began: number;
  readonly resolve: (answer: Answer) => void;
}

const ANSWER_MS = 60_000;
const AGAIN_MS = 500;

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

  /**
   * Resolves when the kernel says what it is. It is asked again and again, as front ends do: tslab loses what comes
   * while it still opens its sockets.
   */
  async ready(): Promise<void> {
    const waiting = this.request("kernel_info_request", {});
    const again = setInterval(() => this.#ask("kernel_info_request", {}).catch(() => {}), AGAIN_MS);
    await waiting.finally(() => clearInterval(again));
  }

  /** One at a time. Rejects when the kernel ends or is silent for a minute. */
  async request(type: string, content: Dict): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const late = setTimeout(() => reject(this.#failed(`${type} has no answer`)), ANSWER_MS);
    void this.#process.ended.then((how) => reject(this.#failed(`the kernel ended (${how})`)));
    this.#waiting = { ids: new Set(), began: performance.now(), resolve };
    this.#ask(type, content).catch(reject);
    return await promise.finally(() => clearTimeout(late));
  }

  /** What it would still write is of no use to anybody. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.#process.ended;
    this.#sockets?.close();
  }

  async #ask(type: string, content: Dict): Promise<void> {
    const header = createHeader(type, { session: this.#session });
    this.#waiting?.ids.add(header.msg_id);
    const message = { identities: [], header, parent: {}, metadata: {}, content, buffers: [] };
    await this.#sockets?.send("shell", message);
  }

  #answered(id: string | undefined, content: Dict): void {
    const waiting = this.#waiting;
    if (id === undefined || waiting?.ids.has(id) !== true) return;
    this.#waiting = undefined;
    waiting.resolve({ content, ms: performance.now() - waiting.began });
  }

  #failed(what: string): Error {
    return new Error(`${what}; its last words: ${this.#process.lastWords}`);
  }
}
