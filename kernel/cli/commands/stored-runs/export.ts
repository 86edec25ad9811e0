/** `madrigal export RUN [FILE]`: writes a run to one file that `madrigal import` reads, as spans with `--otlp`, or its model calls as a cassette. */
import { shortRunId } from "../../../../runtime/index.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";
import { exportCassette } from "./export-cassette.ts";
import { exportSpans } from "./export-spans.ts";

export const command: CliCommand = {
  options: { exact: "flag", cassette: "flag", otlp: "flag", content: "flag", json: "flag" },
  arguments: ["RUN", "[FILE]"],
  async run(call) {
    if (call.flag("otlp")) return exportSpans(call);
    if (call.flag("cassette")) return exportCassette(call);
    const [id = "", path] = call.arguments;
    const session = openRunsToRead();
    const options = { exact: call.flag("exact") };
    const exported =
      path?.endsWith(".zip") === true
        ? await session.stored.archive(id, path, options)
        : { ...session.stored.export(id, path, options), entries: [] };
    const { runId, file, records, hidden, leftOut, entries } = exported;
    await session.close();
    if (call.flag("json")) {
      const inside = entries.length === 0 ? {} : { entries };
      printJson({ run_id: runId, file, records, hidden, left_out: leftOut, ...inside });
    } else {
      print(`${shortRunId(runId)} is in ${file}: ${counted(records, "record")}`);
      for (const entry of entries) print(`  ${entry}`);
      if (hidden > 0) print(`hidden: what looks like a secret, in ${counted(hidden, "record")}`);
      for (const hash of leftOut) print(`left out: artifact ${hash}`);
    }
    return EXIT.done;
  },
};
