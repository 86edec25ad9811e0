/** Tells an error after which nobody knows whether the other side has done what it was asked. */

/** Codes of Node and of its HTTP client for connections that were there, and were lost or ran out of time. */
const LOST: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

const CAUSES_MAX = 5;

/**
 * Returns whether an error, or one that it was caused by, is that of a connection that was lost or ran out of time in the
 * middle of a request. A connection that never was (refused, no such host) leaves no doubt: nothing was asked.
 */
export function isLostConnection(thrown: unknown): boolean {
  let error: unknown = thrown;
  for (let depth = 0; depth < CAUSES_MAX && error instanceof Error; depth += 1) {
    const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
    if (typeof code === "string" && LOST.has(code)) return syscall !== "connect";
    if (error.name === "TimeoutError") return true;
    error = error.cause;
  }
  return false;
}
