/** Finds the places of names that the IR does not keep, by parsing the text again. */
import { type ImportIr, parse, type Source, type Span } from "../../../../dsl/index.ts";

type FileAst = ReturnType<typeof parse>["ast"];
type GraphDecl = Extract<FileAst["items"][number], { readonly kind: "graph" }>;
type NodeDecl = Extract<GraphDecl["items"][number], { readonly kind: "node" | "call" }>;
type PlacedClause = NodeDecl["clauses"][number];
type HopTree = Extract<GraphDecl["items"][number], { readonly kind: "flow" }>["hops"][number];

/** The spans of names in a program that have none in the IR. */
export interface GeneratedPlaces {
  imported(name: string): Span | undefined;
  /** The names that the text imports from TypeScript. */
  readonly imports: readonly ImportIr[];
  /** The file or package that a name is imported from. */
  importedFrom(name: string): Span | undefined;
  graph(graph: string): GraphPlaces;
}

export interface GraphPlaces {
  readonly name: Span | undefined;
  node(node: string): NodePlaces;
  /** The reducer behind a field's `via`. */
  reducer(field: string): Span | undefined;
  /** The literals of the cases of the `match` whose subject stands here, in their order. */
  cases(subject: Span): readonly Span[];
}

export interface NodePlaces {
  readonly name: Span | undefined;
  readonly callee: Span | undefined;
  readonly controller: Span | undefined;
  written(field: string): Span | undefined;
  /** The reducer behind the `via` of a write. */
  via(field: string): Span | undefined;
  tool(name: readonly string[]): Span | undefined;
}

/** Reads the text once more, for the places of its names. */
export function placesOf(source: Source): GeneratedPlaces {
  const { items } = parse(source).ast;
  const imports = items
    .filter((item) => item.kind === "import")
    .flatMap(({ names, from }) => names.map((one) => ({ ...one, from })));
  // A type that comes through another program has no name here.
  const importOf = (name: string) =>
    imports.find((one) => (one.as ?? one.name).text === name) ??
    imports.find(({ from }) => from.value.endsWith(".madrigal"));
  const graphs = items.filter((item) => item.kind === "graph");
  return {
    imports: imports.map(({ name, as, from }) => ({
      name: name.text,
      as: (as ?? name).text,
      from: from.value,
    })),
    imported: (name) => importOf(name)?.name.span,
    importedFrom: (name) => importOf(name)?.from.span,
    graph: (name) => graphPlaces(graphs.find((graph) => graph.name.text === name)),
  };
}

function graphPlaces(graph: GraphDecl | undefined): GraphPlaces {
  const items = graph?.items ?? [];
  const nodes = items.filter((item) => item.kind === "node" || item.kind === "call");
  const defaults = items.flatMap((item) => (item.kind === "defaults" ? item.clauses : []));
  const fields = [...items, ...nodes.flatMap((node) => node.clauses)].flatMap((item) =>
    item.kind === "state" ? item.fields : [],
  );
  const hops = items.flatMap((item) => (item.kind === "flow" ? item.hops : [])).flatMap(allHops);
  // Of two nodes of one name, the first.
  const declared = new Map(nodes.toReversed().map((node) => [node.name.text, node]));
  const places = new Map<string, NodePlaces>();
  return {
    name: graph?.name.span,
    node: (name) => {
      const known = places.get(name) ?? nodePlaces(declared.get(name), defaults);
      places.set(name, known);
      return known;
    },
    reducer: (name) => fields.find((field) => field.name.text === name)?.via?.name.span,
    cases: (subject) =>
      hops.flatMap((hop) =>
        hop.kind === "match" && hop.subject.span.start === subject.start
          ? hop.cases.flatMap(({ values }) => (values ?? []).map(({ span }) => span))
          : [],
      ),
  };
}

/** A hop with those inside of it. */
function allHops(hop: HopTree): readonly HopTree[] {
  switch (hop.kind) {
    case "choice":
      return [hop, ...hop.branches.flatMap((branch) => branch.hops).flatMap(allHops)];
    case "match":
      return [hop, ...hop.cases.flatMap((one) => one.hops).flatMap(allHops)];
    case "each":
      return [hop, ...hop.body.flatMap(allHops)];
    default:
      return [hop];
  }
}

function nodePlaces(node: NodeDecl | undefined, defaults: readonly PlacedClause[]): NodePlaces {
  const clauses = [...(node?.clauses ?? []), ...defaults];
  const writes = [
    ...(node?.kind === "call" && node.writes !== undefined ? [node.writes] : []),
    ...clauses.filter((clause) => clause.kind === "writes"),
  ].flatMap((clause) => clause.writes);
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  return {
    name: node?.name.span,
    callee: node?.kind === "call" ? node.callee.span : undefined,
    controller: clauses.find((clause) => clause.kind === "controller")?.name.span,
    via: (field) => writes.find((write) => write.field.text === field)?.via?.name.span,
    written: (field) => writes.find((write) => write.field.text === field)?.field.span,
    tool: (name) =>
      tools.find(({ parts }) => parts.map((part) => part.text).join(".") === name.join("."))?.span,
  };
}
