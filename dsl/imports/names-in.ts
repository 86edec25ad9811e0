/** Every name that a part of the tree uses, for whatever. */
export function namesIn(part: unknown): Set<string> {
  const names = new Set<string>();
  collect(part, names);
  return names;
}

function collect(part: unknown, names: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  if ("text" in part && typeof part.text === "string") names.add(part.text);
  for (const value of Object.values(part)) collect(value, names);
}
