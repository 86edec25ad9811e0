import type { Finding } from "../diagnostic.ts";
import type { Span } from "../source.ts";
import type { FileAst } from "../syntax/ast.ts";

// All that follows walks trees by recursion; a chain of operators or dots is as deep as it is long. The parser itself
// stops at brackets that nest too deep.
const DEPTH_MAX = 600;

/** The part of a text that nests deeper than it can be worked on; found without recursion. */
export function tooDeep(ast: FileAst): Finding | undefined {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: ast, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEPTH_MAX && hasSpan(value)) return finding(value.span);
    for (const member of Object.values(value)) waiting.push({ value: member, depth: depth + 1 });
  }
  return undefined;
}

function hasSpan(value: object): value is { readonly span: Span } {
  return "span" in value;
}

function finding(span: Span): Finding {
  return {
    code: "M1112",
    message: "this nests too deep to be checked",
    span,
    hint: "take a part of it out into a TypeScript function",
  };
}
