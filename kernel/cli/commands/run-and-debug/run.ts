/** `madrigal run FILE [GRAPH]`: runs a graph and reports its progress and result. */
import { CommandError } from "../../../command-error.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import type { Mode } from "../../run/report-run.ts";
import { type RunRequest, runGraph } from "../../run/run-graph.ts";
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
    config: "text",
    prompts: "text",
    "no-types": "flag",
    answers: "text",
    busy: "text",
    json: "flag",
    events: "flag",
    quiet: "flag",
  },
  arguments: ["FILE", "[GRAPH]"],
  async run(call) {
    const mode = modeOf(call);
    const { session, graph, input, options, models } = await readRun(call);
    const isQuiet = call.flag("quiet");
    const busy = busyOf(call);
    return await blamingCall(models, () =>
      runGraph(session, graph, { input, options, mode, isQuiet, ...busy }),
    );
  },
  failed: noRunJson,
};

const BUSY = ["reject", "queue", "interrupt", "rollback"] as const;

function busyOf(call: CommandCall): Pick<RunRequest, "busy"> {
  const word = call.text("busy");
  if (word === undefined) return {};
  const busy = BUSY.find((one) => one === word);
  if (busy === undefined)
    throw new CommandError("M7104", `\`--busy ${word}\` is none of ${BUSY.join(", ")}`, {
      hint: "queue waits for the run of the thread that is under way; interrupt and rollback end it",
    });
  if (call.text("thread") === undefined)
    throw new CommandError("M7104", "`--busy` needs `--thread`", {
      hint: "without a thread no other run is in the way",
    });
  return { busy };
}

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
