/** Which operators run: those whose controller the scope brings. The ones of the language's own names are not built yet. */
import type { Finding } from "../diagnostic.ts";
import { ownClauses } from "../lower/clauses.ts";
import { isOffered } from "../scope.ts";
import type { FileSymbols, NodeSymbol } from "../symbols.ts";
import type { DottedAst } from "../syntax/ast.ts";

/** The controllers that come with Madrigal. */
const BUILT_IN: readonly string[] = ["claude_code", "codex", "openclaw", "a2a"];

/** Whether a name is one that Madrigal means to bring: it is known everywhere, also where nobody has it yet. */
export function isBuiltInController({ parts }: DottedAst): boolean {
  return parts.length === 1 && BUILT_IN.includes(parts[0]?.text ?? "");
}

/** What is said of a node whose controller nobody brings, and of sessions of nodes that have no controller. */
export function controllersNotYet(node: NodeSymbol, file: FileSymbols): readonly Finding[] {
  return ownClauses(node).flatMap((clause): readonly Finding[] => {
    if (clause.kind === "session" && node.word !== "operator")
      return [finding("`session` clauses of agents are", clause.span, AGENTS)];
    if (clause.kind !== "controller" || !isBuiltInController(clause.name)) return [];
    const [{ text = "" } = {}] = clause.name.parts;
    if (file.imports.has(text) || (file.scope !== undefined && isOffered(file.scope, text)))
      return [];
    return [finding(`the controller \`${text}\` is`, clause.name.span, SCOPE)];
  });
}

const AGENTS = "this checks, but the engine can't run it so far";
const SCOPE = "put a controller of this name into the scope: `scriptedController(…)` is one";

function finding(what: string, span: Finding["span"], hint: string): Finding {
  return { code: "M4900", message: `${what} not built yet`, span, hint };
}
