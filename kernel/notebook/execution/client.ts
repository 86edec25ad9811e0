/** Serves as a headless Jupyter client: starts a kernel or attaches to one, runs code in it, collects what it publishes. */
import { randomUUID } from "node:crypto";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Connection } from "../../jupyter/wire/connection.ts";
import { createHeader, type Dict, parentId, type WireMessage } from "../../jupyter/wire/message.ts";
import { type ClientSockets, openSockets, type RequestChannel } from "./client-sockets.ts";
import type { Published } from "./collect-outputs.ts";
import { type KernelOptions, KernelProcess } from "./kernel-process.ts";

interface ListenerParts {
  /** Answers what cells ask; undefined where it has no answer, and the cell is interrupted. Without it nobody can be asked. */
  readonly onQuestion?: (
    prompt: string,
    how: QuestionLook,
  ) => string | undefined | Promise<string | undefined>;
  /** Told what is published, with the id of the request that it belongs to. */
  readonly onPublished: (request: string | undefined, published: Published) => void;
}

export interface QuestionLook {
  readonly isPassword: boolean;
  /** True if a form on the page asks it too, where the page has widgets. */
  readonly hasForm: boolean;
}

export interface ClientOptions extends KernelOptions, ListenerParts {}

/** The process of a kernel, as far as its client needs it. */
type ClientProcess = Pick<KernelProcess, "connection" | "ended" | "lastWords" | "kill" | "stop">;

export interface ExecuteRequest {
  readonly code: string;
  readonly cellId: string;
  readonly stopOnError: boolean;
  /** False for a cell that stands in no notebook; true if absent. */
  readonly storeHistory?: boolean;
  /** Runs it beside the cell under way. */
  readonly subshell?: string;
}

/** A request under way. */
export interface Execution {
  readonly id: string;
  /** The content of its reply, once everything that it published has come; rejects with M7711 when the kernel dies. */
  readonly reply: Promise<Dict>;
}

interface WaitingRequest {
  reply?: Dict;
  isIdle: boolean;
  readonly resolve: (reply: Dict) => void;
  readonly reject: (error: Error) => void;
}

interface OpenedComm {
  readonly id: string;
  readonly target: string;
  readonly data: unknown;
}

interface ClientRequestParts {
  readonly content?: Dict;
  readonly metadata?: Dict;
  readonly subshell?: string | undefined;
}

const STARTING_MS = 30_000;

/** A process that is not ours to end, or to hear of. */
function othersProcess(connection: Connection): ClientProcess {
  return {
    connection,
    ended: new Promise(() => {}),
    lastWords: "",
    kill: () => {},
    stop: async () => {},
  };
}

export class KernelClient {
  readonly #process: ClientProcess;
  readonly #onPublished: ClientOptions["onPublished"];
  readonly #onQuestion: ClientOptions["onQuestion"];
  readonly #session = randomUUID();
  readonly #waiting = new Map<string, WaitingRequest>();
  readonly #welcome = Promise.withResolvers<void>();
  #sockets: ClientSockets | undefined;
  #info: Dict = {};

