/** Prints several graphs as one file, where their names agree. */
import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import type { CalledIr, Ir } from "../ir/ir.ts";
import { referencesOf } from "../lower/references.ts";

/** Graphs that can stand in one text, and what stands above them. */
export interface PrintedFile {
  readonly graphs: readonly CalledIr[];
  readonly declarations: Pick<Ir, (typeof KINDS)[number]>;
  /** Graphs that are called and stand in files of their own, by the name that they are called by. */
  readonly calledInOtherFiles: ReadonlyMap<string, CalledIr>;
}

const KINDS = ["imports", "models", "mcps", "types", "config"] as const;

/** The kinds of names: a type and a graph may have the same one. */
type NameSpace = "type" | "value";

/** A name above the graphs of a text, what it means, and which graphs mean just that by it. */
interface Global {
  readonly space: NameSpace;
  readonly name: string;
  readonly meaning: string;
  readonly owners: Set<CalledIr>;
}

/**
 * The text of these graphs, the first one first; undefined where they can't stand in one: where a name means two things,
 * or would mean something in a graph that knows nothing of it.
 */
export function fileOf(
  graphs: readonly CalledIr[],
  target: (graph: CalledIr, name: string) => CalledIr | undefined,
): PrintedFile | undefined {
  const globals = new Map<string, Global>();
  const calledInOtherFiles = new Map<string, CalledIr>();
  const add = (owner: CalledIr, name: string, meaning: string, space: NameSpace = "value") => {
    const key = `${space} ${name}`;
    const known = globals.get(key) ?? { space, name, meaning, owners: new Set() };
    globals.set(key, known);
    known.owners.add(owner);
    return known.meaning === meaning;
  };
  for (const graph of graphs) {
    for (const { name, meaning, space } of declared(graph))
      if (!add(graph, name, meaning, space)) return undefined;
    for (const { name } of graph.calls ?? []) {
      const called = target(graph, name);
      if (called === undefined) continue;
      const isHere = graphs.includes(called);
      if (isHere && called.name !== name) return undefined;
      if (!isHere) calledInOtherFiles.set(name, called);
      if (!add(graph, name, `graph ${called.hash}`)) return undefined;
    }
    if (!add(graph, graph.name, `graph ${graph.hash}`)) return undefined;
  }
  if (graphs.some((graph) => isDisturbed(graph, globals))) return undefined;
  const declarations = mergedDeclarations(graphs);
  return declarations && { graphs, declarations, calledInOtherFiles: calledInOtherFiles };
}

function declared(graph: CalledIr) {
  return KINDS.flatMap((kind) => {
    const space: NameSpace = kind === "types" ? "type" : "value";
    return graph[kind].map((item) => {
      return { name: nameOf(item), meaning: `${kind} ${contentOf(item)}`, space };
    });
  });
}

/**
 * Returns whether a graph uses a name, declared at the top for other graphs of the text, in another
 * meaning.
 */
function isDisturbed(graph: CalledIr, globals: ReadonlyMap<string, Global>): boolean {
  const { graphs: _, calls: __, ...body } = graph as Ir;
  const { names, types } = referencesOf(body);
  const values = new Set([...names, ...localNames(body)]);
  // An import may be a type; where a type of the text has its name, that one is meant.
  const isUsed = ({ space, name }: Global) =>
    space === "type"
      ? types.has(name)
      : values.has(name) || (types.has(name) && !globals.has(`type ${name}`));
  return [...globals.values()].some((one) => !one.owners.has(graph) && isUsed(one));
}

type NamedDeclaration = CalledIr[(typeof KINDS)[number]][number];

function nameOf(item: NamedDeclaration): string {
  return "key" in item ? item.key : "as" in item ? item.as : item.name;
}

function contentOf(item: NamedDeclaration): string {
  return canonicalJson(withoutSpans(item));
}

function mergedDeclarations(graphs: readonly CalledIr[]): PrintedFile["declarations"] | undefined {
  const imports = merged(graphs.map((graph) => graph.imports));
  const models = merged(graphs.map((graph) => graph.models));
  const mcps = merged(graphs.map((graph) => graph.mcps));
  const types = merged(graphs.map((graph) => graph.types));
  const config = merged(graphs.map((graph) => graph.config));
  return imports && models && mcps && types && config && { imports, models, mcps, types, config };
}

/** All items once, in an order that each list agrees with; undefined where there is none. */
function merged<T extends NamedDeclaration>(
  lists: readonly (readonly T[])[],
): readonly T[] | undefined {
  let left = lists.filter((list) => list.length > 0);
  const order: T[] = [];
  while (left.length > 0) {
    const isBehind = (name: string) =>
      left.some((list) => list.slice(1).some((item) => nameOf(item) === name));
    const next = left.map(([first]) => first).find((first) => first && !isBehind(nameOf(first)));
    if (next === undefined) return undefined;
    order.push(next);
    left = left
      .map((list) => list.filter((item) => nameOf(item) !== nameOf(next)))
      .filter((list) => list.length > 0);
  }
  return order;
}

/** The names that a graph declares inside of it: parameters, fields, memories, items of an `each`, of lambdas. */
function localNames(graph: object): ReadonlySet<string> {
  const names = new Set<string>();
  collect(graph, names);
  return names;
}

function collect(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) {
    for (const item of part) collect(item, names);
    return;
  }
  if (typeof part !== "object" || part === null) return;
  for (const [key, member] of Object.entries(part)) {
    // A schema's keys are the user's.
    if (key === "output") continue;
    if (key === "variable" && typeof member === "string") names.add(member);
    if (key === "params" || key === "fields" || key === "memories")
      for (const one of Array.isArray(member) ? member : []) addName(one, names);
    collect(member, names);
  }
}

function addName(one: unknown, names: Set<string>): void {
  if (typeof one === "string") names.add(one);
  else if (typeof one === "object" && one !== null && "name" in one && typeof one.name === "string")
    names.add(one.name);
}
