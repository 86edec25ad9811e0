/** Keeps answers of the compiler to questions that are asked again unchanged. */
import type { CellProgram } from "./cell-program.ts";

/** The things that an answer depends on besides its question. */
interface Circumstances {
  readonly program: CellProgram;
  /** Grows when one of the user's files has changed. */
  readonly revision: number;
  /** The declarations that the cell sees. */
  readonly known: string;
}

const KEPT_MAX = 50;

/** The answers that were given last. Only such belong here as change nothing of what cells see. */
export class RepeatedAnswers<T> {
  readonly #kept = new Map<string, T>();
  #of: Circumstances | undefined;

  /** Undefined when the question is new, or anything its answer depends on has changed. */
  find(question: string, now: Circumstances): T | undefined {
    if (!isSame(this.#of, now)) {
      this.#kept.clear();
      this.#of = now;
    }
    return this.#kept.get(question);
  }

  /** To be called in the same circumstances as `find` before it. */
  keep(question: string, answer: T): void {
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(question, answer);
  }
}

function isSame(one: Circumstances | undefined, other: Circumstances): boolean {
  return (
    one?.program === other.program && one.revision === other.revision && one.known === other.known
  );
}
