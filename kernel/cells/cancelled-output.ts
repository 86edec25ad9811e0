/** What a cell shows when it was cancelled: what became of its runs, and how to go on with them. */
import type { GraphRun } from "../../runtime/index.ts";
import type { ErrorOutput } from "../cell-output.ts";
import { red } from "./error-output.ts";

export function cancelledOutput(paused: readonly GraphRun[]): ErrorOutput {
  const evalue = `M7501 the cell was cancelled${whatOfRuns(paused)}`;
  const hints = paused.map(
    ({ id }) =>
      `  hint: \`await runs.open("${id}").resume()\` goes on with it, and so does \`madrigal resume ${id}\``,
  );
  return {
    kind: "error",
    ename: "Cancelled",
    evalue,
    traceback: [`${red("Cancelled")}: ${evalue}`, ...hints],
  };
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
