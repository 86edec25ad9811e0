/** Checks the tools of memories that a node names. */
import { dottedText, lowerDotted } from "../../lower/lower-type.ts";
import { nearest } from "../../names/nearest.ts";
import { MEMORY_TOOLS } from "../../vocabulary/built-in-functions.ts";
import type { NodeCheck } from "../context.ts";

const NAMES = Object.keys(MEMORY_TOOLS);

/** Reports tools that memories do not have (M4914). */
export function checkMemoryTools({ node, clauses, ir, report }: NodeCheck): void {
  const listed = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  for (const tool of node.kind === "call" ? [node.callee] : listed) {
    const [name = "", member, ...more] = lowerDotted(tool);
    if (!ir.memories.some((memory) => memory.name === name)) continue;
    const isThere = member !== undefined && more.length === 0 && NAMES.includes(member);
    if (isThere || tool.star) continue;
    const meant = nearest(member ?? "", NAMES);
    const all = NAMES.map((one) => `\`${name}.${one}\``).join(", ");
    report({
      code: "M4914",
      message: `the memory \`${name}\` has no tool \`${dottedText(tool)}\``,
      span: tool.span,
      hint:
        meant === undefined
          ? `it has ${all}; \`${name}.*\` is all of them`
          : `did you mean \`${name}.${meant}\`?`,
    });
  }
}
