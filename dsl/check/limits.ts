import { EDGE_WORDS } from "../lower/lower-flow.ts";
import { LIMIT_UNITS, RETRY_CLASSES } from "../lower/lower-node.ts";
import { nearest } from "../nearest.ts";
import type { Name, QuantityAst } from "../syntax/ast.ts";
import { quoted, type Report } from "./context.ts";

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

/** The units of `limit` and of `history`. */
export function checkQuantity(quantity: QuantityAst, report: Report): void {
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

/** The classes of error behind `retry … on`. */
export function checkRetryClass(name: Name, report: Report): void {
  checkWord(name, RETRY_CLASSES, { code: "M4102", what: "class of error" }, report);
}

/** What an arrow can be taken on, behind `on`. */
export function checkEdgeWord(name: Name, report: Report): void {
  checkWord(name, EDGE_WORDS, { code: "M4103", what: "ending of a node" }, report);
}

const OLD_WORDS: Readonly<Record<string, string>> = {
  fail: "error",
  failure: "error",
  failed: "error",
  exception: "error",
  catch: "error",
  timeout: "limit",
  budget: "limit",
  denied: "deny",
  reject: "deny",
  rejected: "deny",
  rate_limit: "transport",
  network: "transport",
  validation: "invalid",
  schema: "invalid",
};

function checkWord(
  name: Name,
  words: readonly string[],
  kind: { readonly code: "M4102" | "M4103"; readonly what: string },
  report: Report,
): void {
  if (words.includes(name.text)) return;
  const old = Object.hasOwn(OLD_WORDS, name.text) ? OLD_WORDS[name.text] : undefined;
  const near = old !== undefined && words.includes(old) ? old : nearest(name.text, words);
  const hint = near === undefined ? `there are ${quoted(words)}` : `did you mean \`${near}\`?`;
  report({
    code: kind.code,
    message: `no ${kind.what} is called \`${name.text}\``,
    span: name.span,
    hint,
  });
}
