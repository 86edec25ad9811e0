/** Checks the closed lists of words in clauses: endings on arrows, kinds of messages, classes of errors. */

import { findByName } from "../../ir/find-by-name.ts";
import { printType } from "../../ir/types.ts";
import { EDGE_WORDS } from "../../lower/lower-flow.ts";
import { RETRY_CLASSES } from "../../lower/lower-node.ts";
import { outputTypeOf } from "../../lower/output.ts";
import { nearest } from "../../names/nearest.ts";
import type { Name } from "../../syntax/tree/ast.ts";
import { MESSAGE_KINDS } from "../../vocabulary/message-kinds.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import { cannotFit } from "../expressions/fits.ts";
import { quoted, type Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

const OLD_WORDS: Readonly<Record<string, string>> = {
  fail: "error",
  failure: "error",
  failed: "error",
  exception: "error",
  catch: "error",
  timeout: "limit",
  budget: "limit",
  denied: "deny",
  content_filter: "filter",
  safety: "filter",
  refused: "refusal",
  refuse: "refusal",
  reject: "deny",
  rejected: "deny",
  rate_limit: "transport",
  network: "transport",
  validation: "invalid",
  schema: "invalid",
};

/** Reports a word that is none of a closed list, with the one that was probably meant. */
export function checkWord(
  name: Name,
  words: readonly string[],
  kind: { readonly code: "M4102" | "M4103" | "M4910"; readonly what: string },
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

/** Reports M4103 where the word behind `on` of an arrow is no ending of a node. */
export function checkEdgeWords({ hops, report }: GraphCheck): void {
  for (const { hop } of hops)
    for (const clause of hop.clauses)
      if (clause.kind === "on")
        checkWord(clause.what, EDGE_WORDS, { code: "M4103", what: "ending of a node" }, report);
}

/** Reports M4910 where `tell b as KIND` names neither a kind of message nor a type. */
export function checkMessageKinds({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols))
    if (clause.kind === "tell" && clause.as !== undefined)
      checkMessageKind(clause.as, symbols.file.types, report);
}

/** Reports M4910 for a name that is neither a kind of message nor a type. */
export function checkMessageKind(
  name: Name,
  types: ReadonlyMap<string, unknown>,
  report: Report,
): void {
  const kind = { code: "M4910", what: "kind of message" } as const;
  checkWord(name, [...MESSAGE_KINDS, ...types.keys()], kind, report);
}

/** Reports M3241 where what a node tells is not of the type that it tells it as. */
export function checkToldTypes({ clauses, symbols, ir, node, report }: NodeCheck): void {
  const { types } = symbols.file;
  const lowered = findByName(ir.nodes, node.name.text);
  for (const clause of clauses) {
    if (clause.kind !== "tell" || clause.as === undefined || lowered === undefined) continue;
    const { text: name, span } = clause.as;
    if (!types.has(name) || MESSAGE_KINDS.some((kind) => kind === name)) continue;
    // An object of its own is checked by TypeScript, and when it is told.
    if (clause.payload !== undefined) continue;
    const type = outputTypeOf(lowered, ir.fields, types);
    if (type !== undefined && !cannotFit(type, { kind: "named", name, args: [] }, types)) continue;
    const given = type === undefined ? "nothing" : `\`${printType(type)}\``;
    report({
      code: "M3241",
      message: `\`${node.name.text}\` says ${given}, and tells it as \`${name}\``,
      span,
      hint: `write a field of the type \`${name}\`, or the object that is told: \`as ${name} { … }\``,
    });
  }
}

/** The classes of error behind `retry … on`. */
export function checkRetryClasses({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols))
    if (clause.kind === "retry")
      for (const name of clause.rules.flatMap((rule) => rule.on))
        checkWord(name, RETRY_CLASSES, { code: "M4102", what: "class of error" }, report);
}
