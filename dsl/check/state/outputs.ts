/** Checks that the output of a model or a person has a JSON Schema. */
import type { FieldIr, NodeIr } from "../../ir/ir.ts";
import { outputOf } from "../../lower/output.ts";
import { isUnresolved } from "../../names/symbols.ts";
import type { GraphCheck } from "../context.ts";

/**
 * Reports M3402 for each field that a model or a person is to fill in and whose type has no JSON
 * Schema here.
 */
export function checkOutputs({ ir, symbols, report }: GraphCheck): void {
  const { types } = symbols.file;
  const asking = firstAsking(ir.nodes);
  for (const field of ir.fields) {
    const decl = symbols.fields.get(field.name)?.decl;
    const asked = asking.get(field.name);
    const unsupported =
      asked === undefined ? [] : (outputOf(only(asked, field), [field], types)?.unsupported ?? []);
    // A type that another program lacks is reported at its import.
    if (unsupported.some((name) => isUnresolved(symbols.file, name))) continue;
    if (asked === undefined || decl === undefined || unsupported.length === 0) continue;
    report({
      code: "M3402",
      message: `\`${asked.name}\` can't be asked for \`${unsupported[0]}\`: its shape is not known here`,
      span: decl.type.span,
      hint: "declare its shape with `type`, or let a `run` node write the field",
    });
  }
}

const ASKING: readonly NodeIr["kind"][] = ["agent", "operator", "human", "router"];

/** Returns the first node that asks for each field. */
function firstAsking(nodes: readonly NodeIr[]): ReadonlyMap<string, NodeIr> {
  const asking = new Map<string, NodeIr>();
  for (const node of nodes)
    if (ASKING.includes(node.kind))
      for (const { field } of node.writes) if (!asking.has(field)) asking.set(field, node);
  return asking;
}

function only(node: NodeIr, field: FieldIr): Pick<NodeIr, "kind" | "writes"> {
  return { kind: node.kind, writes: node.writes.filter((write) => write.field === field.name) };
}
