/** Builders as the tests use them: nothing runs, so what comes of one is its program. */
import { type BuiltProgram, type CheckOptions, GraphBuilder } from "../../../dsl/index.ts";

export function graph<Nodes extends string = never>(
  name: string,
): GraphBuilder<Nodes, BuiltProgram, CheckOptions> {
  return new GraphBuilder({ name, parts: [], uses: [] }, (program, options) =>
    program(options ?? { allowUnreadPrograms: true }),
  );
}

/** What is wrong with a builder's graph, a line each: `M2101 graph("G").edge("a") 1:6 no node is called …`. */
export function faults(
  builder: { check(options: CheckOptions): BuiltProgram["diagnostics"] },
  options: CheckOptions = { allowUnreadPrograms: true },
): string {
  return builder
    .check(options)
    .map(({ code, file, line, column, message }) => `${code} ${file} ${line}:${column} ${message}`)
    .join("\n");
}
