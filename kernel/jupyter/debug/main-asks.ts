/** Asks the main thread for the debugger, with a number for each question and a time limit. */
import { CommandError } from "../../command-error.ts";
import type { ToMain } from "../link.ts";
import type { DebugAsk } from "./graph-link.ts";

/** A person looks at a panel that is still empty. */
const ANSWER_MS = 2000;

export class MainAsks {
  readonly #tell: (message: ToMain) => void;
  readonly #deadlineMs: number;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #number = 0;

  constructor(tell: (message: ToMain) => void, deadlineMs = ANSWER_MS) {
    this.#tell = tell;
    this.#deadlineMs = deadlineMs;
  }

  /** Without waiting for what comes of it. */
  say(ask: DebugAsk): void {
    this.#number += 1;
    this.#tell({ kind: "debug", number: this.#number, ask });
  }

  /**
   * Sends a message and returns the main thread's answer. Throws M7761 if there is none before the
   * deadline.
   */
  async ask(ask: DebugAsk): Promise<unknown> {
    this.say(ask);
    const number = this.#number;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(number, answer);
    const timer = setTimeout(() => answer.reject(blocked()), this.#deadlineMs);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(number);
    }
  }

  /** A late answer, or one to what nobody waits for, counts for nothing. */
  answered(number: number, value: unknown): void {
    this.#waiting.get(number)?.resolve(value);
  }

  failed(number: number, message: string): void {
    this.#waiting.get(number)?.reject(new Error(message));
  }
}

function blocked(): CommandError {
  return new CommandError("M7761", "the cell blocks: nothing else is answered meanwhile", {
    hint: "it is in a loop or a long call of TypeScript; wait for it, or stop it with the button ■",
  });
}
