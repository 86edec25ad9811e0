/** Asks a running kernel by a comm, beside its cells, and waits for what it closes the comm with. */
import { randomUUID } from "node:crypto";
import { CommandError } from "../command-error.ts";
import type { KernelClient } from "../notebook/execution/client.ts";
import type { Published } from "../notebook/execution/collect-outputs.ts";
import { AGENT_TARGET, type KernelAnswer, type KernelAsk } from "./asks.ts";

/** The debugger waits for 10 s where a run comes to. */
const ANSWER_MS = 30_000;

/** The questions to one kernel; `hear` is to be told all that it publishes. */
export class KernelAsks {
  readonly #asked = new Map<string, (answer: KernelAnswer) => void>();

  /** Throws what the kernel says is wrong, and M7801 where it does not answer. */
  async ask(
    client: Pick<KernelClient, "openComm">,
    data: KernelAsk,
    withinMs = ANSWER_MS,
  ): Promise<unknown> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<KernelAnswer>();
    this.#asked.set(id, resolve);
    client.openComm({ id, target: AGENT_TARGET, data });
    const timer = setTimeout(resolve, withinMs, SILENT);
    const answer = await promise;
    clearTimeout(timer);
    this.#asked.delete(id);
    if (answer === SILENT) throw silent();
    if ("error" in answer) throw new Error(answer.error);
    return answer.value;
  }

  hear({ type, content: { comm_id: id, data } }: Published): void {
    if (type !== "comm_close") return;
    this.#asked.get(String(id))?.(
      isAnswer(data) ? data : { error: "this kernel is of a version that tells clients nothing" },
    );
  }
}

const SILENT: KernelAnswer = { error: "silent" };

function isAnswer(data: unknown): data is KernelAnswer {
  return typeof data === "object" && data !== null && ("value" in data || "error" in data);
}

function silent(): CommandError {
  return new CommandError("M7801", "the kernel does not answer", {
    hint: "a cell that computes without a pause keeps it: wait for the cell, or interrupt it in the notebook",
  });
}
