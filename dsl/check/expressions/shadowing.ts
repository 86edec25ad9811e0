/** Reports variables and parameters that would hide another name. */
import type { NameMeaning } from "../../ir/ir.ts";
import { isOffered, meaningOf, outerMeaning, type Scope } from "../../names/scope.ts";
import type { GraphSymbols } from "../../names/symbol-tables.ts";
import type { Name } from "../../syntax/tree/ast.ts";
import { nodeCounts } from "../../vocabulary/node-counts.ts";
import type { Report } from "../report.ts";

const WHAT: Readonly<Record<NameMeaning, string>> = {
  variable: "a variable",
  argument: "a parameter of the node",
  param: "a parameter of the graph",
  field: "a field",
  special: "a word of the language in every expression",
  config: "a setting",
  model: "a model",
  memory: "a memory",
  type: "a type",
  node: "a node",
  scope: "an import",
};

/** A new variable or node parameter must not take a name that already means something here. */
export function reportShadowing(name: Name, scope: Scope, report: Report): void {
  const meaning = meaningOf(scope, name.text);
  if (meaning !== undefined && !mayBeTaken(name.text, scope.symbols))
    report(shadowing(name, meaning.of));
}

/** A field or a graph parameter must not take the name of something in the file, or of `state`, `result` and the like. */
export function reportOuterShadowing(name: Name, symbols: GraphSymbols, report: Report): void {
  const meaning = outerMeaning(symbols, name.text);
  if (meaning !== undefined && !mayBeTaken(name.text, symbols)) report(shadowing(name, meaning.of));
}

/** Names of other cells may be taken again: who writes a graph need not know them all. A field may be called `round`. */
function mayBeTaken(name: string, { file }: GraphSymbols): boolean {
  return nodeCounts.has(name) || (isOffered(file.scope, name) && !file.imports.has(name));
}

function shadowing(name: Name, of: NameMeaning) {
  return {
    code: "M2002" as const,
    message: `\`${name.text}\` is already ${WHAT[of]}`,
    span: name.span,
    hint: "choose another name: a name has one meaning in a graph",
  };
}
