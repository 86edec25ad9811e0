/** Asks questions that block nothing: cells and runs go on until somebody answers. */
import type { QuestionAnswer } from "../link.ts";

export interface LaterQuestion {
  /** Sends it. */
  readonly post: () => void;
  /** Takes it back: it was answered elsewhere, or its cell is cancelled. */
  readonly withdraw: () => void;
  readonly signal: AbortSignal;
}

export class LaterQuestions {
  readonly #waiting = new Map<number, (given: string | undefined) => void>();

  /** Resolves with what somebody typed; with nothing where nobody answers, or the question was taken back. */
  async ask(
    number: number,
    { post, withdraw, signal }: LaterQuestion,
  ): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const giveUp = () => {
      withdraw();
      resolve(undefined);
    };
    this.#waiting.set(number, resolve);
    signal.addEventListener("abort", giveUp);
    post();
    try {
      return await promise;
    } finally {
      this.#waiting.delete(number);
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** Takes the answer to one of the questions; ignored if the question was withdrawn meanwhile. */
  take(answer: QuestionAnswer): void {
    this.#waiting.get(answer.question)?.(answer.kind === "value" ? answer.value : undefined);
  }
}
