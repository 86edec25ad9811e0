/** Checks that limits and histories are counted in units that exist. */
import { nearest } from "../../names/nearest.ts";
import type { GraphSymbols } from "../../names/symbol-tables.ts";
import type { QuantityAst } from "../../syntax/tree/ast.ts";
import { LIMIT_UNITS, LIMITS } from "../../vocabulary/limits.ts";
import type { GraphCheck } from "../context.ts";
import { quoted, type Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** Words that other tools and people use for our units, with how to write them here. */
const FOREIGN_UNITS: ReadonlyMap<string, string> = new Map([
  ...LIMIT_UNITS.flatMap((unit) => {
    const { otherNames, example } = LIMITS[unit];
    return otherNames.map((name): [string, string] => [name, example]);
  }),
  ...examplesFor("$2", ["dollar", "dollars", "usd", "USD"]),
  ...examplesFor("$0.50", ["cents"]),
  ...examplesFor("30s", ["sec", "secs", "second", "seconds"]),
  ...examplesFor("3m", ["min", "mins", "minute", "minutes"]),
  ...examplesFor("1h", ["hour", "hours"]),
  ...examplesFor("1d", ["day", "days"]),
]);

function examplesFor(example: string, names: readonly string[]): readonly [string, string][] {
  return names.map((name) => [name, example]);
}

/** The units of `limit`, and those of `history`. */
export function checkUnits({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols))
    if (clause.kind === "history" && clause.size !== undefined)
      checkHistorySize(clause.size, clause.source === "field" ? TALK_UNITS : OWN_UNITS, report);
  for (const quantity of quantitiesOf(symbols)) checkQuantity(quantity, report);
}

function quantitiesOf(symbols: GraphSymbols): readonly QuantityAst[] {
  return [...symbols.graph.items, ...allClauses(symbols)].flatMap((item) =>
    item.kind === "limit" ? item.quantities : [],
  );
}

const OWN_UNITS = ["tokens", "turns"];
/** The units in which the size of a `history` of a `Messages` field may be given. */
const TALK_UNITS = ["tokens", "turns", "messages"];

/**
 * Reports M4101 unless the size of a `history` is a number of tokens or turns, or of a conversation's messages; time and
 * price are no sizes.
 */
function checkHistorySize(size: QuantityAst, units: readonly string[], report: Report): void {
  if (size.kind === "amount" && units.includes(size.unit.text)) return;
  const near = size.kind === "amount" ? nearest(size.unit.text, units) : undefined;
  const listed = units.map((unit) => `\`${unit}\``);
  report({
    code: "M4101",
    message: `\`history\` takes a number of ${listed.slice(0, -1).join(", ")} or ${listed.at(-1)}`,
    span: size.kind === "amount" ? size.unit.span : size.span,
    hint: near === undefined ? "write it like `history 40k tokens`" : `did you mean \`${near}\`?`,
  });
}

function checkQuantity(quantity: QuantityAst, report: Report): void {
  if (quantity.kind !== "amount") return;
  const { text, span } = quantity.unit;
  if (LIMIT_UNITS.some((unit) => unit === text)) return;
  const foreign = FOREIGN_UNITS.get(text);
  const near = nearest(text, LIMIT_UNITS);
  const hint =
    foreign !== undefined
      ? `write it like \`${foreign}\``
      : near !== undefined
        ? `did you mean \`${near}\`?`
        : `there are ${quoted(LIMIT_UNITS)}, times like \`3m\` and money like \`$2\``;
  report({ code: "M4101", message: `\`${text}\` is no unit of a limit`, span, hint });
}
