/** Reports operators whose controller nobody brings. */
import type { Finding } from "../diagnostics/diagnostic.ts";
import { ownClauses } from "../lower/clauses.ts";
import { isOffered } from "../names/scope.ts";
import type { FileSymbols, NodeSymbol } from "../names/symbol-tables.ts";
import type { DottedAst } from "../syntax/tree/ast.ts";

/** The controllers that come with Madrigal. */
const BUILT_IN: readonly string[] = ["claude_code", "codex", "openclaw", "a2a"];

/** Those that are there. */
const BUILT: readonly string[] = ["a2a"];

/**
 * Returns whether Madrigal is to bring the controller of this name. Such a name is known even where
 * no controller has it yet.
 */
export function isBuiltInController({ parts }: DottedAst): boolean {
  return parts.length === 1 && BUILT_IN.includes(parts[0]?.text ?? "");
}

/**
 * Returns a finding M4900 for each built-in controller of the node that neither the file nor its
 * scope brings.
 */
export function controllersNotYet(node: NodeSymbol, file: FileSymbols): readonly Finding[] {
  return ownClauses(node).flatMap((clause): readonly Finding[] => {
    if (clause.kind !== "controller" || !isBuiltInController(clause.name)) return [];
    const [{ text = "" } = {}] = clause.name.parts;
    if (BUILT.includes(text)) return [];
    if (file.imports.has(text) || (file.scope !== undefined && isOffered(file.scope, text)))
      return [];
    const message = `the controller \`${text}\` is not built yet`;
    return [{ code: "M4900", message, span: clause.name.span, hint: SCOPE }];
  });
}

const SCOPE = "put a controller of this name into the scope: `scriptedController(…)` is one";
