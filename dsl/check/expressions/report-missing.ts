/** Reports members, methods and functions that a value or a group of functions does not have. */
import type { TypeIr } from "../../ir/ir.ts";
import { printType } from "../../ir/types.ts";
import { nearest } from "../../names/nearest.ts";
import type { Name } from "../../syntax/tree/ast.ts";
import type { PureFunctions } from "../../vocabulary/pure-functions.ts";
import type { Report } from "../report.ts";

/** Reports a member or a method that a value of the type `object` does not have. */
export function reportMissing(
  name: Name,
  object: TypeIr,
  missing: { readonly what: "member" | "method"; readonly candidates: readonly string[] },
  report: Report,
): void {
  if (missing.candidates.includes(name.text)) {
    report({
      code: "M2110",
      message: `\`${name.text}\` is a method of \`${printType(object)}\`, and is not called`,
      span: name.span,
      hint: `write \`${name.text}(…)\``,
    });
    return;
  }
  const near = nearest(name.text, missing.candidates);
  const some = missing.candidates.slice(0, 8).map((candidate) => `\`${candidate}\``);
  report({
    code: missing.what === "member" ? "M2110" : "M2111",
    message: `\`${printType(object)}\` has no ${missing.what} \`${name.text}\``,
    span: name.span,
    hint:
      near !== undefined
        ? `did you mean \`${near}\`?`
        : some.length === 0
          ? undefined
          : `it has ${some.join(", ")}`,
  });
}

/** Reports a name behind `Math.` and the like that is no function there, or is one and is not called. */
export function reportMissingFunction(
  { text, span }: Name,
  of: {
    readonly group: string;
    readonly functions: PureFunctions;
    readonly isCalled: boolean;
  },
  report: Report,
): void {
  const candidates = Object.keys(of.functions);
  if (candidates.includes(text)) {
    if (of.isCalled) return;
    const message = `\`${of.group}.${text}\` is a function, and is not called`;
    const hint = `write \`${of.group}.${text}(…)\`; for each item \`map(item => ${of.group}.${text}(item))\``;
    report({ code: "M2110", message, span, hint });
    return;
  }
  const near = nearest(text, candidates);
  const all = candidates.map((one) => `\`${one}\``).join(", ");
  report({
    code: "M2111",
    message: `expressions have no \`${of.group}.${text}\``,
    span,
    hint: near === undefined ? `there are ${all}` : `did you mean \`${near}\`?`,
  });
}
