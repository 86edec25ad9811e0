/** Reads the errors of TypeScript 7 as those of TypeScript 6 are read. */
import type { Diagnostic } from "typescript/unstable/sync";
import { type TextDiagnostic, UNTYPED_MODULE } from "../compiler/errors-of.ts";

/** Returns the errors in the order of their text. */
export function errorsIn(diagnostics: readonly Diagnostic[]): readonly TextDiagnostic[] {
  const errors = diagnostics
    .filter(({ category, code }) => category === ERROR && code !== UNTYPED_MODULE)
    .map((one) => ({
      code: one.code,
      message: flattened(one),
      start: one.pos,
      length: one.end - one.pos,
    }));
  return errors.toSorted((one, other) => one.start - other.start || one.length - other.length);
}

function flattened({ text, messageChain = [] }: Diagnostic, depth = 0): string {
  const rest = messageChain.map((one) => `\n${flattened(one, depth + 1)}`);
  return `${"  ".repeat(depth)}${text}${rest.join("")}`;
}

/** Returns whether TypeScript 7 tells less than TypeScript 6: of a call that fits no overload it names the last one alone. */
export function isShort({ code }: TextDiagnostic): boolean {
  return code === 2769;
}

/** `DiagnosticCategory.Error`; the module that exports the enum is loaded only by who needs the compiler. */
const ERROR = 1;
