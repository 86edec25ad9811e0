import type { Ir, Source } from "../../../dsl/index.ts";
import { type MappedText, TextWriter } from "./mapped-text.ts";
import { type Places, placesOf } from "./places.ts";
import { PRELUDE, scopeName } from "./prelude.ts";
import { toSpan } from "./write-expression.ts";
import { writeGraph } from "./write-graph.ts";
import { publicNames, publicText } from "./write-public.ts";

/** The TypeScript of a cell of graphs: what later cells see of them, then the check of every expression. */
export function writeProgram(graphs: readonly Ir[], source: Source): MappedText {
  const to = new TextWriter();
  const places = placesOf(source);
  writeImports(to, graphs, places);
  to.raw(`${publicText(graphs)}\n${PRELUDE}`);
  writeScope(to, graphs, places);
  const declared = publicNames(graphs);
  for (const graph of graphs)
    to.section(places.graph(graph.name).name, () =>
      writeGraph({ to, graph, declared, places: places.graph(graph.name) }),
    );
  return to.result;
}

function writeImports(to: TextWriter, graphs: readonly Ir[], places: Places): void {
  const written = new Set<string>();
  for (const { name, as, from } of graphs.flatMap((graph) => graph.imports)) {
    if (written.has(as) || from.endsWith(".madrigal")) continue;
    written.add(as);
    to.raw("import { ");
    to.for("import", places.imported(as), () => void to.raw(`${name} as ${as}`));
    to.raw(" } from ");
    to.for("import", places.imported(as), () => void to.raw(JSON.stringify(from)));
    to.raw(";\n");
  }
}

/** Every function, tool or value of other cells under a name that no field hides. */
function writeScope(to: TextWriter, graphs: readonly Ir[], places: Places): void {
  const written = new Set<string>();
  for (const graph of graphs)
    for (const { name, span } of scopeUses(graph, places)) {
      if (written.has(name)) continue;
      written.add(name);
      to.raw(`const ${scopeName(name)} = `);
      to.mapped(name, span && { start: span.start, end: span.start + name.length });
      to.raw(";\n");
    }
}

function scopeUses(graph: Ir, places: Places) {
  const at = places.graph(graph.name);
  const servers = new Set(graph.mcps.map(({ name }) => name));
  const calls = graph.nodes.flatMap(({ name, kind, call, span }) =>
    call === undefined || kind !== "run"
      ? []
      : [{ name: call.callee[0] ?? "", span: at.node(name).callee ?? toSpan(span) }],
  );
  const tools = graph.nodes.flatMap((node) =>
    node.tools.map((tool) => ({
      name: tool[0] ?? "",
      span:
        at.node(node.name).tool(tool.at(-1) === "*" ? tool.slice(0, -1) : tool) ??
        toSpan(node.span),
    })),
  );
  const reducers = graph.fields.flatMap(({ name, reducer, span }) =>
    reducer.custom ? [{ name: reducer.name, span: at.reducer(name) ?? toSpan(span) }] : [],
  );
  return [...calls, ...tools, ...reducers].filter(({ name }) => !servers.has(name) && name !== "*");
}
