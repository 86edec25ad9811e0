/** Holds the line to one running kernel: asks it, and runs cells in it. */
import { randomUUID } from "node:crypto";
import {
  AGENT_CELL,
  AGENT_TARGET,
  type KernelAnswer,
  type KernelAsk,
} from "../../agent-access/asks.ts";
import { CommandError } from "../../command-error.ts";
import type { Connection } from "../../jupyter/wire/connection.ts";
import { KernelClient } from "../../notebook/execution/client.ts";
import type { Published } from "../../notebook/execution/collect-outputs.ts";

/** A kernel that is alive answers at once; files of dead ones stay in the folder. */
const ATTACH_MS = 3_000;
/** The debugger waits for 10 s where a run comes to. */
const ANSWER_MS = 30_000;

export class KernelLine {
  readonly #client: KernelClient;
  readonly #asked: Map<string, (answer: KernelAnswer) => void>;
  readonly #onBegun: Map<string, () => void>;

  private constructor(client: KernelClient, { asked, onBegun }: LineState) {
    this.#client = client;
    this.#asked = asked;
    this.#onBegun = onBegun;
  }

  /** Undefined where no kernel answers there, or one of another kind. */
  static async open(connection: Connection): Promise<KernelLine | undefined> {
    const state: LineState = { asked: new Map(), onBegun: new Map() };
    try {
      const client = await KernelClient.attach(connection, {
        answerMs: ATTACH_MS,
        onPublished: (request, published) => hear(state, request, published),
      });
      if (client.info.implementation === "madrigal") return new KernelLine(client, state);
      client.detach();
      return undefined;
    } catch {
      return undefined;
    }
  }

  /** Throws what the kernel says is wrong, and M7801 where it does not answer. */
  async ask(data: KernelAsk, withinMs = ANSWER_MS): Promise<unknown> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<KernelAnswer>();
    this.#asked.set(id, resolve);
    this.#client.openComm({ id, target: AGENT_TARGET, data });
    const timer = setTimeout(resolve, withinMs, SILENT);
    const answer = await promise;
    clearTimeout(timer);
    this.#asked.delete(id);
    if (answer === SILENT) throw silent();
    if ("error" in answer) throw new Error(answer.error);
    return answer.value;
  }

  /** Runs a cell to its end; the number that it got. A cell is interrupted by `signal`, one that waits for others when it begins. */
  async run(code: string, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const cellId = `${AGENT_CELL}${randomUUID()}`;
    const { id, reply } = this.#client.execute({ code, cellId, stopOnError: false });
    let hasBegun = false;
    const interrupt = () => {
      // It tells by the cell's end.
      if (hasBegun && signal.aborted) this.#client.interrupt().catch(() => {});
    };
    this.#onBegun.set(id, () => {
      hasBegun = true;
      interrupt();
    });
    signal.addEventListener("abort", interrupt, { once: true });
    try {
      return Number((await reply).execution_count);
    } finally {
      signal.removeEventListener("abort", interrupt);
      this.#onBegun.delete(id);
    }
  }

  close(): void {
    this.#client.detach();
  }
}

interface LineState {
  readonly asked: Map<string, (answer: KernelAnswer) => void>;
  /** Called when the cell of a request begins. */
  readonly onBegun: Map<string, () => void>;
}

const SILENT: KernelAnswer = { error: "silent" };

function hear(
  { asked, onBegun }: LineState,
  request: string | undefined,
  published: Published,
): void {
  const { type, content } = published;
  if (type === "execute_input" && request !== undefined) onBegun.get(request)?.();
  if (type !== "comm_close") return;
  const { comm_id: id, data } = content;
  const resolve = asked.get(String(id));
  resolve?.(
    isAnswer(data) ? data : { error: "this kernel is of a version that tells clients nothing" },
  );
}

function isAnswer(data: unknown): data is KernelAnswer {
  return typeof data === "object" && data !== null && ("value" in data || "error" in data);
}

function silent(): CommandError {
  return new CommandError("M7801", "the kernel does not answer", {
    hint: "a cell that computes without a pause keeps it: wait for the cell, or interrupt it in the notebook",
  });
}
