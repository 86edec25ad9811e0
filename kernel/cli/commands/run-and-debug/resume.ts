/** `madrigal resume RUN`: continues a stored run with its program and TypeScript of today. */
import { CommandError } from "../../../command-error.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { driveRun } from "../../run/run-graph.ts";
import { noRunJson } from "../../run/run-json.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { resumeDue } from "./resume-due.ts";

export const command: CliCommand = {
  options: { due: "flag", map: "texts", drop: "texts", force: "flag", json: "flag" },
  arguments: ["[RUN]"],
  async run(call) {
    const [id] = call.arguments;
    const isJson = call.flag("json");
    if ((id === undefined) !== call.flag("due")) throw whichRun(id);
    const session = openStoredRuns();
    if (id === undefined) return await resumeDue(session, { isJson });
    const { run, ir } = await openToDrive(session, id, {
      renamed: readMap(call),
      dropped: call.texts("drop"),
      isForced: call.flag("force"),
    });
    const mode = isJson ? "json" : "text";
    return await driveRun(session, { run, ir, mode, start: () => run.resume() });
  },
  failed: noRunJson,
};

/** `--map old=new`: what nodes and fields are called now. */
function readMap(call: CommandCall): Readonly<Record<string, string>> {
  const pairs = call.texts("map").map((text) => {
    const [, before, now] = /^\s*(\w+)\s*=\s*(\w+)\s*$/.exec(text) ?? [];
    if (before !== undefined && now !== undefined) return [before, now] as const;
    throw new CommandError("M7104", `\`--map ${text}\` is not OLD=NEW`, {
      hint: "give the name at the start of the run and the name of today: `--map OLD=NEW`",
    });
  });
  return Object.fromEntries(pairs);
}

function whichRun(id: string | undefined): CommandError {
  const message =
    id === undefined
      ? "`madrigal resume` needs RUN"
      : `\`--due\` resumes all runs that are due, and takes no RUN such as \`${id}\``;
  return new CommandError("M7103", message, {
    hint: "madrigal resume RUN, or madrigal resume --due",
  });
}
