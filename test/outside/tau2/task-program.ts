/** Writes the right calls of a task as a program: a `tool` node for each, one after the other. */
import type { Json } from "../../../runtime/agents/values/json.ts";

/** A call of a tool of tau2. */
export interface RightCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, Json>>;
}

/** Returns the program. A call that fails is told to nobody, and the next one follows, as in tau2's own replay of a task. */
export function taskProgram(url: string, calls: readonly RightCall[]): string {
  const nodes = calls.map(
    ({ tool, input }, at) =>
      `  tool call${at} = world.${tool}(${JSON.stringify(input)}) writes results`,
  );
  const arrows = calls.map((_, at) => {
    const next = at + 1 < calls.length ? `call${at + 1}` : "end";
    return `  call${at} -> ${next}\n  call${at} -> ${next} on error`;
  });
  return `mcp world = "${url}" { trustAnnotations: true }
graph Task() returns results {
  state { results: Json[] = [] via append }
${nodes.join("\n")}
  start -> call0
${arrows.join("\n")}
}`;
}
