/** Finds the places of names that the IR does not keep. */
import { isProgram, type Span } from "../../../../dsl/index.ts";
import type {
  ClauseNames,
  GraphNames,
  ProgramImport,
  ProgramNames,
} from "../../named/program-names.ts";

/** The spans of names in a program that have none in the IR. */
export interface GeneratedPlaces {
  imported(name: string): Span | undefined;
  /** The names that the text imports. */
  readonly imports: readonly ProgramImport[];
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

/** The places of a program's names. */
export function placesOf({ imports, graphs }: ProgramNames): GeneratedPlaces {
  // A type that comes through another program has no name here.
  const importOf = (name: string) =>
    imports.find(({ as }) => as === name) ?? imports.find(({ from }) => isProgram(from));
  return {
    imports,
    imported: (name) => importOf(name)?.span,
    importedFrom: (name) => importOf(name)?.fromSpan,
    graph: (name) => graphPlaces(graphs.get(name)),
  };
}

function graphPlaces(graph: GraphNames | undefined): GraphPlaces {
  return {
    name: graph?.span,
    node: (name) => nodePlaces(name, graph),
    reducer: (field) => graph?.reducers.get(field),
    cases: ({ start }) => graph?.cases.get(start) ?? [],
  };
}

/** The names of a node's own clauses go before those of its graph's `defaults { }`. */
function nodePlaces(name: string, graph: GraphNames | undefined): NodePlaces {
  const node = graph?.nodes.get(name);
  const within = [node, graph?.defaults].filter((one) => one !== undefined);
  const first = <T>(find: (names: ClauseNames) => T | undefined): T | undefined => {
    for (const one of within) {
      const found = find(one);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const written = (field: string) =>
    first(({ writes }) => writes.find((write) => write.field === field));
  return {
    name: node?.span,
    callee: node?.callee,
    controller: first(({ controller }) => controller),
    written: (field) => written(field)?.span,
    via: (field) => written(field)?.via,
    tool: (path) => {
      const dotted = path.join(".");
      return first(({ tools }) => tools.find((tool) => tool.name === dotted))?.span;
    },
  };
}
