/** Defines failures of the world (`Failure`) and errors of callers (`RunError`). */
import type { Code } from "../dsl/index.ts";

/** The reason why an attempt ended without a commit. `denied` and `limit` are never retried. */
export type FailureClass =
  | "transport"
  | "model"
  | "invalid"
  | "filter"
  | "refusal"
  | "tool"
  | "timeout"
  | "denied"
  | "controller_lost"
  | "limit"
  | "aborted";

/** The world went wrong: data of the log and of events, never thrown across the scheduler. */
export interface Failure {
  readonly class: FailureClass;
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
  /**
   * The limit that was reached, in failures of class `limit`: `time`, `usd`, `tokens`, `turns`,
   * `calls`, `steps` or `max`.
   */
  readonly limit?: string;
  /** For `invalid`: what the model is told when it repairs. */
  readonly feedback?: string;
  /** For `invalid`: no answer can put it right, so the model is not asked again. */
  readonly hopeless?: true;
  /** The earliest next try a provider asks for (Retry-After), in milliseconds. */
  readonly retryAfterMs?: number;
  /** The stack of an exception in a user's function; shown, never parsed. */
  readonly stack?: string;
  /** The path to the failure in a called graph: the calling node, the node in it, and so on inwards. */
  readonly path?: readonly string[];
}

/** Thrown by performers to end an attempt with this failure; anything else thrown becomes class `tool` or M9000. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.name = "FailureError";
    this.failure = failure;
  }
}

/** Thrown by an external call of which nobody knows whether it took effect: it was out of time, or its connection was lost. */
export class DoubtfulEnd extends FailureError {}

/** A call that can't be right, or a run that ended badly: what `run.output` rejects with. */
export class RunError extends Error {
  readonly code: Code;
  readonly hint: string | undefined;
  readonly runId: string | undefined;
  readonly node: string | undefined;
  readonly attempt: number | undefined;

  constructor(
    code: Code,
    message: string,
    details: {
      hint?: string | undefined;
      runId?: string | undefined;
      node?: string | undefined;
      attempt?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "RunError";
    this.code = code;
    this.hint = details.hint;
    this.runId = details.runId;
    this.node = details.node;
    this.attempt = details.attempt;
  }
}

/** Returns the message of a thrown value, as one line. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "something that can't be read";
  }
}

/** An error that causes itself ends there. */
const CAUSES_MAX = 8;
/** Stands before the stack of an error's cause, as Node prints one. */
export const CAUSE_MARK = "\n[cause]: ";

/** Returns the stack of a thrown value, with those of its causes, as a part of a failure; reading a value that people throw may throw itself. */
export function stackOf(thrown: unknown): Pick<Failure, "stack"> {
  try {
    const stacks: string[] = [];
    for (let at = thrown; at instanceof Error && stacks.length < CAUSES_MAX; at = at.cause)
      if (at.stack !== undefined) stacks.push(at.stack);
    return stacks.length === 0 ? {} : { stack: stacks.join(CAUSE_MARK) };
  } catch {
    return {};
  }
}
