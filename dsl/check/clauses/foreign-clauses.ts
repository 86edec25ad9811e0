/** Finds clauses that mean nothing in the kind of their node. */
import { clausesOfKind } from "../../lower/clauses.ts";
import type { Clause } from "../../syntax/tree/ast.ts";
import { nodeKindsWhere } from "../../vocabulary/node-kinds.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";

/** Reports a clause in a node of a kind that it means nothing in. */
export function checkForeignClauses({ node, own, report }: NodeCheck): void {
  for (const clause of own) {
    if (clausesOfKind(node.word).includes(clause.kind)) continue;
    report({
      code: "M4004",
      message: `\`${clause.kind}\` means nothing in ${article(node.word)} \`${node.word}\` node`,
      span: clause.span,
      hint: `it belongs in ${kindsWith(clause.kind)}`,
    });
  }
}

/** Fields that every node would have of its own can't be declared once. */
export function checkForeignDefaults({ symbols, report }: GraphCheck): void {
  for (const clause of symbols.defaults) {
    if (clause.kind !== "state") continue;
    report({
      code: "M4004",
      message: "`state` means nothing in `defaults`",
      span: clause.span,
      hint: "write it in the graph for all nodes, or in each node that has one of its own",
    });
  }
}

function kindsWith(kind: Clause["kind"]): string {
  const kinds = nodeKindsWhere(({ form }) => form === "body");
  const fitting = kinds.filter((word) => clausesOfKind(word).includes(kind));
  return fitting.map((word) => `${article(word)} \`${word}\``).join(" or ");
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? "an" : "a";
}
