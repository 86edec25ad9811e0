/** Turns the compiler's errors into diagnostics of the service. */
import { positionAt } from "../../../dsl/index.ts";
import type { TypeDiagnostic } from "../service.ts";
import type { TextDiagnostic } from "./errors-of.ts";

/** The compiler's messages at the lines and columns of a cell; what it says about the end of the text is said there. */
export function toTypeDiagnostics(
  code: string,
  diagnostics: readonly TextDiagnostic[],
): readonly TypeDiagnostic[] {
  const source = { file: "", text: code };
  return diagnostics.map((diagnostic) => {
    const start = positionAt(source, within(code, diagnostic.start));
    const end = positionAt(source, within(code, diagnostic.start + diagnostic.length));
    return {
      code: `TS${diagnostic.code}`,
      severity: "error",
      message: diagnostic.message,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
    };
  });
}

function within(code: string, offset: number): number {
  return Math.max(0, Math.min(offset, code.length));
}
