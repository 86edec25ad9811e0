/** Shows the errors in the text of a cell, each with its code frame. */
import { type Framed, renderDiagnostic, type Source } from "../../../dsl/index.ts";
import type { ErrorOutput } from "../../cell-output.ts";
import { visible } from "../../display/visible.ts";
import type { TypeDiagnostic } from "../../types/service.ts";

/** The first is its name and its message; there must be one. */
export function framesOutput(errors: readonly [Framed, ...Framed[]], source: Source): ErrorOutput {
  const [{ code, message }] = errors;
  return {
    kind: "error",
    ename: code,
    evalue: visible(message),
    traceback: errors.flatMap((error) => frame(error, source).split("\n")),
  };
}

/** A warning as text, without colours. */
export function warningText(framed: Framed, source: Source): string {
  return frame(framed, source, { color: false });
}

/** One of them as text, with our colours. */
export function frame(
  framed: Framed,
  { file, text }: Source,
  { color = true }: { readonly color?: boolean } = {},
): string {
  const source = { file, text: pictured(text) };
  const { message, hint } = framed;
  const harmless = {
    ...framed,
    file,
    message: visible(message),
    ...(hint === undefined ? {} : { hint: visible(hint) }),
  };
  return renderDiagnostic(harmless, source, { color });
}

/** Turns a diagnostic of the TypeScript compiler into ours. */
export function toFramed(
  { code, severity, message, ...place }: TypeDiagnostic,
  { file }: Source,
): Framed {
  return { code, severity, message, ...place, file };
}

/** Control characters shown, one for one: the columns stay. */
export function pictured(text: string): string {
  return text.replace(/[^\P{C}\n\t\r]/gu, (character) => {
    const picture = visible(character);
    return picture.length === character.length ? picture : "�".repeat(character.length);
  });
}
