/** `madrigal import FILE`: reads a run that `export` wrote, or spans of OpenTelemetry. */
import { Session, shortRunId, storedRuns } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { importSpans, listenForSpans } from "./import-spans.ts";

export const command: CliCommand = {
  options: {
    copy: "flag",
    replace: "flag",
    thread: "text",
    listen: "text",
    token: "text",
    json: "flag",
  },
  arguments: ["[FILE]"],
  async run(call) {
    const [copy, replace, thread] = [call.flag("copy"), call.flag("replace"), call.text("thread")];
    const [file] = call.arguments;
    if (call.text("listen") !== undefined && file === undefined) return listenForSpans(call);
    if (file === undefined || call.text("listen") !== undefined) {
      throw new CommandError("M7103", "`madrigal import` needs FILE, or `--listen PORT`", {
        hint: "FILE is what `madrigal export` or a collector of OpenTelemetry wrote",
      });
    }
    if (storedRuns.looksLikeSpans(file)) {
      if (!copy && !replace && thread === undefined) return importSpans(call, file);
      throw new CommandError("M7104", "spans keep the ids of their traces", {
        hint: "`--copy`, `--replace` and `--thread` are for runs with a log",
      });
    }
    if (copy && replace) {
      throw new CommandError("M7104", "`--copy` and `--replace` exclude each other", {
        hint: "`--copy` gives the run a new id, `--replace` overwrites the run of the same id: choose one",
      });
    }
    const session = new Session();
    const options = { copy, replace, ...(thread === undefined ? {} : { thread }) };
    const runId = session.stored.import(file, options);
    const { threadId, graph, status } = session.store.find(runId);
    await session.close();
    if (call.flag("json")) printJson({ run_id: runId, thread_id: threadId, graph, status });
    else
      print(
        `${shortRunId(runId)} is here: ${graph}, ${status}; \`madrigal show ${shortRunId(runId)}\` shows it`,
      );
    return EXIT.done;
  },
};
