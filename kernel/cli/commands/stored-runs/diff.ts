/** `madrigal diff RUN OTHER`: compares two stored runs of a graph. */
import { visible } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: ["RUN", "OTHER"],
  async run(call) {
    const [first = "", other = ""] = call.arguments;
    const session = openRunsToRead();
    const diff = session.open(first).diff(session.open(other));
    if (call.flag("json")) printJson(diff.toJSON());
    else print(visible(String(diff)));
    await session.close();
    return diff.isSame ? EXIT.done : EXIT.wrong;
  },
};
