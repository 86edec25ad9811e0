/** Reports tools whose effect exceeds the `effects` of their node. */
import type { Ir } from "../../ir/ir.ts";
import { dottedText, lowerDotted } from "../../lower/lower-type.ts";
import type { DottedAst } from "../../syntax/tree/ast.ts";
import { MEMORY_TOOLS } from "../../vocabulary/built-in-functions.ts";
import type { NodeCheck } from "../context.ts";
import type { Effect, Surroundings } from "../surroundings.ts";
import { operationEffects } from "./api-operations.ts";

const ORDER: readonly Effect[] = ["none", "workspace", "external"];

/** `effects` is the upper bound of what the tools and the function of a node may touch, as far as that is known. */
export function checkToolEffects({ node, clauses, ir, surroundings, report }: NodeCheck): void {
  const bound = clauses.find((clause) => clause.kind === "effects")?.level;
  if (bound === undefined) return;
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  for (const tool of node.kind === "call" ? [...tools, node.callee] : tools) {
    const effects = {
      ...surroundings.effects,
      ...operationEffects(tool, ir, surroundings),
      ...memoryEffects(tool, ir),
    };
    const effect = effectOf(tool, effects);
    if (effect === undefined || ORDER.indexOf(effect) <= ORDER.indexOf(bound)) continue;
    report({
      code: "M4105",
      message: `\`${dottedText(tool)}\` has effect \`${effect}\`, and \`${node.name.text}\` may have \`${bound}\``,
      span: tool.span,
      hint: `remove it, or write \`effects ${effect}\``,
    });
  }
}

function memoryEffects(tool: DottedAst, { memories }: Ir): Readonly<Record<string, Effect>> {
  const [head] = lowerDotted(tool);
  if (!memories.some(({ name }) => name === head)) return {};
  return Object.fromEntries(
    Object.entries(MEMORY_TOOLS).map(([name, effect]) => [`${head}.${name}`, effect]),
  );
}

/** The strongest effect of a tool, or of all tools of a group. */
function effectOf(
  tool: DottedAst,
  effects: NonNullable<Surroundings["effects"]>,
): Effect | undefined {
  const name = tool.parts.map((part) => part.text).join(".");
  const meant = Object.entries(effects).filter(
    ([known]) => known === name || known.startsWith(`${name}.`),
  );
  return ORDER.findLast((effect) => meant.some(([, known]) => known === effect));
}
