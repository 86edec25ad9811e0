/** Turns whatever a command threw into a fault: code, sentence, place, hint, exit code. */
import type { Code } from "../../dsl/index.ts";
import type { RunError } from "../../runtime/index.ts";
import { CommandError, type TextPosition } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { type Painter, plain } from "../paint.ts";

export interface CommandFault {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly place?: TextPosition | undefined;
  readonly exitCode: number;
  readonly isTold?: boolean;
  /** For a fault of ours, or of a user's TypeScript: where it was thrown. */
  readonly stack?: string | undefined;
}

/** Codes of the engine that say the call was wrong, not the run. */
const CALL_CODES: readonly Code[] = ["M5001", "M5003", "M5107", "M5108", "M5353"];

export function toFault(thrown: unknown): CommandFault {
  if (thrown instanceof CommandError) {
    const { code, message, hint, place, exitCode, isTold } = thrown;
    return { code, message, hint, place, exitCode, isTold };
  }
  if (isRunError(thrown) && !thrown.code.startsWith("M9")) {
    const { code, message, hint } = thrown;
    return { code, message, hint, exitCode: CALL_CODES.includes(code) ? EXIT.call : EXIT.wrong };
  }
  return {
    code: "M9000",
    message: thrown instanceof Error ? thrown.message : String(thrown),
    hint: "this is an error in Madrigal; please report it with the lines above",
    exitCode: EXIT.fault,
    stack: thrown instanceof Error ? thrown.stack : undefined,
  };
}

/**
 * Returns whether a thrown value is a `RunError`, by its name, since importing the class would load
 * the engine.
 */
function isRunError(thrown: unknown): thrown is RunError {
  if (!(thrown instanceof Error) || thrown.name !== "RunError") return false;
  return "code" in thrown && typeof thrown.code === "string";
}

/** A fault as people read it. */
export function faultText(fault: CommandFault, paint: Painter = plain): string {
  const { code, message, hint, place, stack } = fault;
  return [
    `${paint("error", `error[${code}]`)}: ${message}`,
    ...(place === undefined ? [] : [`  at ${placeText(place)}`]),
    ...(stack === undefined ? [] : stack.split("\n").slice(1)),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
  ].join("\n");
}

/** `file:line:column`, as editors and terminals link it. */
export function placeText({ file, line, column }: TextPosition): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** A fault as a member `error` of a JSON document. */
export function faultJson({
  code,
  message,
  hint,
  place,
  stack,
}: CommandFault): Record<string, unknown> {
  return {
    code,
    message,
    node: null,
    attempt: null,
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(hint === undefined ? {} : { hint }),
    ...(stack === undefined ? {} : { stack }),
  };
}
