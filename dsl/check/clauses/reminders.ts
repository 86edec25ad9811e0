/** Checks how often somebody who is asked is reminded: `within 2h..1d`. */
import type { WaitAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import type { Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** Nobody is asked more often. */
const REMINDERS_MAX = 100;

/** Reports reminders that never come, or that are too many. */
export function checkReminders({ symbols, report }: GraphCheck): void {
  for (const part of [...symbols.graph.items, ...allClauses(symbols)]) {
    const asking = part.kind === "ask" ? part : part.kind === "approve" ? part.consent : undefined;
    for (const wait of asking === undefined ? [] : [asking, ...(asking.then ?? [])])
      checkWait(wait, report);
  }
}

function checkWait({ withinMs = 0, remind }: WaitAst, report: Report): void {
  if (remind === undefined) return;
  const isLate = remind.ms <= 0 || remind.ms >= withinMs;
  if (!isLate && withinMs / remind.ms <= REMINDERS_MAX) return;
  report({
    code: "M4150",
    message: isLate
      ? "nobody is reminded before the time is over"
      : `somebody would be asked more than ${REMINDERS_MAX} times`,
    span: remind.span,
    hint: "write the time between two reminders first: `within 2h..1d`",
  });
}
