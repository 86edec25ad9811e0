/**
 * A client that times requests. Not KernelClient: that one waits for `iopub_welcome`, which older kernels do not send, and
 * for all output, which would time our own reading of it.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// biome-ignore lint/correctness/noUndeclaredDependencies: that of the kernel which is measured, not of its peers.
import { Request as Heartbeat } from "zeromq";
import { addressOf } from "../../../kernel/jupyter/wire/connection.ts";
import {
  createHeader,
  type Dict,
  parentId,
  type WireMessage,
} from "../../../kernel/jupyter/wire/message.ts";
import {
  type ClientSockets,
  openSockets,
  type RequestChannel,
} from "../../../kernel/notebook/execution/client-sockets.ts";
import { KernelProcess } from "../../../kernel/notebook/execution/kernel-process.ts";
import { benchFolder } from "../peers.ts";
import type { Contender } from "./contenders.ts";

/** The kernel has ended or is silent: there is nothing more to be had of it. */
export class KernelLost extends Error {
  override readonly name = "KernelLost";
}

/** A request that was sent. */
export interface Asked {
  readonly began: number;
  readonly content: Promise<Dict>;
  /** Resolves when the output under it is this, or begins with it; rejects when it is another, or late. */
  printed(text: string): Promise<void>;
}

const ANSWER_MS = 30_000;
const PRINTED_MS = 10_000;
const AGAIN_MS = 500;

export class BenchClient {
  readonly #contender: Contender;
  readonly #process: KernelProcess;
  readonly #home: string;
  readonly #session = randomUUID();
  readonly #requests = new Map<string, Listening>();
  /** The ids of the widgets with a view of their own that the kernel has opened. */
  readonly models: string[] = [];
  readonly #hearing = new Map<string, () => void>();
  #sockets: ClientSockets | undefined;

  private constructor(contender: Contender, process: KernelProcess, home: string) {
    this.#contender = contender;
    this.#process = process;
    this.#home = home;
  }

  /** Starts a kernel; it may be asked at once and answers when it can. */
  static async start(contender: Contender): Promise<BenchClient> {
    const home = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
    const { argv, env } = contender.spec;
    const kernel = await KernelProcess.start({
      spec: { argv, env: { ...env, MADRIGAL_HOME: home } },
      // Where either finds `@types/node`.
      cwd: benchFolder,
      environment: { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" },
    });
    const client = new BenchClient(contender, kernel, home);
    client.#sockets = await openSockets(kernel.connection, (channel, message) =>
      client.#take(channel, message),
    );
    return client;
  }

