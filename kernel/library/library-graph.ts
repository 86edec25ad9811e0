/** Makes the graphs that `madrigal/library` exports: each is compiled when it is first used. */
import { join } from "node:path";
import { LIBRARY, LIBRARY_GRAPHS } from "../../dsl/index.ts";
import { Graph, type Run, type RunOptions, type Session } from "../../runtime/index.ts";
import { builtInScope } from "../programs/load-scope.ts";
import { programsBeside } from "../programs/programs-beside.ts";
import { readProgram } from "../programs/read-program.ts";
import { currentSession } from "../session.ts";
import { assertOnlyInstance } from "./own-instance.ts";

/** The types of a graph, and its slots: what each run may put in the place of the program's own. */
export interface LibraryTypes {
  readonly input: unknown;
  readonly output: unknown;
  readonly state: unknown;
  readonly node: string;
  /** The aliases of its models, and those of the graphs that it calls. */
  readonly model: string;
  /** `NODE.prompt` and `NODE.system`. */
  readonly prompt: string;
  /** The groups of tools that it uses. */
  readonly tool: string;
}

/** The options of a run, with the slots of its graph by name. */
export interface LibraryOptions<T extends LibraryTypes>
  extends Omit<RunOptions<T["node"]>, "models" | "prompts" | "scope"> {
  readonly models?: { readonly [A in T["model"]]?: NonNullable<RunOptions["models"]>[string] };
  readonly prompts?: { readonly [P in T["prompt"]]?: string };
  /** Groups of tools in the place of those that Madrigal brings. */
  readonly scope?: { readonly [G in T["tool"]]?: object };
}

type StartedWithSlots = "debug" | "invoke" | "run";

export interface LibraryGraph<T extends LibraryTypes>
  extends Omit<Graph<T["input"], T["output"], T["state"], T["node"]>, StartedWithSlots> {
  run(input: T["input"], options?: LibraryOptions<T>): Run<T["output"], T["state"], T["node"]>;
  debug(input: T["input"], options?: LibraryOptions<T>): Run<T["output"], T["state"], T["node"]>;
  invoke(input: T["input"], options?: LibraryOptions<T>): Promise<T["output"]>;
}

assertOnlyInstance();

/** The graph of that name; it belongs to the session of the process, as graphs of `compile` do. */
export function libraryGraph<T extends LibraryTypes>(name: string): LibraryGraph<T> {
  const made = new WeakMap<Session, Graph>();
  const graph = (): Graph => {
    const session = currentSession();
    const known = made.get(session) ?? compiled(name, session);
    made.set(session, known);
    return known;
  };
  const get = (_: object, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(graph(), key, graph());
    // Private members are reached by the methods of the graph itself alone.
    return typeof value === "function" ? value.bind(graph()) : value;
  };
  return new Proxy(Object.create(Graph.prototype), { get }) as unknown as LibraryGraph<T>;
}

function compiled(name: string, session: Session): Graph {
  const { path, source } = readProgram(`${LIBRARY}/${LIBRARY_GRAPHS[name]}.madrigal`);
  const { open: programs, apis, skills } = programsBeside({ source, path });
  const here = join(process.cwd(), "program.madrigal");
  const scope = builtInScope({ path: here, workspace: session.workspace });
  const beside = { file: path, scope, programs, apis, skills };
  const graph = session.compile(source.text, beside)[name];
  if (graph === undefined) throw new Error(`M9000: ${path} has no graph ${name}`);
  return graph;
}
