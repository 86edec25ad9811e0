/** `madrigal run FILE [GRAPH]`: runs a graph and reports its progress and result. */
import { CommandError } from "../../../command-error.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import type { Mode } from "../../run/report-run.ts";
import { runGraph } from "../../run/run-graph.ts";
import { noRunJson } from "../../run/run-json.ts";
import { blamingCall, readRun } from "./read-run.ts";

export const command: CliCommand = {
  options: {
    input: "text",
    model: "texts",
    record: "text",
    scope: "text",
    thread: "text",
    from: "text",
    user: "text",
    durability: "text",
    mode: "text",
    prompts: "text",
    "no-types": "flag",
    answers: "text",
    json: "flag",
    events: "flag",
    quiet: "flag",
  },
  arguments: ["FILE", "[GRAPH]"],
  async run(call) {
    const mode = modeOf(call);
    const { session, graph, input, options, models } = await readRun(call);
    const isQuiet = call.flag("quiet");
    return await blamingCall(models, () =>
      runGraph(session, graph, { input, options, mode, isQuiet }),
    );
  },
  failed: noRunJson,
};

function modeOf(call: CommandCall): Mode {
  if (call.flag("json") && call.flag("events")) {
    throw new CommandError("M7104", "`--json` and `--events` exclude each other", {
      hint: "`--events` prints one event a line instead of the one document",
    });
  }
  if (call.flag("quiet") && call.flag("events")) {
    throw new CommandError("M7104", "`--quiet` and `--events` exclude each other", {
      hint: "`--quiet` leaves out what happens until the end, which is what `--events` prints",
    });
  }
  if (call.flag("json")) return "json";
  return call.flag("events") ? "events" : "text";
}
