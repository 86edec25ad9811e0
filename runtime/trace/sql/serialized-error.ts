/** Converts errors into plain data, on their way to another thread or process, and back. */
import { messageOf, RunError } from "../../failure.ts";
import { SqlError } from "./sql-error.ts";

/** An error as plain data. */
export interface SerializedError {
  readonly message: string;
  readonly stack?: string | undefined;
  /** Present on errors with a code of Madrigal. */
  readonly code?: SqlError["code"];
  readonly hint?: string | undefined;
  /** Present, with `offset`, on an `SqlError`. */
  readonly sql?: string;
  readonly offset?: number | undefined;
  readonly cause?: SerializedError;
}

export function serializeError(error: unknown): SerializedError {
  const message = messageOf(error);
  if (!(error instanceof Error)) return { message };
  const { stack } = error;
  if (!(error instanceof SqlError || error instanceof RunError)) return { message, stack };
  const { code, hint } = error;
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) };
  const shared = { message, stack, code, hint, ...cause };
  return error instanceof SqlError ? { ...shared, sql: error.sql, offset: error.offset } : shared;
}

/** The stack stays that of where the error was made. */
export function toError(serialized: SerializedError): Error {
  const error = withoutStack(serialized);
  if (serialized.stack !== undefined) error.stack = serialized.stack;
  return error;
}

function withoutStack({ message, code, hint, sql, offset, cause }: SerializedError): Error {
  const because = cause === undefined ? {} : { cause: toError(cause) };
  if (code === undefined) return new Error(message, because);
  if (sql === undefined) return new RunError(code, message, { hint, ...because });
  return new SqlError(code, message, { sql, hint, offset, ...because });
}
