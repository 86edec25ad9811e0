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
    json: "flag",
    events: "flag",
  },
  arguments: ["FILE", "[GRAPH]"],
  async run(call) {
    const mode = modeOf(call);
    const { session, graph, input, options, models } = await readRun(call);
    return await blamingCall(models, () => runGraph(session, graph, { input, options, mode }));
  },
  failed: noRunJson,
};

function modeOf(call: CommandCall): Mode {
  if (call.flag("json") && call.flag("events")) {
    throw new CommandError("M7104", "`--json` and `--events` exclude each other", {
      hint: "`--events` prints one event a line instead of the one document",
    });
  }
  if (call.flag("json")) return "json";
  return call.flag("events") ? "events" : "text";
}
