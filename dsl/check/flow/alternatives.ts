/** Warns of branches and cases that can never be taken. */
import type { Span } from "../../diagnostics/source.ts";
import { literalValue } from "../../lower/lower-flow.ts";
import type { BranchAst, CaseAst, HopAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import type { Report } from "../report.ts";

/** A branch of a choice or a case of a `match`. */
interface Alternative {
  readonly span: Span;
  /** The values it takes; `undefined` for a condition, of which nothing is known. */
  readonly values: readonly string[] | undefined;
  readonly isElse: boolean;
  /** After so many times it takes nothing, and the next one is tried. */
  readonly isCounted: boolean;
}

/** Warns of branches and cases that the run never takes. */
export function checkAlternatives({ hops, report }: GraphCheck): void {
  for (const { hop } of hops) {
    if (hop.kind === "choice") reportNeverTried(hop.branches.map(toAlternative), report);
    if (hop.kind === "match") reportNeverTried(hop.cases.map(toAlternative), report);
    reportZero(hop, report);
  }
}

/** Nothing passes a `max 0`. */
function reportZero({ clauses }: HopAst, report: Report): void {
  for (const clause of clauses) {
    if (clause.kind !== "max" || clause.count.kind !== "number" || clause.count.value > 0) continue;
    report({
      code: "M3217",
      severity: "warning",
      message: `this arrow is never taken: \`max ${clause.count.value}\` allows no use of it`,
      span: clause.span,
      hint: "write how often it may be taken, or remove the arrow",
    });
  }
}

/**
 * Builds the alternative of a branch or a case: its values, and whether it is an `else` or may let
 * a value pass.
 */
function toAlternative(one: BranchAst | CaseAst): Alternative {
  const values =
    "values" in one ? one.values?.map((value) => JSON.stringify(literalValue(value))) : undefined;
  const isElse =
    !("values" in one && one.values !== undefined) &&
    !("condition" in one && one.condition !== undefined);
  // A value that `max` or `when` rejects goes to the next branch.
  const isCounted =
    one.hops[0]?.clauses.some(({ kind }) => kind === "max" || kind === "when") ?? false;
  return { span: one.span, values, isElse, isCounted };
}

/** Warns of the first alternative that those before it leave nothing to. */
function reportNeverTried(alternatives: readonly Alternative[], report: Report): void {
  const taken = new Set<string>();
  let isAllTaken = false;
  for (const { span, values, isElse, isCounted } of alternatives) {
    if (isAllTaken || (values?.every((value) => taken.has(value)) ?? false)) {
      report({
        code: "M3217",
        severity: "warning",
        message: isAllTaken
          ? "this branch is never taken: the `else` before it takes all values"
          : "this branch is never taken: a branch above takes the value",
        span,
        hint: "move it up, or remove it",
      });
      return;
    }
    if (isCounted) continue;
    isAllTaken = isElse;
    for (const value of values ?? []) taken.add(value);
  }
}
