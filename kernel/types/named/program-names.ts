/**
 * Reads the names in a program's text that the IR does not place, with their spans. They are plain data: the types
 * worker takes them instead of parsing the text again.
 */
import { parse, type Source, type Span } from "../../../dsl/index.ts";

type FileAst = ReturnType<typeof parse>["ast"];
type GraphDecl = Extract<FileAst["items"][number], { readonly kind: "graph" }>;
type NodeDecl = Extract<GraphDecl["items"][number], { readonly kind: "node" | "call" }>;
type PlacedClause = NodeDecl["clauses"][number];
type HopTree = Extract<GraphDecl["items"][number], { readonly kind: "flow" }>["hops"][number];

/** The names of a program; a name that is given twice stands where it is first. */
export interface ProgramNames {
  readonly imports: readonly ProgramImport[];
  /** The types that the program declares itself. */
  readonly ownTypes: readonly string[];
  /** Every name that stands for a type, declared or not, in the order of the text. */
  readonly types: ReadonlyMap<string, Span>;
  readonly graphs: ReadonlyMap<string, GraphNames>;
}

export interface ProgramImport {
  readonly name: string;
  /** The name inside the program. */
  readonly as: string;
  readonly from: string;
  readonly span: Span;
  /** The place of `from`. */
  readonly fromSpan: Span;
}

export interface GraphNames {
  readonly span: Span;
  readonly nodes: ReadonlyMap<string, NodeNames>;
  readonly defaults: ClauseNames;
  /** The reducers behind `via`, by the field that they belong to. */
  readonly reducers: ReadonlyMap<string, Span | undefined>;
  /** The literals of the cases of each `match` in their order, by the start of its subject. */
  readonly cases: ReadonlyMap<number, readonly Span[]>;
}

/** The names in clauses: those of a node, or those of `defaults { }`. */
export interface ClauseNames {
  readonly controller: Span | undefined;
  readonly writes: readonly WrittenName[];
  /** Each has its dotted name, such as `docs.search`. */
  readonly tools: readonly { readonly name: string; readonly span: Span }[];
}

export interface NodeNames extends ClauseNames {
  readonly span: Span;
  readonly callee: Span | undefined;
}

interface WrittenName {
  readonly field: string;
  readonly span: Span;
  /** The reducer behind the `via` of the write. */
  readonly via: Span | undefined;
}

/** Returns the names of a program, for the questions that are asked of TypeScript. */
export function readNames(source: Source): ProgramNames {
  const { ast } = parse(source);
  const { items } = ast;
  const graphs = items.filter((item) => item.kind === "graph");
  return {
    imports: items.flatMap((item) => (item.kind === "import" ? importedNames(item) : [])),
    ownTypes: items.flatMap((item) => (item.kind === "type" ? [item.name.text] : [])),
    types: namedTypes(items),
    graphs: firstOf(graphs.map((graph) => [graph.name.text, graphNames(graph)])),
  };
}

/** Returns whether a program uses a name as a type, also with arguments (`Box<Word>`) or members (`Words.Other`). */
export function namesType(source: Source, name: string): boolean {
  return namedTypes(parse(source).ast.items, headOfType).has(name);
}

function importedNames({
  names,
  from,
}: Extract<FileAst["items"][number], { readonly kind: "import" }>): readonly ProgramImport[] {
  return names.map(({ name, as = name }) => ({
    name: name.text,
    as: as.text,
    from: from.value,
    span: name.span,
    fromSpan: from.span,
  }));
}

function firstOf<K, V>(entries: readonly (readonly [K, V])[]): ReadonlyMap<K, V> {
  return new Map(entries.toReversed());
}

function graphNames(graph: GraphDecl): GraphNames {
  const { items } = graph;
  const nodes = items.filter((item) => item.kind === "node" || item.kind === "call");
  const hops = items.flatMap((item) => (item.kind === "flow" ? item.hops : [])).flatMap(allHops);
  const states = hops.flatMap((hop) => (hop.kind === "each" ? hop.states : []));
  const fields = [...items, ...nodes.flatMap((node) => node.clauses), ...states].flatMap((item) =>
    item.kind === "state" ? item.fields : [],
  );
  const cases = new Map<number, Span[]>();
  for (const hop of hops) {
    if (hop.kind !== "match") continue;
    const literals = hop.cases.flatMap(({ values }) => (values ?? []).map(({ span }) => span));
    const { start } = hop.subject.span;
    cases.set(start, [...(cases.get(start) ?? []), ...literals]);
  }
  return {
    span: graph.name.span,
    nodes: firstOf(nodes.map((node) => [node.name.text, nodeNames(node)])),
    defaults: clauseNames(items.flatMap((item) => (item.kind === "defaults" ? item.clauses : []))),
    reducers: firstOf(fields.map((field) => [field.name.text, field.via?.name.span])),
    cases,
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
      return [hop, ...[...hop.body, ...hop.flows.flatMap(({ hops }) => hops)].flatMap(allHops)];
    default:
      return [hop];
  }
}

function nodeNames(node: NodeDecl): NodeNames {
  const isWriting = node.kind === "call" && node.writes !== undefined;
  return {
    span: node.name.span,
    callee: node.kind === "call" ? node.callee.span : undefined,
    ...clauseNames(isWriting && node.writes ? [node.writes, ...node.clauses] : node.clauses),
  };
}

function clauseNames(clauses: readonly PlacedClause[]): ClauseNames {
  const writes = clauses.flatMap((clause) => (clause.kind === "writes" ? clause.writes : []));
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  return {
    controller: clauses.find((clause) => clause.kind === "controller")?.name.span,
    writes: writes.map(({ field, via }) => ({
      field: field.text,
      span: field.span,
      via: via?.name.span,
    })),
    tools: tools.map(({ parts, span }) => ({
      name: parts.map((part) => part.text).join("."),
      span,
    })),
  };
}

/** The types that are named anywhere, each with its first place. */
function namedTypes(part: unknown, nameOf = nameOfType): ReadonlyMap<string, Span> {
  const found = new Map<string, Span>();
  const find = (one: unknown) => {
    if (Array.isArray(one)) {
      for (const item of one) if (typeof item === "object") find(item);
    } else if (typeof one === "object" && one !== null) {
      const name = nameOf(one);
      if (name !== undefined && !found.has(name.text)) found.set(name.text, name.span);
      const members = one as Readonly<Record<string, unknown>>;
      for (const key in members) {
        const member = members[key];
        if (typeof member === "object" && key !== "span") find(member);
      }
    }
  };
  find(part);
  return found;
}

interface NameInText {
  readonly text: string;
  readonly span: Span;
}

/** Types with arguments are not asked for. */
function nameOfType(part: object): NameInText | undefined {
  if (!isNamedType(part)) return undefined;
  const { args, name } = part;
  return args.length === 0 && name.parts.length === 1 ? name.parts[0] : undefined;
}

/** `Box` of `Box<Word>`, `Words` of `Words.Other`. */
function headOfType(part: object): NameInText | undefined {
  return isNamedType(part) ? part.name.parts[0] : undefined;
}

interface NamedTypePart {
  readonly name: { readonly parts: readonly NameInText[] };
  readonly args: readonly unknown[];
}

/** A named type of the tree is the only part of this kind. */
function isNamedType(part: object): part is NamedTypePart {
  return "kind" in part && part.kind === "named" && "name" in part && "args" in part;
}
