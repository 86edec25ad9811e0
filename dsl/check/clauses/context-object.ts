/** Checks the object of a `context`: its members, their values, and the names in it. */
import type { Scope } from "../../names/scope.ts";
import { typeNames } from "../../names/symbols.ts";
import type { ExprAst, ObjectAst } from "../../syntax/tree/ast.ts";
import { contextFaults } from "../../vocabulary/context-members.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkModelName } from "../expressions/single-names.ts";
import { type Report, reportUnknown } from "../report.ts";
import { constantOf, placeIn, writtenValue } from "./constant-object.ts";

/** Reports M4112 for what is no member of a `context` or no value of one. A function is checked as an expression. */
export function checkContext(value: ExprAst, scope: Scope, report: Report): void {
  if (value.kind !== "object") {
    checkExpression(value, scope, report);
    return;
  }
  checkNames(value, [], scope, report);
  for (const { path, isKey, message, hint } of contextFaults(constantOf(value)))
    report({ code: "M4112", message, span: placeIn(value, path, isKey), hint });
}

function checkNames(
  { entries }: ObjectAst,
  path: readonly string[],
  scope: Scope,
  report: Report,
): void {
  for (const entry of entries) {
    const here = [...path, entry.key.text];
    const value = writtenValue(entry);
    const place = here.join(".");
    if (value.kind === "object" && place !== SCHEMA) checkNames(value, here, scope, report);
    else if (value.kind === "name" && place === "summarize.by")
      checkModelName(value, scope, report);
    else if (value.kind === "name" && place === SCHEMA) checkSchemaName(value, scope, report);
    else checkExpression(value, scope, report);
  }
}

const SCHEMA = "summarize.schema";

function checkSchemaName(
  name: ExprAst & { readonly kind: "name" },
  scope: Scope,
  report: Report,
): void {
  const { file } = scope.symbols;
  if (file.types.has(name.text) || file.imports.has(name.text)) return;
  reportUnknown(report, {
    code: "M2104",
    what: "type",
    word: name.text,
    span: name.span,
    get candidates() {
      return typeNames(file);
    },
    otherwise: `declare it: \`type ${name.text} = { … }\``,
  });
}
