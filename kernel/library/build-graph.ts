/** Builds graphs by calls instead of text: `graph("G")…build()`. */
import { type BuiltProgram, GraphBuilder, type Ir } from "../../dsl/index.ts";
import { type Graph, RunError, type Scope, scopes } from "../../runtime/index.ts";
import { currentSession } from "../session.ts";

export interface BuildOptions {
  /** The functions and tools that the graph names. */
  readonly scope?: Scope;
}

/** Begins a graph; `build()` makes it one that runs, the same as its text would. */
export function graph<Nodes extends string = never>(
  name: string,
): GraphBuilder<Nodes, Graph, BuildOptions> {
  return new GraphBuilder({ name, parts: [], uses: [] }, (program, options) => {
    const scope = options?.scope;
    const built = program(scopes.offeredBy(scope));
    const origin = { file: built.source.file, ...(scope === undefined ? {} : { scope }) };
    return currentSession().graph(soundGraph(built), origin);
  });
}

function soundGraph({ diagnostics, render, ir }: BuiltProgram): Ir {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error === undefined && ir !== undefined) return ir;
  if (error === undefined) throw new RunError("M9000", "a graph without an error was not built");
  const { code, file, line, column, message } = error;
  throw new RunError("M5002", `${code} ${file}:${line}:${column} ${message}`, {
    hint: render(error),
  });
}
