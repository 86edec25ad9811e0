/** `madrigal pull RUN --restate URL`: brings a run from Restate into this workspace. */
import { restate, Session, shortRunId } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { blobsIn, restateIn } from "./place.ts";

export const command: CliCommand = {
  options: {
    restate: "text",
    blobs: "text",
    pause: "flag",
    copy: "flag",
    replace: "flag",
    forget: "flag",
    json: "flag",
  },
  arguments: ["RUN"],
  async run(call) {
    const [id = ""] = call.arguments;
    const url = restateIn(call, "pull");
    const [pause, copy] = [call.flag("pause"), call.flag("copy")];
    const [replace, forget] = [call.flag("replace"), call.flag("forget")];
    if (copy && (replace || forget))
      throw new CommandError("M7104", "`--copy` excludes `--replace` and `--forget`", {
        hint: "a copy has an id of its own, and the run stays on Restate",
      });
    const session = new Session();
    const place = { restate: url, blobs: blobsIn(call), store: session.store };
    const pulled = await restate.pullRun(id, place, { pause, copy, replace, forget });
    await session.close();
    const { runId, graph, status, records, isMoved } = pulled;
    const name = shortRunId(runId);
    if (call.flag("json")) printJson({ run_id: runId, graph, status, records, moved: isMoved });
    else
      print(
        `${name} is here: ${graph}, ${status}${isMoved ? "; Restate has it no more" : ""}; ` +
          `\`madrigal show ${name}\` shows it`,
      );
    return EXIT.done;
  },
};
