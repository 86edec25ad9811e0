/** Questions of a blocked cell: to the client that runs it, and the answer back into the main thread's memory. */
import { setTimeout } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import type { FrontEnd, Request } from "./front-end.ts";
import { Pulse, type QuestionAnswer, type RequestId } from "./link.ts";
import type { WireMessage } from "./wire/message.ts";

export interface Question {
  readonly question: number;
  readonly prompt: string;
  readonly password: boolean;
}

interface Pending {
  readonly question: number;
  /** The `msg_id` of the `input_request`. */
  readonly id: string;
  readonly request: Request;
}

const ATTEMPTS_MAX = 10;
const ATTEMPT_MS = 100;

export class Asking {
  readonly #frontEnd: FrontEnd;
  readonly #answers: MessagePort;
  readonly #pulse: Int32Array;
  #pending: Pending | undefined;

  constructor(
    frontEnd: FrontEnd,
    { answers, pulse }: { readonly answers: MessagePort; readonly pulse: Int32Array },
  ) {
    this.#frontEnd = frontEnd;
    this.#answers = answers;
    this.#pulse = pulse;
  }

  /** Asks the client that sent `request`; one question at a time, as the main thread blocks meanwhile. */
  ask({ question, prompt, password }: Question, request: Request | undefined): void {
    if (request?.message.content.allow_stdin !== true) {
      this.#answer({ question, kind: "refused" });
      return;
    }
    void this.#send({ question, prompt, password }, request); // Does not throw.
  }

  /** An `input_reply`; one that answers no open question, or comes from another client, is stale and counts for nothing. */
  reply(message: WireMessage): void {
    const pending = this.#pending;
    if (pending === undefined || message.header.msg_type !== "input_reply") return;
    // Jupyter's own client names no parent.
    const isLate = message.parent.msg_id !== undefined && message.parent.msg_id !== pending.id;
    if (isLate || !isSameClient(message, pending.request.message)) return;
    const { value } = message.content;
    this.#answer({
      question: pending.question,
      kind: "value",
      value: typeof value === "string" ? value : "",
    });
  }

  /** Ends the open question, if there is one, without an answer. */
  interrupt(): void {
    const pending = this.#pending;
    if (pending !== undefined) this.#answer({ question: pending.question, kind: "interrupted" });
  }

  /** This cell is over: an answer to what it asked would come too late. */
  forget(cell: RequestId): void {
    if (this.#pending?.request.message.header.msg_id === cell) this.#pending = undefined;
  }

  /** Refuses the question when its client is not there; one that has just come may still be connecting its sockets. */
  async #send({ question, prompt, password }: Question, request: Request): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const { id, sent } = this.#frontEnd.ask(request, { prompt, password });
      this.#pending = { question, id, request };
      if (await sent) return;
      await setTimeout(ATTEMPT_MS);
      if (this.#pending?.question !== question) return; // Interrupted, or its cell is over.
    }
    this.#answer({ question, kind: "refused" });
  }

  #answer(answer: QuestionAnswer): void {
    this.#pending = undefined;
    this.#answers.postMessage(answer);
    Atomics.add(this.#pulse, Pulse.answered, 1);
    Atomics.notify(this.#pulse, Pulse.answered);
  }
}

function isSameClient(one: WireMessage, other: WireMessage): boolean {
  const [a] = one.identities;
  const [b] = other.identities;
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}
