import type { FieldIr, Ir, MemoryIr, ModelIr } from "../ir.ts";
import { printType } from "../types.ts";
import { printBlock } from "./block.ts";
import { printExpression, printKey } from "./print-expression.ts";
import { printEdges } from "./print-flow.ts";
import {
  printApproval,
  printBreak,
  printField,
  printLimit,
  printNode,
  printParams,
} from "./print-node.ts";

/**
 * A graph as text in one canonical form: what is read back from it has the same hash. Defaults stand in each node that
 * takes them, and of the file only what the graph uses.
 */
export function print(ir: Ir): string {
  return [...fileLines(ir), `${graphHead(ir)} ${printBlock(graphItems(ir))}`, ""].join("\n");
}

function fileLines(ir: Ir): readonly string[] {
  const lines = [
    ...ir.imports.map(({ name, as, from }) => {
      const alias = name === as ? name : `${name} as ${as}`;
      return `import { ${alias} } from ${JSON.stringify(from)}`;
    }),
    ...ir.models.map((model) => printService("model", model)),
    ...ir.mcps.map((mcp) => `${printService("mcp", mcp)}${mcp.optional ? " optional" : ""}`),
    ...ir.types.map(({ name, type }) => `type ${name} = ${printType(type)}`),
    ...ir.config.map(({ key, value }) => `config { ${printKey(key)}: ${printExpression(value)} }`),
  ];
  return lines.length === 0 ? [] : [...lines, ""];
}

function printService(word: string, { name, value, options }: Omit<ModelIr, "span">): string {
  const tail = options === undefined ? "" : ` ${printExpression(options)}`;
  return `${word} ${name} = ${printExpression(value)}${tail}`;
}

function graphHead(ir: Ir): string {
  const returns = ir.returns.length === 0 ? "" : ` returns ${ir.returns.join(", ")}`;
  const description = ir.description === undefined ? "" : ` ${JSON.stringify(ir.description)}`;
  return `graph ${ir.name}${printParams(ir.params, { always: true })}${returns}${description}`;
}

function graphItems(ir: Ir): readonly string[] {
  return [
    ...ir.memories.map(printMemory),
    ...stateAndNodes(ir),
    ...(ir.limit === undefined ? [] : [printLimit(ir.limit)]),
    ...ir.approvals.map(printApproval),
    ...ir.breaks.map(printBreak),
    ...ir.endWhen.map((condition) => `end when ${printExpression(condition)}`),
    ...printEdges(ir.edges),
  ];
}

function printMemory({ name, type, by }: MemoryIr): string {
  return `memory ${name}: ${printType(type)}${by === undefined ? "" : ` by ${printExpression(by)}`}`;
}

/** Fields stand in the order of the IR, so a node with a state of its own comes before the fields declared after it. */
function stateAndNodes(ir: Ir): readonly string[] {
  const items: string[] = [];
  const nodes = [...ir.nodes];
  for (const group of fieldGroups(ir.fields)) {
    const [first] = group;
    if (first?.owner === undefined) {
      items.push(printState(group));
      continue;
    }
    const until = nodes.findIndex((node) => node.name === first.owner);
    items.push(...nodes.splice(0, until + 1).map((node) => printNode(node, ir.fields)));
  }
  return [...items, ...nodes.map((node) => printNode(node, ir.fields))];
}

/** Neighbours of one scope and one owner. */
function fieldGroups(fields: readonly FieldIr[]): readonly (readonly FieldIr[])[] {
  const groups: FieldIr[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    const before = last?.[0];
    if (last !== undefined && before?.scope === field.scope && before.owner === field.owner)
      last.push(field);
    else groups.push([field]);
  }
  return groups;
}

function printState(fields: readonly FieldIr[]): string {
  const scope = fields[0]?.scope ?? "run";
  return `state ${scope === "run" ? "" : `${scope} `}${printBlock(fields.map(printField))}`;
}
