/** `madrigal push RUN --restate URL`: has a run of this workspace go on with Restate. */
import { restate, Session } from "../../../../runtime/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { blobsIn, restateIn } from "./place.ts";

export const command: CliCommand = {
  options: { restate: "text", blobs: "text", json: "flag" },
  arguments: ["RUN"],
  async run(call) {
    const url = restateIn(call, "push");
    const session = new Session();
    const { runId, graph } = session.store.find(call.arguments[0] ?? "");
    const place = { restate: url, blobs: blobsIn(call), store: session.store };
    const { status } = await restate.pushRun(runId, place);
    await session.close();
    if (call.flag("json")) printJson({ run_id: runId, graph, status });
    else
      print(
        `${graph} goes on with Restate (${status}); \`madrigal pull ${runId} --restate ${url}\` brings it back`,
      );
    return EXIT.done;
  },
};
