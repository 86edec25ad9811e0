/** Finds the first part of a text that nests too deep to be worked on. */
import type { Finding } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import { isPart, type TreeObject } from "../../ir/visit-tree.ts";
import type { FileAst } from "../../syntax/tree/ast.ts";

// All that follows walks trees by recursion; a chain of operators or dots is as deep as it is long. The parser itself
// stops at brackets that nest too deep.
const DEPTH_MAX = 600;

/** The part of a text that nests deeper than it can be worked on. */
export function tooDeep(ast: FileAst): Finding | undefined {
  const span = deepIn(ast, 0);
  return span && finding(span);
}

// It goes no deeper than the limit itself, so its own recursion is safe.
function deepIn(value: object, depth: number): Span | undefined {
  if (depth > DEPTH_MAX && hasSpan(value)) return value.span;
  return Array.isArray(value) ? deepInList(value, depth + 1) : deepInMembers(value, depth + 1);
}

function deepInList(items: readonly unknown[], depth: number): Span | undefined {
  for (const item of items) {
    const found = isPart(item) ? deepIn(item, depth) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function deepInMembers(part: object, depth: number): Span | undefined {
  for (const key in part) {
    const member = (part as TreeObject)[key];
    // Half of a tree is spans, and nothing stands in them.
    const found = key !== "span" && isPart(member) ? deepIn(member, depth) : undefined;
    if (found !== undefined) return found;
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
    hint: "move a part of it into a TypeScript function",
  };
}
