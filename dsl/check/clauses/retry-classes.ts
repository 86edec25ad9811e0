/** Checks the classes of failure behind `retry … on`. */
import { RETRY_CLASSES } from "../../lower/lower-node.ts";
import type { GraphCheck } from "../context.ts";
import { allClauses } from "./all-clauses.ts";
import { checkWord } from "./words.ts";

/** The classes of error behind `retry … on`. */
export function checkRetryClasses({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols))
    if (clause.kind === "retry")
      for (const name of clause.rules.flatMap((rule) => rule.on))
        checkWord(name, RETRY_CLASSES, { code: "M4102", what: "class of error" }, report);
}
