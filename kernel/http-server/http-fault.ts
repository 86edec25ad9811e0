/** Declares the error that a request is answered with, and makes one of whatever an operation throws. */
import type { Code } from "../../dsl/index.ts";
import { messageOf, RunError } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";

/** A request that can't be answered as it is. */
export class HttpFault extends Error {
  readonly status: number;
  readonly code: Code;
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: Code,
    message: string,
    about: {
      readonly hint?: string | undefined;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: about.cause });
    this.status = status;
    this.code = code;
    this.hint = about.hint;
    this.headers = about.headers ?? {};
  }
}

/** The status of an error that a run throws; any other is 400. */
const STATUSES: Readonly<Partial<Record<Code, number>>> = {
  M5105: 409,
  M5107: 404,
  M5302: 409,
  M5004: 409,
  M5310: 409,
  M5311: 422,
  M5317: 422,
  M5331: 404,
  M5332: 410,
  M5333: 409,
  M5350: 409,
  M5358: 404,
};

/** The error of a request for what was thrown; what is our own fault is 500, and `tell` hears of it. */
export function faultOf(thrown: unknown, tell: (line: string) => void): HttpFault {
  if (thrown instanceof HttpFault) return thrown;
  if (thrown instanceof RunError || thrown instanceof CommandError) {
    const { code, message, hint } = thrown;
    return new HttpFault(STATUSES[code] ?? 400, code, message, { hint });
  }
  tell(`madrigal serve: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown}`);
  return new HttpFault(500, "M9000", messageOf(thrown).replace(/^M9000: /, ""), {
    hint: "the server's stderr says more",
  });
}

/** The answer to a request. */
export function faultResponse({ status, code, message, hint, headers }: HttpFault): Response {
  const error = { code, message, ...(hint === undefined ? {} : { hint }) };
  return Response.json({ error }, { status, headers });
}
