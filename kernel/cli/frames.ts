/** Prints diagnostics with their code frames. */
import { type Diagnostic, renderDiagnostic, type Source } from "../../dsl/index.ts";
import { counted } from "../display/visible.ts";
import { isColoured, tell, withColours } from "./output.ts";

/** Of errors, and of what is none, as many are told; nobody reads more of them at once. */
const TOLD_MAX = 100;

/** Tells the first diagnostics with their code frames, and how many more there are. */
export function tellFrames(diagnostics: readonly Diagnostic[], source: Source): void {
  const color = isColoured(process.stderr);
  const errors = diagnostics.filter(isError);
  const others = diagnostics.filter((one) => !isError(one));
  const shown = new Set([...errors.slice(0, TOLD_MAX), ...others.slice(0, TOLD_MAX)]);
  for (const diagnostic of diagnostics.filter((one) => shown.has(one))) {
    tell(withColours(renderDiagnostic(diagnostic, source, { color })));
  }
  const more = [...moreOf(errors.length, "more error"), ...moreOf(others.length, "more warning")];
  if (more.length > 0) tell(`and ${more.join(", ")} in ${source.file}`);
}

function moreOf(count: number, noun: string): readonly string[] {
  return count > TOLD_MAX ? [counted(count - TOLD_MAX, noun)] : [];
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}
