/** Checks that a condition can be true or false. */
import type { TypeIr } from "../../ir/ir.ts";
import { resolveType, type TypeTable } from "../../ir/types.ts";
import { lowerExpression } from "../../lower/lower-expression.ts";
import type { Scope } from "../../names/scope.ts";
import { printExpression } from "../../print/print-expression.ts";
import type { ExprAst } from "../../syntax/tree/ast.ts";
import type { Report } from "../report.ts";
import { checkExpression } from "./check-expression.ts";

/** A kind of value that is neither true nor false. */
type ValueKind = "number" | "string" | "list" | "object";

/** Checks the names in a condition, and that no value of it is known to be anything but true or false. */
export function checkCondition(expr: ExprAst, scope: Scope, report: Report): void {
  checkExpression(expr, scope, report);
  // One condition, one fault: `a ?? b` of two numbers is one.
  for (const result of resultsOf(expr)) if (reportNotBoolean(result, scope, report)) return;
}

/** The parts of an expression that it may give back. The left side of an `&&` may be a test that something is there. */
function resultsOf(expr: ExprAst): readonly ExprAst[] {
  if (expr.kind === "conditional") return [expr.then, expr.else].flatMap(resultsOf);
  if (expr.kind !== "binary") return [expr];
  if (expr.op === "&&") return resultsOf(expr.right);
  return expr.op === "||" || expr.op === "??" ? [expr.left, expr.right].flatMap(resultsOf) : [expr];
}

function reportNotBoolean(expr: ExprAst, scope: Scope, report: Report): boolean {
  // Its names have been reported already.
  const type = checkExpression(expr, scope, () => undefined);
  const kinds = type && kindsOf(type, scope.symbols.file.types);
  const [first] = kinds ?? [];
  if (kinds === undefined || first === undefined) return false;
  const shown = shownShort(expr, scope);
  const what = kinds.map((kind) => (kind === "object" ? "an object" : `a ${kind}`)).join(" or ");
  report({
    code: "M3218",
    message: `a condition must be true or false, ${shown === undefined ? "this" : `\`${shown}\``} is ${what}`,
    span: expr.span,
    hint: hintFor(expr, shown, first),
  });
  return true;
}

/** The kinds of value besides null; undefined if one may be true or false, or is not known. */
function kindsOf(type: TypeIr, types: TypeTable, depth = 0): readonly ValueKind[] | undefined {
  // A union may name itself.
  const shape = depth > 5 ? undefined : resolveType(type, types);
  switch (shape?.kind) {
    case "array":
    case "tuple":
      return ["list"];
    case "object":
      return ["object"];
    case "literal":
      return kindsOfValue(shape.value);
    case "named":
      return kindsOfName(shape.name);
    case "union": {
      const parts = shape.types.map((part) => kindsOf(part, types, depth + 1));
      const known = parts.filter((part) => part !== undefined);
      return known.length < parts.length ? undefined : [...new Set(known.flat())];
    }
    case undefined:
      return undefined;
  }
}

function kindsOfValue(value: string | number | boolean | null): readonly ValueKind[] | undefined {
  if (value === null) return [];
  if (typeof value === "boolean") return undefined;
  return [typeof value === "string" ? "string" : "number"];
}

function kindsOfName(name: string): readonly ValueKind[] | undefined {
  if (name === "number" || name === "int") return ["number"];
  if (name === "string") return ["string"];
  return name === "Record" ? ["object"] : undefined;
}

function shownShort(expr: ExprAst, scope: Scope): string | undefined {
  const shown = printExpression(lowerExpression(expr, scope));
  return shown.length > 40 || /[`\n]/.test(shown) ? undefined : shown;
}

function hintFor(expr: ExprAst, shown: string | undefined, kind: ValueKind): string {
  const isPath = expr.kind === "name" || expr.kind === "member" || expr.kind === "index";
  const isSaid = isPath || expr.kind === "call" || expr.kind === "binary";
  const isLength = expr.kind === "member" && expr.name.text === "length";
  if (shown === undefined || !isSaid) return "compare it with something, for example `n > 0`";
  const orThere = isPath && !isLength ? ` or \`${shown} != null\`` : "";
  switch (kind) {
    case "number":
      return `write for example \`${shown} > 0\`${orThere}`;
    case "string":
      return `write for example \`${shown} != ""\`${orThere}`;
    case "list":
      return `write for example \`${shown}.length > 0\`${orThere}`;
    case "object":
      return `write for example \`${shown} != null\``;
  }
}
