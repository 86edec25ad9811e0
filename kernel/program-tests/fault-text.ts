/** Writes what is wrong with a test: the sentence, the line in the test, and the value that came instead. */
import { type Framed, positionAt, renderDiagnostic, type TestIr } from "../../dsl/index.ts";
import type { TestFault } from "../../runtime/index.ts";

/** A fault as a diagnostic at its place in the test. */
export function toFramed({ source }: TestIr, { code, message, hint, span }: TestFault): Framed {
  const [start, end] = span;
  const { line, column } = positionAt(source, start);
  const to = positionAt(source, end);
  return {
    code,
    severity: "error",
    message,
    file: source.file,
    line,
    column,
    endLine: to.line,
    endColumn: to.column,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** A fault with its frame, and below it the paths one under the other, or the values. */
export function faultFrame(test: TestIr, fault: TestFault, { color = false } = {}): string {
  const frame = renderDiagnostic(toFramed(test, fault), test.source, { color });
  return fault.detail === undefined ? frame : `${frame}\n${indented(fault.detail)}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
