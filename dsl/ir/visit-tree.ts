/** An object of a tree that is plain JSON: of the AST or the IR. */
export type TreeObject = Readonly<Record<string, unknown>>;

/**
 * Shows every object of a tree to `visit`, outer ones first; what is in a list in its order, spans not at all: half of
 * a tree is spans. It makes no lists of members, which is what such a walk takes its time for.
 */
export function walk(part: unknown, visit: (part: TreeObject) => void): void {
  if (Array.isArray(part)) {
    for (const item of part) if (typeof item === "object") walk(item, visit);
  } else if (isPart(part)) {
    visit(part);
    for (const key in part) {
      const member = part[key];
      if (typeof member === "object" && key !== "span") walk(member, visit);
    }
  }
}

/** Returns whether a part of a tree is an object. */
export function isPart(part: unknown): part is TreeObject {
  return typeof part === "object" && part !== null;
}
