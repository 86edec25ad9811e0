import { LIMIT_UNITS } from "../../lower/lower-node.ts";
import { nearest } from "../../names/nearest.ts";
import type { GraphSymbols } from "../../names/symbol-tables.ts";
import type { QuantityAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import { quoted, type Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** What other tools call our units, and people say. */
const OLD_UNITS: Readonly<Record<string, string>> = {
  token: "40k tokens",
  turn: "12 turns",
  iteration: "12 turns",
  iterations: "12 turns",
  requests: "12 turns",
  round: "12 turns",
  rounds: "12 turns",
  call: "20 calls",
  tools: "20 calls",
  tool_calls: "20 calls",
  step: "60 steps",
  recursions: "60 steps",
  supersteps: "60 steps",
  dollar: "$2",
  dollars: "$2",
  usd: "$2",
  USD: "$2",
  cents: "$0.50",
  sec: "30s",
  secs: "30s",
  second: "30s",
  seconds: "30s",
  min: "3m",
  mins: "3m",
  minute: "3m",
  minutes: "3m",
  hour: "1h",
  hours: "1h",
  day: "1d",
  days: "1d",
};

/** The units of `limit`, and those of `history`. */
export function checkUnits({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols))
    if (clause.kind === "history" && clause.size !== undefined)
      checkHistorySize(clause.size, report);
  for (const quantity of quantitiesOf(symbols)) checkQuantity(quantity, report);
}

function quantitiesOf(symbols: GraphSymbols): readonly QuantityAst[] {
  return [...symbols.graph.items, ...allClauses(symbols)].flatMap((item) =>
    item.kind === "limit" ? item.quantities : [],
  );
}

/** What a model sees of earlier conversations has no time and no price. */
function checkHistorySize(size: QuantityAst, report: Report): void {
  if (size.kind === "amount" && ["tokens", "turns"].includes(size.unit.text)) return;
  const near = size.kind === "amount" ? nearest(size.unit.text, ["tokens", "turns"]) : undefined;
  report({
    code: "M4101",
    message: "a history is so many `tokens` or `turns` long",
    span: size.kind === "amount" ? size.unit.span : size.span,
    hint: near === undefined ? "write it like `history 40k tokens`" : `did you mean \`${near}\`?`,
  });
}

function checkQuantity(quantity: QuantityAst, report: Report): void {
  if (quantity.kind !== "amount") return;
  const { text, span } = quantity.unit;
  if (LIMIT_UNITS.some((unit) => unit === text)) return;
  const old = Object.hasOwn(OLD_UNITS, text) ? OLD_UNITS[text] : undefined;
  const near = nearest(text, LIMIT_UNITS);
  const hint =
    old !== undefined
      ? `write it like \`${old}\``
      : near !== undefined
        ? `did you mean \`${near}\`?`
        : `there are ${quoted(LIMIT_UNITS)}, times like \`3m\` and money like \`$2\``;
  report({ code: "M4101", message: `nothing is counted in \`${text}\``, span, hint });
}
