/** Collects the errors of a file from the compiler. */
import type ts from "typescript-6";

/** A message of the compiler, by offsets of the text that was analysed. */
export interface TextDiagnostic {
  readonly code: number;
  readonly message: string;
  readonly start: number;
  readonly length: number;
}

/** A package without types is used as it is: neither a notebook nor a graph is the place to write them. */
export const UNTYPED_MODULE = 7016;

/** Returns the semantic errors of a file of a program, in the order of its text. */
export function errorsOf(
  compiler: typeof ts,
  program: ts.Program,
  file: ts.SourceFile,
): readonly ts.Diagnostic[] {
  const errors = program
    .getSemanticDiagnostics(file)
    .filter(
      ({ category, code }) =>
        category === compiler.DiagnosticCategory.Error && code !== UNTYPED_MODULE,
    );
  return compiler.sortAndDeduplicateDiagnostics(errors);
}

/** A diagnostic of the compiler as plain data. */
export function toTextDiagnostic(compiler: typeof ts, diagnostic: ts.Diagnostic): TextDiagnostic {
  const { code, start = 0, length = 0, messageText } = diagnostic;
  return { code, message: compiler.flattenDiagnosticMessageText(messageText, "\n"), start, length };
}
