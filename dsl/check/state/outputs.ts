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
  for (const field of ir.fields) {
    const decl = symbols.fields.get(field.name)?.decl;
    const asked = ir.nodes.find((node) => asksFor(node, field));
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

function asksFor(node: NodeIr, field: FieldIr): boolean {
  return ASKING.includes(node.kind) && node.writes.some((write) => write.field === field.name);
}

function only(node: NodeIr, field: FieldIr): Pick<NodeIr, "writes"> {
  return { writes: node.writes.filter((write) => write.field === field.name) };
}
