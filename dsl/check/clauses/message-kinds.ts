/** Checks the kinds of messages behind `tell … as`. */
import { MESSAGE_KINDS } from "../../vocabulary/message-kinds.ts";
import type { GraphCheck } from "../context.ts";
import { allClauses } from "./all-clauses.ts";
import { checkWord } from "./words.ts";

/** What a message is sent as: `tell b as review`. */
export function checkMessageKinds({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols))
    if (clause.kind === "tell" && clause.as !== undefined)
      checkWord(clause.as, MESSAGE_KINDS, { code: "M4910", what: "kind of message" }, report);
}
