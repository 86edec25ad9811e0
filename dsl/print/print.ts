/** Prints an IR as text in one canonical form. */
import type { Source } from "../diagnostics/source.ts";
import { format } from "../format/format.ts";
import { calleeOf, roundOf, withGraphs } from "../ir/called-graphs.ts";
import type { CalledIr, FieldIr, Ir, MemoryIr, ModelIr, PriceIr } from "../ir/ir.ts";
import { printType } from "../ir/types.ts";
import { printBlock } from "./block.ts";
import { printExpression, printKey, printNumber } from "./print-expression.ts";
import { fileOf, type PrintedFile } from "./print-file.ts";
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
 * takes them, and of the file only what the graph uses. The graphs that it calls stand behind it; one of another file
 * whose names clash with those of this one is imported instead: `printPrograms` has the file.
 */
export function print(ir: Ir): string {
  return printPrograms(ir).text;
}

/** A graph as text, and the files that this text imports, which may import each other. */
export interface PrintedPrograms {
  readonly text: string;
  readonly programs: readonly Source[];
}

/** Like `print`, with the files that it takes. */
export function printPrograms(ir: Ir): PrintedPrograms {
  const file = printedFile(ir);
  const others = [...file.calledInOtherFiles.values()].map((graph) => ({
    graph,
    ...printedCall(ir, graph),
  }));
  const programs = new Map<string, Source>();
  for (const { graph, text, programs: inner } of others)
    for (const source of [{ file: fileName(graph), text }, ...inner])
      programs.set(source.file, source);
  const graphs = file.graphs.map((graph) => `${graphHead(graph)} ${printBlock(graphItems(graph))}`);
  const text = [...fileLines(file), graphs.join("\n\n"), ""].join("\n");
  return { text: formatted(text), programs: [...programs.values()] };
}

/** With the columns of `madrigal fmt`. */
function formatted(text: string): string {
  const result = format({ file: "printed", text });
  return "text" in result ? result.text : text;
}

function printedCall(ir: Ir, graph: CalledIr): PrintedPrograms {
  return printPrograms(withGraphs(graph, [ir, ...(ir.graphs ?? [])]));
}

/** Equal graphs have one file. */
function fileName({ name, hash }: CalledIr): string {
  return `${name}-${hash.slice(0, 8)}.madrigal`;
}

/**
 * Returns the graph with as many of the called graphs as can share one text; graphs that call each
 * other share it all or not at all.
 */
function printedFile(ir: Ir): PrintedFile {
  const all = [ir, ...(ir.graphs ?? [])];
  const target = (graph: CalledIr, name: string) => calleeOf(graph, name, all);
  const [own = [ir], ...rounds] = roundsOf(all);
  let file = fileOf(own, target);
  if (file === undefined) throw new Error(`M9000: the names of graph ${ir.name} clash`);
  for (const round of rounds) file = fileOf([...file.graphs, ...round], target) ?? file;
  return file;
}

/** Graphs that call each other, together; the others alone. */
function roundsOf(graphs: readonly CalledIr[]): readonly (readonly CalledIr[])[] {
  const rounds = new Map<string, CalledIr[]>();
  for (const graph of graphs) {
    const key = roundOf(graph) ?? graph.hash;
    rounds.set(key, [...(rounds.get(key) ?? []), graph]);
  }
  return [...rounds.values()];
}

function fileLines({ declarations, calledInOtherFiles }: PrintedFile): readonly string[] {
  const { imports, models, mcps, types, config } = declarations;
  const graphs = [...calledInOtherFiles].map(([as, graph]) => ({
    name: graph.name,
    as,
    from: `./${fileName(graph)}`,
  }));
  const lines = [
    ...[...imports, ...graphs].map(({ name, as, from }) => {
      const alias = name === as ? name : `${name} as ${as}`;
      return `import { ${alias} } from ${JSON.stringify(from)}`;
    }),
    ...models.map((model) => printService("model", model)),
    ...mcps.map(
      (mcp) => `${printService(mcp.protocol ?? "mcp", mcp)}${mcp.optional ? " optional" : ""}`,
    ),
    ...types.map(({ name, type }) => `type ${name} = ${printType(type)}`),
    ...config.map(({ key, value }) => `config { ${printKey(key)}: ${printExpression(value)} }`),
  ];
  return lines.length === 0 ? [] : [...lines, ""];
}

function printService(word: string, { name, value, options, price }: ModelIr): string {
  const settings = options === undefined ? "" : printExpression(options);
  const tail = price === undefined ? settings : withPrice(settings, price);
  return `${word} ${name} = ${printExpression(value)}${tail === "" ? "" : ` ${tail}`}`;
}

/** The settings of a model with its price behind them: `{ temperature: 0, price in $3, out $15 }`. */
function withPrice(settings: string, { input, output, cached }: PriceIr): string {
  const own = settings.slice(1, -1).trim();
  const before = own === "" ? "" : `${own}, `;
  const behind = cached === undefined ? "" : `, cached $${printNumber(cached)}`;
  return `{ ${before}price in $${printNumber(input)}, out $${printNumber(output)}${behind} }`;
}

function graphHead(ir: CalledIr): string {
  const returns = ir.returns.length === 0 ? "" : ` returns ${ir.returns.join(", ")}`;
  const description = ir.description === undefined ? "" : ` ${JSON.stringify(ir.description)}`;
  return `graph ${ir.name}${printParams(ir.params, { always: true })}${returns}${description}`;
}

function graphItems(ir: CalledIr): readonly string[] {
  return [
    ...ir.memories.map(printMemory),
    ...stateAndNodes(ir),
    ...(ir.limit === undefined ? [] : [printLimit(ir.limit)]),
    ...ir.approvals.map(printApproval),
    ...ir.breaks.map(printBreak),
    ...ir.endWhen.map((condition) => `end when ${printExpression(condition)}`),
    ...printEdges(ir.edges, (each) =>
      fieldGroups(ir.fields.filter((field) => isOfItem(field) && field.owner === each)).map(
        printState,
      ),
    ),
  ];
}

function printMemory({ name, scope, type, by, options }: MemoryIr): string {
  const whose = scope === undefined ? "" : ` ${scope}`;
  const key = by === undefined ? "" : ` by ${printExpression(by)}`;
  const settings = options === undefined ? "" : ` ${printExpression(options)}`;
  return `memory ${name}${whose}: ${printType(type)}${key}${settings}`;
}

/** Fields stand in the order of the IR, so a node with a state of its own comes before the fields declared after it. */
function stateAndNodes(ir: CalledIr): readonly string[] {
  const items: string[] = [];
  const nodes = [...ir.nodes];
  for (const group of fieldGroups(ir.fields.filter((field) => !isOfItem(field)))) {
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

function isOfItem({ scope }: FieldIr): boolean {
  return scope === "item";
}

function printState(fields: readonly FieldIr[]): string {
  const scope = fields[0]?.scope ?? "run";
  return `state ${scope === "run" || scope === "item" ? "" : `${scope} `}${printBlock(fields.map(printField))}`;
}
