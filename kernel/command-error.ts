/** Declares the error of commands and the kernel: a code, a sentence, a place, a hint, an exit code. */
import type { Code } from "../dsl/index.ts";
import { EXIT } from "./exit-codes.ts";

/** A place in a text; line and column are counted from 1. */
export interface TextPosition {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** An error that ends a command: shown to the person, with an exit code. */
export class CommandError extends Error {
  readonly code: Code;
  readonly hint: string | undefined;
  readonly place: TextPosition | undefined;
  readonly exitCode: number;
  /** People have been told already, with frames; only documents still have to say it. */
  readonly isTold: boolean;

  constructor(
    code: Code,
    message: string,
    details: {
      readonly hint?: string | undefined;
      readonly place?: TextPosition | undefined;
      readonly exitCode?: number;
      readonly isTold?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CommandError";
    this.code = code;
    this.hint = details.hint;
    this.place = details.place;
    this.exitCode = details.exitCode ?? EXIT.call;
    this.isTold = details.isTold ?? false;
  }
}
