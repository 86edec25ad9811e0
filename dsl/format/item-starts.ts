/** The places of a text where the items of its blocks begin, as the tree knows them. */
import { isPart, type TreeObject, walk } from "../ir/visit-tree.ts";
import type { FileAst } from "../syntax/tree/ast.ts";

/** `member` is one of an object type, `flow` an arrow in the body of an `each`, `declaration` any item that never shares a line. */
export type ItemKind = "declaration" | "clause" | "field" | "branch" | "member" | "flow";

/** The kind of each item by the offset of its first character. */
export type ItemStarts = ReadonlyMap<number, ItemKind>;

// Which member of which node of the tree holds items.
const holders: Readonly<Record<string, readonly (readonly [string, ItemKind])[]>> = {
  file: [["items", "declaration"]],
  graph: [["items", "declaration"]],
  test: [["items", "declaration"]],
  defaults: [["clauses", "clause"]],
  node: [["clauses", "clause"]],
  call: [["clauses", "clause"]],
  state: [["fields", "field"]],
  choice: [["branches", "branch"]],
  match: [["cases", "branch"]],
  each: [
    ["states", "flow"],
    ["body", "flow"],
    ["flows", "flow"],
  ],
  "object-type": [["members", "member"]],
};

/** Returns where items begin in a text without errors of syntax. */
export function itemStarts(ast: FileAst): ItemStarts {
  const starts = new Map<number, ItemKind>();
  walk(ast, (part) => {
    const { kind } = part;
    // The value of a `call` expression is a call, too, and has no clauses.
    for (const [key, item] of holders[typeof kind === "string" ? kind : ""] ?? []) {
      const items = part[key];
      if (!Array.isArray(items)) continue;
      // The hops of one line are one item.
      const list = key === "body" ? items.slice(0, 1) : items;
      for (const one of list) starts.set(startOf(one), item);
    }
  });
  return starts;
}

/** The offset of an item; a member of a type begins with its name. */
function startOf(item: TreeObject): number {
  const { span, name } = item;
  const place = isPart(span) ? span : isPart(name) ? name.span : undefined;
  return isPart(place) && typeof place.start === "number" ? place.start : -1;
}
