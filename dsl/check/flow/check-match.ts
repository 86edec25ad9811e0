/** Checks that a `match` handles every value of its subject, and no other. */
import type { TypeIr } from "../../ir/ir.ts";
import { printType, resolveType } from "../../ir/types.ts";
import { literalValue } from "../../lower/lower-flow.ts";
import { nearest } from "../../names/nearest.ts";
import type { Scope } from "../../names/scope.ts";
import type { HopAst, LiteralAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { literalTypes } from "../expressions/literal-types.ts";
import type { Report } from "../report.ts";

type MatchHop = HopAst & { readonly kind: "match" };

/** A `match` whose subject's values are known must handle all of them and no other. */
export function checkMatches({ hops, report }: GraphCheck): void {
  for (const { hop, scope } of hops) {
    if (hop.kind !== "match") continue;
    checkMatch(
      hop,
      checkExpression(hop.subject, scope, () => undefined),
      scope,
      report,
    );
  }
}

function checkMatch(
  hop: MatchHop,
  subject: TypeIr | undefined,
  scope: Scope,
  report: Report,
): void {
  const { types } = scope.symbols.file;
  const handled = hop.cases.flatMap((one) => one.values ?? []);
  const hasElse = hop.cases.some((one) => one.values === undefined);
  const shape = subject && resolveType(subject, types);
  const possible = subject && literalTypes(subject, types);
  if (subject === undefined || shape === undefined) return;
  if (possible === undefined) {
    if (!hasElse && isOpenEnded(shape))
      reportIncomplete(hop, `any \`${printType(subject)}\` can come`, report);
    return;
  }
  for (const literal of handled) {
    // A field that is not written yet is null, whatever its type.
    if (literalValue(literal) !== null) reportImpossible(literal, possible, report);
  }
  const missing = possible.filter((value) =>
    handled.every((literal) => literalValue(literal) !== value),
  );
  if (missing.length > 0 && !hasElse) {
    const values = missing.map((value) => JSON.stringify(value)).join(", ");
    reportIncomplete(hop, `${values} ${missing.length === 1 ? "isn't" : "aren't"} handled`, report);
  }
}

function isOpenEnded(shape: TypeIr): boolean {
  return shape.kind === "named" && ["string", "number", "int"].includes(shape.name);
}

function reportIncomplete(hop: MatchHop, message: string, report: Report): void {
  report({ code: "M3209", message, span: hop.subject.span, hint: "add a case, or `else -> …`" });
}

function reportImpossible(
  literal: LiteralAst,
  possible: readonly (string | number | boolean | null)[],
  report: Report,
): void {
  const value = literalValue(literal);
  if (possible.includes(value)) return;
  const texts = possible.map((one) => JSON.stringify(one));
  const near = nearest(JSON.stringify(value), texts);
  report({
    code: "M3210",
    message: `${JSON.stringify(value)} is no possible value here`,
    span: literal.span,
    hint: near === undefined ? `it is one of ${texts.join(", ")}` : `did you mean ${near}?`,
  });
}
