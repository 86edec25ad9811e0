/** Writes the TypeScript that checks a text of graphs. */
import { type ImportIr, isProgram, type TestIr } from "../../../../dsl/index.ts";
import type { GraphsToCheck } from "../../service.ts";
import { type MappedText, TextWriter } from "./mapped-text.ts";
import { type GeneratedPlaces, placesOf } from "./places.ts";
import { preludeOf } from "./prelude.ts";
import { contextOf } from "./write-check.ts";
import { toSpan } from "./write-expression.ts";
import { parametersOf, writeGraph } from "./write-graph.ts";
import { declaredTypes, graphText, typesText } from "./write-public.ts";
import { namesOfScope, writeScope } from "./write-scope.ts";
import { importedTypes, subgraphsOf, writeSubgraphs } from "./write-subgraphs.ts";
import { writeTest } from "./write-test.ts";

/**
 * The TypeScript of a cell of graphs: their types, then the check of every expression. By class, nodes that read the same are
 * checked once: where anything is wrong, only the whole says all of it.
 */
export function writeProgram(cell: GraphsToCheck, isByClass = false): MappedText {
  const { graphs, types = [], tests = [], others = [] } = cell;
  const to = new TextWriter();
  const places = placesOf(cell.names);
  const declared = declaredTypes({ graphs, types });
  const known = new Set(graphs.map(({ hash }) => hash));
  // Types stand in the IR as they are, so it does not say that they are imported.
  const named = new Set([...tests.flatMap(namesOfScope), ...types.map(({ name }) => name)]);
  const more = places.imports.filter(({ as }) => named.has(as));
  writeImports(to, [...graphs.flatMap(({ imports }) => imports), ...more], places);
  to.raw(`${typesText({ graphs, types })}\n`);
  for (const graph of graphs) to.raw(`${graphText(graph, declared)}\n`);
  const subgraphs = subgraphsOf({ graphs, types }, others);
  writeSubgraphs(to, subgraphs);
  writeScope(to, cell, places);
  for (const graph of graphs) {
    const graphPlaces = places.graph(graph.name);
    const context = contextOf({
      ...{ to, graph, declared, subgraphs, isByClass },
      places: graphPlaces,
      offered: cell.offered,
    });
    const own = tests.filter(({ ir }) => ir.hash === graph.hash);
    to.section(places.graph(graph.name).name, () => writeGraph(context, own));
  }
  for (const test of tests.filter(({ ir }) => !known.has(ir.hash))) writeTestOf(to, test, cell);
  to.raw(preludeOf(to.result.text));
  return to.result;
}

/** A test of another program's graph, whose own expressions are that program's to check. */
function writeTestOf(to: TextWriter, test: TestIr, cell: GraphsToCheck): void {
  const { ir: graph } = test;
  const of = { graphs: [graph], types: importedTypes(graph, cell) };
  const context = contextOf({
    to,
    graph,
    declared: declaredTypes(of),
    subgraphs: new Map(),
    places: placesOf(cell.names).graph(graph.name),
    isByClass: false,
  });
  to.section(toSpan(test.span), () => {
    to.echo(() => {
      to.raw(`async () => {\n${typesText(of)}\n(${parametersOf(context, "any")}) => {\n`);
    });
    writeTest(context, test);
    to.raw("};\n};\n");
  });
}

function writeImports(to: TextWriter, imports: readonly ImportIr[], places: GeneratedPlaces): void {
  const written = new Set<string>();
  for (const { name, as, from } of imports) {
    if (written.has(as) || isProgram(from)) continue;
    written.add(as);
    to.raw("import { ");
    to.for("import", places.imported(as), () => void to.raw(`${name} as ${as}`));
    to.raw(" } from ");
    to.for("import", places.importedFrom(as), () => void to.raw(JSON.stringify(from)));
    to.raw(";\n");
  }
}
