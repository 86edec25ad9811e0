/** Holds the line to one running kernel: asks it, and runs cells in it. */
import { randomUUID } from "node:crypto";
import { AGENT_CELL, type KernelAsk } from "../../agent-access/asks.ts";
import { KernelAsks } from "../../agent-access/kernel-asks.ts";
import type { Connection } from "../../jupyter/wire/connection.ts";
import { KernelClient } from "../../notebook/execution/client.ts";
import type { Published } from "../../notebook/execution/collect-outputs.ts";

/** A kernel that is alive answers at once; files of dead ones stay in the folder. */
const ATTACH_MS = 3_000;

export class KernelLine {
  readonly #client: KernelClient;
  readonly #asks: KernelAsks;
  readonly #onBegun: Map<string, () => void>;

  private constructor(client: KernelClient, { asks, onBegun }: LineState) {
    this.#client = client;
    this.#asks = asks;
    this.#onBegun = onBegun;
  }

  /** Undefined where no kernel answers there, or one of another kind. */
  static async open(connection: Connection): Promise<KernelLine | undefined> {
    const state: LineState = { asks: new KernelAsks(), onBegun: new Map() };
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
  async ask(data: KernelAsk, withinMs?: number): Promise<unknown> {
    return await this.#asks.ask(this.#client, data, withinMs);
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
  readonly asks: KernelAsks;
  /** Called when the cell of a request begins. */
  readonly onBegun: Map<string, () => void>;
}

function hear(
  { asks, onBegun }: LineState,
  request: string | undefined,
  published: Published,
): void {
  if (published.type === "execute_input" && request !== undefined) onBegun.get(request)?.();
  asks.hear(published);
}
