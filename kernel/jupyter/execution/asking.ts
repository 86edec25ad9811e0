/** Sends a cell's question to the client that runs it, and its answer back to the main thread. */
import { setTimeout } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { Pulse, type QuestionAnswer, type RequestId } from "../link.ts";
import type { FrontEnd, Request } from "../wire/front-end.ts";
import type { WireMessage } from "../wire/message.ts";

export interface CellQuestion {
  readonly question: number;
  readonly prompt: string;
  readonly password: boolean;
  /** Nobody blocks meanwhile. */
  readonly isLater?: boolean;
}

interface QueuedQuestion {
  readonly question: CellQuestion;
  readonly request: Request;
}

interface Pending extends QueuedQuestion {
  /** The `msg_id` of the `input_request`. */
  readonly id: string;
}

export interface AskingParts {
  readonly answers: MessagePort;
  readonly pulse: Int32Array;
  /** Tells the main thread what became of a question that blocks nobody. */
  readonly later: (answer: QuestionAnswer) => void;
  /** Says something in a cell, on its stderr. */
  readonly note: (cell: RequestId, text: string) => void;
}

const LEFT = `madrigal: a front end has left while this cell waits for an answer. If it was the one that was asked, nobody will
answer: interrupt the cell, and run it again from here.
`;
const ATTEMPTS_MAX = 10;
const ATTEMPT_MS = 100;

export class CellQuestions {
  readonly #frontEnd: FrontEnd;
  readonly #parts: AskingParts;
  #pending: Pending | undefined;
  /** Front ends show one question at a time. */
  #others: QueuedQuestion[] = [];

  constructor(frontEnd: FrontEnd, parts: AskingParts) {
    this.#frontEnd = frontEnd;
    this.#parts = parts;
  }

  /** Asks the client that sent `request`; a question that comes while another is open waits for its turn. */
  ask(question: CellQuestion, request: Request | undefined): void {
    if (request?.message.content.allow_stdin !== true) {
      this.#tell(question, { question: question.question, kind: "refused" });
    } else {
      this.#others.push({ question, request });
      this.#next();
    }
  }

  /** An `input_reply`; one that answers no open question, or comes from another client, is stale and counts for nothing. */
  reply(message: WireMessage): void {
    const pending = this.#pending;
    if (pending === undefined || message.header.msg_type !== "input_reply") return;
    // Jupyter's own client names no parent.
    const isLate = message.parent.msg_id !== undefined && message.parent.msg_id !== pending.id;
    if (isLate || !isSameClient(message, pending.request.message)) return;
    const { value } = message.content;
    const { question } = pending.question;
    this.#end(pending, {
      question,
      kind: "value",
      value: typeof value === "string" ? value : "",
    });
  }

  /** Ends the open questions without an answer. */
  interrupt(): void {
    this.#endAll("interrupted");
  }

  /** A client has left stdin. Whether it was the one that is asked is only known when nobody remains. */
  clientLeft(remaining: number): void {
    const asked = this.#pending?.request.message.header.msg_id;
    if (remaining <= 0) this.#endAll("refused");
    else if (asked !== undefined) this.#parts.note(asked, LEFT);
  }

  /** This cell is over: an answer to what it asked would come too late, which whoever still waits for one is told. */
  forget(cell: RequestId): void {
    this.#endAll("refused", ({ request }) => request.message.header.msg_id === cell);
    this.#next();
  }

  /** Withdraws a question that nobody waits for any more, and asks the next one. */
  withdraw(number: number): void {
    this.#others = this.#others.filter(({ question }) => question.question !== number);
    if (this.#pending?.question.question !== number) return;
    this.#pending = undefined;
    this.#next();
  }

  #next(): void {
    if (this.#pending !== undefined) return;
    const next = this.#others.shift();
    if (next !== undefined) void this.#send(next); // Does not throw.
  }

  /** Refuses the question when its client is not there; one that has just come may still be connecting its sockets. */
  async #send({ question, request }: QueuedQuestion): Promise<void> {
    const { prompt, password, isLater } = question;
    // The questions of runs are forms too, where a page has widgets.
    const metadata = isLater === true ? { has_form: true } : {};
    let pending: Pending | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const { id, sent } = this.#frontEnd.ask(request, { prompt, password }, metadata);
      pending = { question, id, request };
      this.#pending = pending;
      if (await sent) return;
      await setTimeout(ATTEMPT_MS);
      if (this.#pending !== pending) return; // Interrupted, or its cell is over.
    }
    if (pending !== undefined) {
      this.#end(pending, { question: question.question, kind: "refused" });
    }
  }

  #endAll(
    kind: "interrupted" | "refused",
    isMeant: (asked: QueuedQuestion) => boolean = () => true,
  ): void {
    const pending = this.#pending;
    const open = [...(pending === undefined ? [] : [pending]), ...this.#others].filter(isMeant);
    if (pending !== undefined && open.includes(pending)) this.#pending = undefined;
    this.#others = this.#others.filter((asked) => !open.includes(asked));
    for (const { question } of open) this.#tell(question, { question: question.question, kind });
  }

  #end({ question }: Pending, answer: QuestionAnswer): void {
    this.#pending = undefined;
    this.#tell(question, answer);
    this.#next();
  }

  #tell({ isLater }: CellQuestion, answer: QuestionAnswer): void {
    const { answers, pulse, later } = this.#parts;
    if (isLater === true) {
      later(answer);
      return;
    }
    answers.postMessage(answer);
    Atomics.add(pulse, Pulse.answered, 1);
    Atomics.notify(pulse, Pulse.answered);
  }
}

function isSameClient(one: WireMessage, other: WireMessage): boolean {
  const [a] = one.identities;
  const [b] = other.identities;
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}
