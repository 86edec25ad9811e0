/** Checks the value of `ask … else e` against the field that it is written to. */
import { findByName } from "../../ir/find-by-name.ts";
import { printType } from "../../ir/types.ts";
import { outputTypeOf } from "../../lower/output.ts";
import type { NodeCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { cannotFit } from "../expressions/fits.ts";

/** `ask … within 2h else e`: the answer where nobody gives one is what the node writes. */
export function checkDefaultAnswers({ own, node, ir, scope, symbols, report }: NodeCheck): void {
  for (const clause of own) {
    if (clause.kind !== "ask" || clause.otherwise === undefined) continue;
    const given = checkExpression(clause.otherwise, scope, report);
    const asking = findByName(ir.nodes, node.name.text);
    const wanted = asking && outputTypeOf(asking, ir.fields, symbols.file.types);
    if (given === undefined || wanted === undefined) continue;
    if (!cannotFit(given, wanted, symbols.file.types)) continue;
    report({
      code: "M3103",
      message: `the default answer is \`${printType(given)}\`, but \`${node.name.text}\` writes \`${printType(wanted)}\``,
      span: clause.otherwise.span,
      hint: "give an answer of that type",
    });
  }
}
