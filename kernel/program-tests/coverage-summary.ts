/** Says in one line what tests took of each kind of arrow of a graph. */
import type { CoveredArrow, GraphCoverage } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";

/** `Route: 1 of 1 arrow, 1 of 2 choices, 0 of 1 failure arrow`. */
export function coverageSummary({ ir, arrows }: GraphCoverage): string {
  const counts = KINDS.flatMap(({ kind, word }) => {
    const of = arrows.filter((arrow) => arrow.kind === kind);
    return of.length === 0 ? [] : [`${countTaken(of)} of ${counted(of.length, word)}`];
  });
  return `${ir.name}: ${counts.join(", ")}`;
}

const KINDS: readonly { readonly kind: CoveredArrow["kind"]; readonly word: string }[] = [
  { kind: "arrow", word: "arrow" },
  { kind: "choice", word: "choice" },
  { kind: "failure", word: "failure arrow" },
];

export function countTaken(arrows: readonly CoveredArrow[]): number {
  return arrows.filter(({ times }) => times > 0).length;
}
