/** Calls worker 2 over its port; a call that is not answered in time gives undefined. */
import type { MessagePort } from "node:worker_threads";
import type { TypeAnswer, TypeCall, TypeService } from "../../types/service.ts";

/**
 * Front ends show nothing of their own while they wait, so an empty answer is better than a late one. An explanation is asked for
 * by hand and keeps nothing waiting: the first one may come while the compiler is still loading.
 */
const DEADLINE_MS = 5000;
const INSPECT_DEADLINE_MS = 20_000;

export class TypePort {
  readonly #start: () => void;
  readonly #deadlineMs: number | undefined;
  readonly #waiting = new Map<number, (answer: TypeAnswer | undefined) => void>();
  #port: MessagePort | undefined;
  #unsent: TypeCall[] = [];
  #calls = 0;

  /** `start` asks the main thread for a port; it is called when one is needed and none is there. */
  constructor(start: () => void, { deadlineMs }: { readonly deadlineMs?: number } = {}) {
    this.#start = start;
    this.#deadlineMs = deadlineMs;
  }

  /** Takes up a port; what waited for one is sent. */
  attach(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
    port.on("message", (answer: TypeAnswer) => this.#waiting.get(answer.id)?.(answer));
    port.on("close", () => {
      if (this.#port === port) this.#port = undefined;
    });
    port.unref();
    for (const call of this.#unsent.splice(0)) port.postMessage(call);
  }

  /** Undefined when there is no answer in time, or an error of the service. */
  async call<Method extends keyof TypeService>(
    method: Method,
    argument: Parameters<TypeService[Method]>[0],
  ): Promise<Awaited<ReturnType<TypeService[Method]>> | undefined> {
    this.#calls += 1;
    const call: TypeCall = { id: this.#calls, method, argument };
    const answered = this.#answerTo(call);
    if (this.#port === undefined) {
      this.#unsent.push(call);
      this.#start();
    } else this.#port.postMessage(call);
    const answer = await answered;
    if (answer === undefined || "error" in answer) return undefined;
    return answer.value as Awaited<ReturnType<TypeService[Method]>>;
  }

  close(): void {
    this.#port?.close();
    for (const settle of this.#waiting.values()) settle(undefined);
  }

  async #answerTo({ id, method }: TypeCall): Promise<TypeAnswer | undefined> {
    const { promise, resolve } = Promise.withResolvers<TypeAnswer | undefined>();
    const usual = method === "inspect" ? INSPECT_DEADLINE_MS : DEADLINE_MS;
    const timer = setTimeout(resolve, this.#deadlineMs ?? usual, undefined);
    this.#waiting.set(id, resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
      this.#unsent = this.#unsent.filter((call) => call.id !== id);
    }
  }
}
