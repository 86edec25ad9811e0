/** The places at which a line that is too long is broken, by rank: those of the first rank that has any come first. */
import type { BracketPair } from "./parts.ts";
import type { TokenRead } from "./read.ts";

type BreakClass =
  | "arrow"
  | "first-arrow"
  | "clause"
  | "option"
  | "comma"
  | "bar"
  | "conditional"
  | "or"
  | "and"
  | "comparison"
  | "sum"
  | "product";

const expressionRanks: readonly BreakClass[] = [
  ...(["bar", "conditional", "or", "and", "comparison", "sum", "product"] as const),
];
const flowRanks: readonly BreakClass[] = [
  ...(["arrow", "clause", "first-arrow", "option", "comma"] as const),
  ...expressionRanks,
];
const clauseRanks: readonly BreakClass[] = [
  ...(["arrow", "comma", "clause", "option", "first-arrow"] as const),
  ...expressionRanks,
];

const clauseWords: ReadonlySet<string> = new Set([
  ...["when", "set", "by", "then", "until", "writes", "returns"],
]);
const optionWords: ReadonlySet<string> = new Set([
  ...["max", "after", "on", "within", "backoff", "from", "into", "parallel", "need"],
  ...["summarize", "top", "else"],
]);
const operators: ReadonlyMap<string, BreakClass> = new Map([
  ...(["?", ":"] as const).map((sign) => [sign, "conditional"] as const),
  ...(["||", "??"] as const).map((sign) => [sign, "or"] as const),
  ["&&", "and"],
  ...(["==", "!=", "===", "!==", "<", "<=", ">", ">="] as const).map(
    (sign) => [sign, "comparison"] as const,
  ),
  ...(["+", "-"] as const).map((sign) => [sign, "sum"] as const),
  ...(["*", "/", "%"] as const).map((sign) => [sign, "product"] as const),
  ["|", "bar"],
]);

/**
 * Returns, for each rank, the tokens between `from` and `to` that may begin a line; what stands in
 * brackets is left out.
 */
export function breakPlaces(
  reads: readonly TokenRead[],
  pairs: ReadonlyMap<number, BracketPair>,
  { from, to }: { readonly from: number; readonly to: number },
): readonly (readonly number[])[] {
  const isFlow = ["graph", "choice"].includes(reads[from]?.frame.kind ?? "");
  const ranks = isFlow ? flowRanks : clauseRanks;
  const places: number[][] = ranks.map(() => []);
  let arrows = 0;
  for (let index = from; index < to; index++) {
    const read = reads[index];
    if (read === undefined) break;
    const isFrom = read.piece.text === "from" && read.frame.kind === "file";
    const found = index === from || isFrom ? undefined : classOf(read, arrows);
    if (read.piece.text === "->") arrows += 1;
    const at = found === "comma" ? tokenBehind(reads, index) : index;
    if (found !== undefined && at < to) places[ranks.indexOf(found)]?.push(at);
    index = pairs.get(index)?.close ?? index;
  }
  return places;
}

function classOf({ role, piece: { text } }: TokenRead, arrows: number): BreakClass | undefined {
  if (role === "comma") return "comma";
  if (role === "keyword") return clauseWords.has(text) ? "clause" : optionOf(text);
  if (role !== "operator") return undefined;
  if (text === "->") return arrows === 0 ? "first-arrow" : "arrow";
  return operators.get(text);
}

function optionOf(text: string): BreakClass | undefined {
  return optionWords.has(text) ? "option" : undefined;
}

function tokenBehind(reads: readonly TokenRead[], index: number): number {
  let next = index + 1;
  while (reads[next]?.role === "comment") next += 1;
  return next;
}
