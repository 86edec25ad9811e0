/** Asks the models of a list in turn: the next one where one fails for a reason that another model may not have. */
import { type Failure, FailureError } from "../../failure.ts";
import type { InsteadOf } from "../../records/call-records.ts";
import type { ModelHandle } from "./model-handle.ts";

/**
 * The models that one attempt asks. One that failed is not asked again by the same attempt, so that a conversation goes
 * on with the model that works. Each try is an effect of its own: what failed is in the journal, and a resumed attempt
 * comes to the same model without asking the others again.
 */
export class ModelTurns {
  readonly #handles: readonly ModelHandle[];
  readonly #failures: { readonly id: string; readonly failure: Failure }[] = [];
  #at = 0;

  constructor(first: ModelHandle) {
    this.#handles = [first, ...(first.fallbacks ?? [])];
  }

  /** The model that is asked now. */
  get current(): ModelHandle {
    const handle = this.#handles[this.#at];
    if (handle === undefined) throw new Error("M9000: no model is left to ask");
    return handle;
  }

  /** Makes one call, of the next model where one fails; M8150 where there were several and none has answered. */
  async ask<T>(call: (handle: ModelHandle, instead?: InsteadOf) => Promise<T>): Promise<T> {
    let instead: InsteadOf | undefined;
    for (;;) {
      const handle = this.current;
      try {
        return await call(handle, instead);
      } catch (thrown) {
        const failure = passingFailure(thrown);
        if (failure === undefined || this.#handles.length === 1) throw thrown;
        this.#failures.push({ id: handle.id, failure });
        if (this.#at === this.#handles.length - 1) throw noneAnswered(this.#failures);
        this.#at += 1;
        const { code, message } = failure;
        instead = { model: handle.id, code, message };
      }
    }
  }
}

const PASSING: readonly string[] = ["transport", "model", "filter"];

/**
 * Returns the failure of a call that another model may not have: its provider can't be reached or is overloaded, the
 * credentials, the model or the request are refused, also by a content filter, or it is not configured. A reached limit, an abort and an answer
 * that does not fit are none.
 */
function passingFailure(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof FailureError)) return undefined;
  const { failure } = thrown;
  return PASSING.includes(failure.class) ? failure : undefined;
}

function noneAnswered(
  failures: readonly { readonly id: string; readonly failure: Failure }[],
): FailureError {
  const last = failures.at(-1)?.failure;
  const lines = failures.map(({ failure: { code, message } }) => `${code} ${message}`);
  const hint = last?.hint ?? "see the calls and the events `model.fallback` in the trace";
  return new FailureError({
    class: last?.class ?? "model",
    code: "M8150",
    message: `none of ${failures.length} models has answered: ${lines.join("; ")}`,
    hint,
    ...(last?.retryAfterMs === undefined ? {} : { retryAfterMs: last.retryAfterMs }),
  });
}