  private constructor(process: ClientProcess, { onPublished, onQuestion }: ListenerParts) {
    this.#process = process;
    this.#onPublished = onPublished;
    this.#onQuestion = onQuestion;
    void process.ended.then((how) => this.#failAll(how));
  }

  /** Resolves when the kernel answers and we hear what it publishes; throws M7710 when it does not. */
  static async start(options: ClientOptions): Promise<KernelClient> {
    const process = await KernelProcess.start(options);
    const client = new KernelClient(process, options);
    try {
      await within(STARTING_MS, client.#connect());
      return client;
    } catch (cause) {
      process.kill();
      client.#sockets?.close();
      await process.ended;
      throw notStarted(process.lastWords || messageOf(cause), cause);
    }
  }

  /** Attaches to a kernel that somebody else has started; throws where it does not answer in time. `detach` leaves it. */
  static async attach(
    connection: Connection,
    { answerMs, ...listening }: ListenerParts & { readonly answerMs: number },
  ): Promise<KernelClient> {
    const client = new KernelClient(othersProcess(connection), listening);
    try {
      await within(answerMs, client.#connect());
      return client;
    } catch (thrown) {
      client.detach();
      throw thrown;
    }
  }

  /** Leaves the kernel as it is. */
  detach(): void {
    this.#sockets?.close();
    this.#failAll("this client left it");
  }

  /** Opens a comm to a target of the kernel, which tells the rest by what it publishes. */
  openComm({ id, target, data }: OpenedComm): void {
    this.#say("comm_open", { comm_id: id, target_name: target, data });
  }

  /** Sends a message of a comm; the id of the request that it is. */
  sendComm(id: string, data: unknown): string {
    return this.#say("comm_msg", { comm_id: id, data });
  }

  #say(type: string, content: Dict): string {
    const header = createHeader(type, { session: this.#session });
    const message = { identities: [], header, parent: {}, metadata: {}, content, buffers: [] };
    this.#sockets?.send("shell", message).catch(() => {}); // A kernel that is gone gives no answer.
    return header.msg_id;
  }

  /** Makes a shell whose cells run beside those of the notebook; its id. */
  async createSubshell(): Promise<string> {
    return String((await this.#request("control", "create_subshell_request").reply).subshell_id);
  }

  /** Resolves when the kernel's process has ended. */
  get ended(): Promise<unknown> {
    return this.#process.ended;
  }

  /** The content of the `kernel_info_reply`. */
  get info(): Dict {
    return this.#info;
  }

  execute({ code, cellId, stopOnError, storeHistory = true, subshell }: ExecuteRequest): Execution {
    const content = {
      code,
      silent: false,
      store_history: storeHistory,
      user_expressions: {},
      allow_stdin: this.#onQuestion !== undefined,
      stop_on_error: stopOnError,
    };
    // The cell may run again, and ask then: this client hears a question whichever request it belongs to.
    const metadata = { cellId, madrigal: { answers_reruns: content.allow_stdin } };
    return this.#request("shell", "execute_request", { content, metadata, subshell });
  }

  /** Asks the kernel to cancel the cell under way. */
  async interrupt(): Promise<void> {
    await this.#request("control", "interrupt_request").reply;
  }

  /** Asks the kernel to close its session and end, and ends it when it does not. */
  async close(): Promise<void> {
    this.#request("control", "shutdown_request", { content: { restart: false } }).reply.catch(
      () => {}, // It may end before its answer has left.
    );
    await this.#process.stop();
    this.#sockets?.close();
  }

  /** Ends the kernel at once. */
  kill(): void {
    this.#process.kill();
  }

  async #connect(): Promise<void> {
    const { connection } = this.#process;
    this.#sockets = await openSockets(connection, (channel, message) =>
      channel === "iopub" ? this.#hear(message) : this.#answered(message),
    );
    // Messages published before the kernel has our subscription are lost, the `idle` of a request too.
    await this.#welcome.promise;
    this.#info = await this.#request("shell", "kernel_info_request").reply;
  }

  #request(
    channel: RequestChannel,
    type: string,
    { content = {}, metadata = {}, subshell }: ClientRequestParts = {},
  ): Execution {
    const plain = createHeader(type, { session: this.#session });
    const header = subshell === undefined ? plain : { ...plain, subshell_id: subshell };
    const message = { identities: [], header, parent: {}, metadata, content, buffers: [] };
    const { promise, resolve, reject } = Promise.withResolvers<Dict>();
    this.#waiting.set(header.msg_id, { isIdle: false, resolve, reject });
    // A kernel that is gone is told by #failAll.
    this.#sockets?.send(channel, message).catch(() => {});
    return { id: header.msg_id, reply: promise };
  }

  async #asked({ header: parent, content, metadata }: WireMessage): Promise<void> {
    const look = { isPassword: content.password === true, hasForm: metadata.has_form === true };
    const value = await this.#onQuestion?.(String(content.prompt ?? ""), look);
    if (value === undefined) {
      this.interrupt().catch(() => {}); // It tells by the cell's end.
      return;
    }
    const header = createHeader("input_reply", { session: this.#session });
    const reply = { identities: [], header, parent, metadata: {}, content: { value }, buffers: [] };
    this.#sockets?.send("stdin", reply).catch(() => {}); // A kernel that is gone is told by #failAll.
  }

  #answered(message: WireMessage): void {
    if (message.header.msg_type === "input_request") void this.#asked(message);
    if (!message.header.msg_type.endsWith("_reply")) return;
    this.#progress(parentId(message), { reply: message.content });
  }

  #hear(message: WireMessage): void {
    const { header, content } = message;
    const request = parentId(message);
    if (header.msg_type === "iopub_welcome") this.#welcome.resolve();
    else if (header.msg_type !== "status") {
      this.#onPublished(request, { type: header.msg_type, content });
    } else if (content.execution_state === "idle") this.#progress(request, { isIdle: true });
  }

  /** A request is over when its reply and its `idle` have come: they travel by different sockets. */
  #progress(id: string | undefined, what: Partial<Pick<WaitingRequest, "reply" | "isIdle">>): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    Object.assign(waiting, what);
    if (waiting.reply === undefined || !waiting.isIdle) return;
    this.#waiting.delete(id);
    waiting.resolve(waiting.reply);
  }

  #failAll(how: string): void {
    const error = died(how, this.#process.lastWords);
    this.#welcome.promise.catch(() => {}); // Nobody waits for it once the kernel has started.
    this.#welcome.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function notStarted(why: string, cause: unknown): CommandError {
  return new CommandError("M7710", `the kernel does not start: ${why}`, {
    hint: "`madrigal doctor` looks for the reason",
    exitCode: EXIT.missing,
    cause,
  });
}

function died(how: string, lastWords: string): CommandError {
  const words = lastWords === "" ? "" : `; its last words:\n${lastWords}`;
  return new CommandError("M7711", `the kernel ended (${how})${words}`, {
    hint: "the outputs so far are kept; `madrigal runs` lists the runs that can be resumed",
    exitCode: EXIT.wrong,
  });
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
