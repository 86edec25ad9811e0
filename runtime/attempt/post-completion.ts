/** Posts a completion of an attempt, and waits for the scheduler's acknowledgement. */
import type { Cancellation } from "../cancellation.ts";
import { type Failure, FailureError } from "../failure.ts";
import type { Completion } from "../scheduler/completion.ts";

export type Acknowledgement =
  | { readonly taken: true }
  | {
      readonly taken: false;
      readonly failure?: Failure;
      /** The run is coming to rest. */
      readonly isRefused?: true;
    };

interface Asks {
  post(
    completion: Completion,
    answer: (asked: Acknowledgement) => void,
    cancellation?: Cancellation,
  ): void;
}

/** Resolves when the scheduler has taken it; rejects with what it says instead. */
export function postAndAwait(
  host: Asks,
  completion: Completion,
  cancellation?: Cancellation,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const answer = (asked: Acknowledgement) => {
      if (asked.taken) resolve();
      else reject(new FailureError(asked.failure ?? aborted));
    };
    host.post(completion, answer, cancellation);
  });
}

export const aborted: Failure = {
  class: "aborted",
  code: "M5005",
  message: "the attempt was cancelled",
};
