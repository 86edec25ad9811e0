/** What the scheduler says to what an attempt wants. */
import { type Failure, FailureError } from "../failure.ts";

export type Asked =
  | { readonly taken: true }
  | {
      readonly taken: false;
      readonly failure?: Failure;
      /** The run is coming to rest. */
      readonly isRefused?: true;
    };

/** Throws what the scheduler says instead. */
export async function taken(asked: Promise<Asked>): Promise<void> {
  const answer = await asked;
  if (!answer.taken) throw new FailureError(answer.failure ?? aborted);
}

export const aborted: Failure = {
  class: "aborted",
  code: "M5005",
  message: "the attempt was cancelled",
};
