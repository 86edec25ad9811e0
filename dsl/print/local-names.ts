/** The names that a graph declares inside of it: parameters, fields, memories, items of an `each`, of lambdas. */
export function localNames(graph: object): ReadonlySet<string> {
  const names = new Set<string>();
  collect(graph, names);
  return names;
}

function collect(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) {
    for (const item of part) collect(item, names);
    return;
  }
  if (typeof part !== "object" || part === null) return;
  for (const [key, member] of Object.entries(part)) {
    // A schema's keys are the user's.
    if (key === "output") continue;
    if (key === "variable" && typeof member === "string") names.add(member);
    if (key === "params" || key === "fields" || key === "memories")
      for (const one of Array.isArray(member) ? member : []) addName(one, names);
    collect(member, names);
  }
}

function addName(one: unknown, names: Set<string>): void {
  if (typeof one === "string") names.add(one);
  else if (typeof one === "object" && one !== null && "name" in one && typeof one.name === "string")
    names.add(one.name);
}
