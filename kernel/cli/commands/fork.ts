/** `madrigal fork RUN STEP`: a run of its own from a step of a stored one, with other values of some fields. */
import { type EffectLeftBehind, messageOf } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import type { Call } from "../arguments.ts";
import type { Command } from "../command.ts";
import { openToDrive } from "../open-to-drive.ts";
import { tell } from "../output.ts";
import { driveRun } from "../run-graph.ts";
import { noRunJson } from "../run-json.ts";
import { openStoredRuns } from "../stored-runs.ts";

export const command: Command = {
  options: { set: "text", json: "flag" },
  arguments: ["RUN", "STEP"],
  async run(call) {
    const [id = "", word = ""] = call.arguments;
    const step = readStep(word);
    const edits = readEdits(call);
    const session = openStoredRuns();
    const { run, ir } = await openToDrive(session, id);
    const left = run.effectsBehind(step);
    const branch = run.fork(step, edits);
    tell(`forked run ${run.id} at step ${step}: ${branch.id}`);
    if (left.length > 0) tell(leftText(left));
    const mode = call.flag("json") ? "json" : "text";
    return await driveRun(session, { run: branch, ir, mode });
  },
  failed: noRunJson,
};

/** What no fork takes back. */
function leftText(left: readonly EffectLeftBehind[]): string {
  const calls = left.map(
    ({ node, name, at }) => `  ${name} by ${node}, ${new Date(at).toISOString()}`,
  );
  return [
    "note: behind that step the run it leaves has called:",
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

function readEdits(call: Call): Record<string, unknown> | undefined {
  const text = call.text("set");
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (cause) {
    throw notAnObject(`\`--set\` is not JSON: ${messageOf(cause)}`, cause);
  }
  throw notAnObject("`--set` is not a JSON object");
}

function notAnObject(message: string, cause?: unknown): CommandError {
  const hint = `it has fields and their new values: --set '{"draft": "…"}'`;
  return new CommandError("M7104", message, { hint, ...(cause === undefined ? {} : { cause }) });
}
