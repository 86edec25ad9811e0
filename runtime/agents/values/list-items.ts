/** Wraps one item as a list where a node writes a field that grows by `append` or `union`. */
import {
  type Ir,
  memberOfResult,
  type NodeIr,
  reducerFacts,
  type WriteIr,
} from "../../../dsl/index.ts";

/** The output with a list around each such item; itself when there is none. */
export function withLists(output: unknown, node: NodeIr, fields: Ir["fields"]): unknown {
  const growing = node.writes.filter((write) => grows(write, fields));
  if (growing.length === 0) return output;
  const [write] = node.writes;
  if (node.writes.length === 1 && write?.value === undefined) {
    // What may be left unwritten is null, and no item.
    return write?.optional === true && output === null ? output : asList(output);
  }
  if (typeof output !== "object" || output === null || Array.isArray(output)) return output;
  const members = new Map<string, unknown>(Object.entries(output));
  for (const { field, value } of growing) {
    const name = value === undefined ? field : memberOfResult(value);
    const item = name === undefined ? undefined : members.get(name);
    if (name !== undefined && item !== undefined && item !== null) members.set(name, asList(item));
  }
  return Object.fromEntries(members);
}

/** Returns the value to write to a field: a list where the field grows and one item is given. */
export function listFor(write: WriteIr, value: unknown, fields: Ir["fields"]): unknown {
  return grows(write, fields) && value !== null ? asList(value) : value;
}

function asList(value: unknown): unknown {
  return Array.isArray(value) ? value : [value];
}

function grows({ field: name, via }: WriteIr, fields: Ir["fields"]): boolean {
  const reducer = (via ?? fields.find((field) => field.name === name)?.reducer)?.name;
  return reducerFacts(reducer)?.on === "list";
}
