/** Refuses the name of a graph of which there is no run. */
import { nearest } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";

/** Throws M5459 with the name that was meant; `known` are the graphs of all runs. */
export function assertGraphOfRuns(graph: string, known: readonly string[]): void {
  if (known.includes(graph)) return;
  const meant = nearest(graph, known);
  const some = known.map((name) => `\`${name}\``).join(", ");
  throw new RunError("M5459", `no run is of a graph called \`${graph}\``, {
    hint:
      meant !== undefined
        ? `did you mean \`${meant}\`?`
        : some === ""
          ? "there are no runs here yet"
          : `there are runs of ${some}`,
  });
}
