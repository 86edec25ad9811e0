/** Rebuilds the tables of a graph that was checked in another cell. */
import type { Ir } from "../../ir/ir.ts";
import type { GraphOfTest } from "../../names/symbol-tables.ts";
import { fileSymbols, graphSymbols } from "../../names/symbols.ts";
import { print } from "../../print/print.ts";
import { parse } from "../../syntax/parse.ts";

/** A graph that was checked elsewhere, as in an earlier cell: its tables are read from its own text again. */
export function knownGraph(name: string, graphs: readonly Ir[]): GraphOfTest | undefined {
  const ir = graphs.findLast((graph) => graph.name === name);
  if (ir === undefined) return undefined;
  const { ast } = parse(ir.source ?? { file: name, text: print(ir) });
  const decl = ast.items.find((item) => item.kind === "graph" && item.name.text === name);
  if (decl?.kind !== "graph") return undefined;
  const declared = new Map(ir.types.map(({ name: type, type: of }) => [type, of] as const));
  const file = fileSymbols(ast, undefined);
  const types = new Map([...declared, ...file.types]);
  return { symbols: graphSymbols({ ...file, types }, decl), ir };
}
