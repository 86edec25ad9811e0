/** Collects the names in a part of the tree. */
import { walk } from "../ir/visit-tree.ts";

/** Every name that a part of the tree uses, for whatever. */
export function namesIn(part: unknown): Set<string> {
  const names = new Set<string>();
  walk(part, ({ text }) => {
    if (typeof text === "string") names.add(text);
  });
  return names;
}
