/** Shows that a cell was cancelled, what became of its runs, and how to continue them. */

import { type DrivenRun, shortRunId } from "../../../runtime/index.ts";
import type { ErrorOutput } from "../../cell-output.ts";
import { counted } from "../../display/visible.ts";
import { isBuiltInGroup } from "../../types/named/built-in-types.ts";
import { red } from "./error-output.ts";

export function cancelledOutput(paused: readonly DrivenRun[]): ErrorOutput {
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
function howToGoOn({ id, ir }: DrivenRun): string {
  const here = `\`await runs.open("${shortRunId(id)}").resume()\` goes on with it`;
  const needed = ir.nodes.some(
    ({ kind, tools }) => kind === "run" || tools.some(([group]) => !isBuiltInGroup(group)),
  );
  return needed
    ? `${here}; in a restarted kernel, run the cells of its graph and of what that calls first`
    : `${here}, and so does \`madrigal resume ${shortRunId(id)}\``;
}

function whatOfRuns(paused: readonly DrivenRun[]): string {
  if (paused.length === 0) return "; what it declared so far is kept";
  const [first] = paused;
  if (first !== undefined && paused.length === 1) {
    return `; run \`${shortRunId(first.id)}\` of \`${first.graph}\` is paused`;
  }
  const ids = paused.map(({ id, graph }) => `\`${shortRunId(id)}\` of \`${graph}\``);
  return `; ${counted(ids.length, "run")} are paused: ${ids.join(", ")}`;
}
