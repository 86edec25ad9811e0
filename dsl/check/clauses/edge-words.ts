/** Checks the words behind `on` on an arrow. */
import { EDGE_WORDS } from "../../lower/lower-flow.ts";
import type { GraphCheck } from "../context.ts";
import { checkWord } from "./words.ts";

/** What an arrow can be taken on, behind `on`. */
export function checkEdgeWords({ hops, report }: GraphCheck): void {
  for (const { hop } of hops)
    for (const clause of hop.clauses)
      if (clause.kind === "on")
        checkWord(clause.what, EDGE_WORDS, { code: "M4103", what: "ending of a node" }, report);
}
