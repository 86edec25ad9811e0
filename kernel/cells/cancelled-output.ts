/** What a cell shows when it was cancelled: what became of its runs, and how to go on with them. */
import type { GraphRun } from "../../runtime/index.ts";
import type { ErrorOutput } from "../cell-output.ts";
import { red } from "./error-output.ts";

export function cancelledOutput(paused: readonly GraphRun[]): ErrorOutput {
  const evalue = `M7501 the cell was cancelled${whatOfRuns(paused)}`;
  const hints = paused.map((run) => `  hint: ${howToGoOn(run)}`);
  return {
    kind: "error",
    ename: "Cancelled",
    evalue,
    traceback: [`${red("Cancelled")}: ${evalue}`, ...hints],
  };
}

/** A kernel that was restarted knows neither the graph's cell nor those of its functions. */
function howToGoOn({ id, ir }: GraphRun): string {
  const here = `\`await runs.open("${id}").resume()\` goes on with it`;
  const needed = ir.nodes.some(
    ({ kind, tools }) => kind === "run" || tools.some(([group]) => group !== "docs"),
  );
  return needed
    ? `${here}; in a restarted kernel, run the cells of its graph and of what that calls first`
    : `${here}, and so does \`madrigal resume ${id}\``;
}

function whatOfRuns(paused: readonly GraphRun[]): string {
  if (paused.length === 0) return "; what it declared so far is kept";
  const [first] = paused;
  if (first !== undefined && paused.length === 1) {
    return `; run \`${first.id}\` of \`${first.graph}\` is paused`;
  }
  const ids = paused.map(({ id, graph }) => `\`${id}\` of \`${graph}\``);
  return `; ${ids.length} runs are paused: ${ids.join(", ")}`;
}