  /** Resolves when the kernel says what it is. It is asked again and again, as front ends do: some lose what comes while they start. */
  async ready(): Promise<void> {
    const asked = [this.#ask("shell", "kernel_info_request", {})];
    const { promise, resolve, reject } = Promise.withResolvers<Dict>();
    const listen = (one: Asked) => one.content.then(resolve, reject);
    void listen(asked[0] as Asked);
    const again = setInterval(
      () => void listen(this.#ask("shell", "kernel_info_request", {})),
      AGAIN_MS,
    );
    await promise.finally(() => clearInterval(again));
  }

  execute(code: string): Asked {
    return this.#ask("shell", "execute_request", {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    });
  }

  complete(code: string): Asked {
    return this.#ask("shell", "complete_request", { code, cursor_pos: code.length });
  }

  /** What it is, asked by the channel that answers while a cell runs. */
  info(): Asked {
    return this.#ask("control", "kernel_info_request", {});
  }

  /** A request of a debugger. */
  debug(request: Dict): Asked {
    return this.#ask("control", "debug_request", request);
  }

  /** A message of a comm, which has no reply. */
  comm(type: "comm_open" | "comm_msg", content: Dict): void {
    this.#send("shell", type, content);
  }

  /** Resolves once a widget says something with this text in it; rejects when it is late. */
  heard(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(this.#lost(`no widget says ${text}`)), ANSWER_MS);
    this.#hearing.set(`"${text}"`, resolve);
    return promise.finally(() => clearTimeout(late));
  }

  /** As front ends do it with this kernel. */
  interrupt(): void {
    const { pid } = this.#process;
    if (this.#contender.interrupt === "message") this.#ask("control", "interrupt_request", {});
    else if (pid !== undefined) process.kill(pid, "SIGINT");
  }

  /** Sends and receives `times` heartbeats, each by itself; how long each took. */
  async heartbeats(times: number, limitMs: number): Promise<readonly number[]> {
    const socket = new Heartbeat({ linger: 0, receiveTimeout: limitMs });
    socket.connect(addressOf(this.#process.connection, "hb"));
    try {
      const all: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const began = performance.now();
        await socket.send("ping");
        await socket.receive();
        all.push(performance.now() - began);
      }
      return all;
    } finally {
      socket.close();
    }
  }

  /** What the process and those that it has started hold of the machine's memory. */
  megabytes(): number {
    const { pid } = this.#process;
    return pid === undefined ? Number.NaN : megabytesOf(`${pid}`);
  }

  /** What it would still write is of no use to anybody. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.#process.ended;
    this.#sockets?.close();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #ask(channel: RequestChannel, type: string, content: Dict): Asked {
    const listening = new Listening(channel);
    const late = setTimeout(() => listening.lose(this.#lost(`${type} has no answer`)), ANSWER_MS);
    void this.#process.ended.then((how) => listening.lose(this.#lost(`it ended (${how})`)));
    const ended = listening.content.finally(() => clearTimeout(late));
    ended.catch(() => {}); // Who waits for it hears of it.
    const began = performance.now();
    const { id, sent } = this.#send(channel, type, content);
    this.#requests.set(id, listening);
    sent?.catch((cause) => listening.lose(cause));
    return { began, content: ended, printed: (text) => listening.printed(text) };
  }

  #send(channel: RequestChannel, type: string, content: Dict) {
    const header = createHeader(type, { session: this.#session });
    const message = { identities: [], header, parent: {}, metadata: {}, content, buffers: [] };
    return { id: header.msg_id, sent: this.#sockets?.send(channel, message) };
  }

  #take(channel: RequestChannel | "iopub", message: WireMessage): void {
    const { header, content } = message;
    if (header.msg_type === "comm_open" && JSON.stringify(content.data).includes('"AnyModel"'))
      this.models.push(String(content.comm_id));
    if (header.msg_type === "comm_msg") this.#widgetSaid(JSON.stringify(content.data));
    this.#requests.get(parentId(message) ?? "")?.take(channel, message);
  }

  #widgetSaid(data: string): void {
    const answered = [...this.#hearing.keys()].find((text) => data.includes(text));
    if (answered === undefined) return;
    this.#hearing.get(answered)?.();
    this.#hearing.delete(answered);
  }

  #lost(what: string): KernelLost {
    const words = this.#process.lastWords.split("\n").slice(-3).join(" ");
    return new KernelLost(words === "" ? what : `${what}; its last words: ${words}`);
  }
}

function megabytesOf(pid: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children.reduce((sum, child) => sum + megabytesOf(child), own);
}

/** What comes back of one request. */
class Listening {
  readonly #channel: RequestChannel;
  readonly #reply = Promise.withResolvers<Dict>();
  readonly #waiting = new Set<() => void>();
  #text = "";

  constructor(channel: RequestChannel) {
    this.#channel = channel;
  }

  get content(): Promise<Dict> {
    return this.#reply.promise;
  }

  take(channel: RequestChannel | "iopub", { header, content }: WireMessage): void {
    if (channel === this.#channel && header.msg_type.endsWith("_reply"))
      this.#reply.resolve(content);
    if (channel === "iopub" && header.msg_type === "stream") {
      this.#text += content.text;
      for (const look of this.#waiting) look();
    }
  }

  lose(error: Error): void {
    this.#reply.reject(error);
  }

  async printed(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wrong = () => new Error(`of ${text.length} characters it printed ${this.#text.length}`);
    const late = setTimeout(() => reject(wrong()), PRINTED_MS);
    const look = () => {
      if (this.#text.startsWith(text)) resolve();
      else if (!text.startsWith(this.#text)) reject(new Error("it printed something else"));
    };
    this.#reply.promise.catch(reject);
    this.#waiting.add(look);
    look();
    await promise.finally(() => {
      clearTimeout(late);
      this.#waiting.delete(look);
    });
  }
}
