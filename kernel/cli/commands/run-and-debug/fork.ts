/** `madrigal fork RUN STEP`: starts a new run from a step of a stored one, optionally with other field values. */
import { type repeatedRuns, shortRunId } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import type { CliCommand } from "../../command.ts";
import { readFields } from "../../fields-option.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { tell } from "../../output.ts";
import { eventsOf } from "../../run/run-facts.ts";
import { driveRun } from "../../run/run-graph.ts";
import { noRunJson } from "../../run/run-json.ts";
import { openStoredRuns } from "../../stored-runs.ts";

export const command: CliCommand = {
  options: { set: "text", json: "flag" },
  arguments: ["RUN", "STEP"],
  async run(call) {
    const [id = "", word = ""] = call.arguments;
    const step = readStep(word);
    const edits = readFields(call);
    const session = openStoredRuns();
    const { run, ir } = await openToDrive(session, id);
    const left = run.effectsBehind(step);
    const branch = run.fork(step, edits);
    // The copied records are not new; the fork has not run yet.
    const known = eventsOf(branch).length;
    tell(`forked run ${shortRunId(run.id)} at step ${step}: ${shortRunId(branch.id)}`);
    if (left.length > 0) tell(leftText(left));
    const mode = call.flag("json") ? "json" : "text";
    return await driveRun(session, { run: branch, ir, mode, known });
  },
  failed: noRunJson,
};

/** Returns the note on calls to the outside that a fork does not undo. */
function leftText(left: readonly repeatedRuns.EffectLeftBehind[]): string {
  const calls = left.map(
    ({ node, name, at }) => `  ${name} by ${node}, ${new Date(at).toISOString()}`,
  );
  return [
    "note: after that step, the original run has called:",
    ...calls,
    "  the branch may call them again",
  ].join("\n");
}

function readStep(word: string): number {
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new CommandError("M7104", `\`${word}\` is no step`, {
    hint: "a number; 0 is the start of the run, and `madrigal show RUN` lists the others",
  });
}
