/** Writes the declarations of names that a graph takes from its scope. */
import { type Ir, isGraphTool, type Span, type TestIr } from "../../../../dsl/index.ts";
import type { GraphsToCheck } from "../../service.ts";
import { expressionsIn } from "./expressions-in.ts";
import type { TextWriter } from "./mapped-text.ts";
import type { GeneratedPlaces } from "./places.ts";
import {
  BUILT_IN_CONTROLLERS,
  BUILT_IN_FUNCTIONS,
  BUILT_IN_GRAPHS,
  localName,
  scopeName,
} from "./prelude.ts";
import { untypedServers } from "./write-check.ts";
import { toSpan } from "./write-expression.ts";

/** Every function, tool or value of other cells under a name that no field hides. */
export function writeScope(
  to: TextWriter,
  { graphs, tests = [], offered = {}, scope, isOpen = false }: GraphsToCheck,
  places: GeneratedPlaces,
): void {
  const imported = new Set(
    [...graphs.flatMap((graph) => graph.imports), ...places.imports].map(({ as }) => as),
  );
  const inExpressions = new Set([...graphs, ...tests].flatMap(namesOfScope));
  if (scope !== undefined) {
    const used = graphs
      .flatMap((graph) => scopeUses(graph, places, offered))
      .map(({ name }) => name);
    const exported = new Set(scope.names.map((name) => name.split(".", 1)[0]));
    for (const name of new Set([...used, ...inExpressions])) {
      if (!exported.has(name) || imported.has(name)) continue;
      imported.add(name);
      const from = JSON.stringify(scope.from);
      to.raw(`import { ${name} as ${localName(name)} } from ${from};\n`);
    }
  }
  const written = new Set<string>();
  for (const graph of graphs) {
    for (const { name, span } of scopeUses(graph, places, offered)) {
      if (written.has(name)) continue;
      written.add(name);
      to.raw(`const ${scopeName(name)} = `);
      const type = offered[name] ?? (isOpen ? "any" : undefined);
      if (type !== undefined && !imported.has(name)) to.raw(`null! as ${type}`);
      else to.mapped(localName(name), span && { start: span.start, end: span.start + name.length });
      to.raw(";\n");
    }
  }
  for (const name of inExpressions) {
    if (imported.has(name)) continue;
    const type = offered[name] ?? (isOpen ? "any" : undefined);
    const declared = type === undefined ? "" : `declare const ${name}: ${type};`;
    to.raw(`${BUILT_IN_FUNCTIONS.get(name) ?? declared}\n`);
  }
}

/**
 * Returns the names in expressions that belong to the scope; for a test, only those of the test
 * itself.
 */
export function namesOfScope(of: Ir | TestIr): readonly string[] {
  const { ir: _, ...own } = "ir" in of ? of : { ...of, ir: undefined };
  return expressionsIn(own).flatMap((one) =>
    one.kind === "name" && one.of === "scope" ? [one.name] : [],
  );
}

interface Use {
  readonly name: string;
  readonly span: Span | undefined;
}

/**
 * Returns the names of the functions, controllers and tools that a graph calls or lists, with their
 * spans.
 */
export function scopeUses(
  graph: Ir,
  places: GeneratedPlaces,
  offered?: GraphsToCheck["offered"],
): readonly Use[] {
  const at = places.graph(graph.name);
  const servers = untypedServers(graph, offered);
  const calls = graph.nodes.flatMap(({ name, kind, call, span }) =>
    call === undefined || (kind === "graph" && isKnownGraph(call.callee.join("."), graph))
      ? []
      : [{ name: call.callee[0] ?? "", span: at.node(name).callee ?? toSpan(span) }],
  );
  const controllers = graph.nodes.flatMap(({ name, controller, span }) =>
    controller === undefined || BUILT_IN_CONTROLLERS.has(controller.name[0] ?? "")
      ? []
      : [{ name: controller.name[0] ?? "", span: at.node(name).controller ?? toSpan(span) }],
  );
  const tools = graph.nodes.flatMap((node) =>
    node.tools
      .filter((tool) => !isGraphTool(graph, tool))
      .map((tool) => ({
        name: tool[0] ?? "",
        span:
          at.node(node.name).tool(tool.at(-1) === "*" ? tool.slice(0, -1) : tool) ??
          toSpan(node.span),
      })),
  );
  return [...calls, ...controllers, ...tools, ...reducerUses(graph, places)].filter(
    ({ name }) => !servers.has(name) && name !== "*",
  );
}

/** A graph that is called stands in the IR; `writeSubgraphs` declares it. */
function isKnownGraph(name: string, { calls = [] }: Ir): boolean {
  return BUILT_IN_GRAPHS.has(name) || calls.some((call) => call.name === name);
}

function reducerUses(graph: Ir, places: GeneratedPlaces): readonly Use[] {
  const at = places.graph(graph.name);
  const fields = graph.fields.flatMap(({ name, reducer, span }) =>
    reducer.custom ? [{ name: reducer.name, span: at.reducer(name) ?? toSpan(span) }] : [],
  );
  const writes = graph.nodes.flatMap((node) =>
    node.writes.flatMap(({ field, via }) =>
      via?.custom === true
        ? [{ name: via.name, span: at.node(node.name).via(field) ?? toSpan(node.span) }]
        : [],
    ),
  );
  return [...fields, ...writes];
}
