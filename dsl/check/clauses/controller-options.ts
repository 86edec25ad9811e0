/** Checks what a program says to a controller that comes with Madrigal. */
import { lowerDotted } from "../../lower/lower-type.ts";
import { nearest } from "../../names/nearest.ts";
import type { Scope } from "../../names/scope.ts";
import { isOffered } from "../../names/scope.ts";
import type { ArgAst, DottedAst } from "../../syntax/tree/ast.ts";
import { controllerOptions } from "../../vocabulary/controllers.ts";
import type { Report } from "../report.ts";

/** Reports M4116 for an option that the controller does not have. One of the scope takes what its function takes. */
export function checkControllerOptions(
  name: DottedAst,
  args: readonly ArgAst[],
  { symbols: { file } }: Scope,
  report: Report,
): void {
  const text = lowerDotted(name).join(".");
  const options = controllerOptions(text);
  if (options === undefined || file.imports.has(text) || isOffered(file.scope, text)) return;
  for (const { label, value } of args) {
    if (label === undefined) {
      const message = `\`${text}\` takes its options by their names`;
      report({ code: "M4116", message, span: value.span, hint: `\`${text}(cwd: "app")\`` });
    } else if (!options.some((option) => option === label.text)) {
      const meant = nearest(label.text, options);
      const hint =
        meant === undefined ? `it has ${options.join(", ")}` : `did you mean \`${meant}\`?`;
      const message = `\`${text}\` has no option \`${label.text}\``;
      report({ code: "M4116", message, span: label.span, hint });
    }
  }
}
