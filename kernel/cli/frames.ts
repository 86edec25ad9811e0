/** Prints diagnostics with their code frames. */
import { type Diagnostic, renderDiagnostic, type Source } from "../../dsl/index.ts";
import { isColoured, tell, withColours } from "./output.ts";

/** Tells each diagnostic with its code frame. */
export function tellFrames(diagnostics: readonly Diagnostic[], source: Source): void {
  const color = isColoured(process.stderr);
  for (const diagnostic of diagnostics) {
    tell(withColours(renderDiagnostic(diagnostic, source, { color })));
  }
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}
