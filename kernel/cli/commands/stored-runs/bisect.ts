/** `madrigal bisect CONDITION`: finds the first run for which a condition of SQL holds, and what changed before it. */
import { SqlError } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { visible } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";

export const command: CliCommand = {
  options: { graph: "text", run: "texts", json: "flag" },
  arguments: ["CONDITION"],
  async run(call) {
    const [where = ""] = call.arguments;
    const [graph, runs] = [call.text("graph"), call.texts("run")];
    const session = openRunsToRead();
    const about = { where, ...(graph === undefined ? {} : { graph }) };
    const found = await session
      .bisect(runs.length === 0 ? about : { ...about, runs })
      .catch((thrown: unknown) => {
        throw thrown instanceof SqlError ? wrongCondition(thrown) : thrown;
      })
      .finally(() => session.close());
    if (call.flag("json")) printJson(found.toJSON());
    else print(visible(String(found)));
    return EXIT.done;
  },
};

function wrongCondition(cause: SqlError): CommandError {
  const { code, message, hint, line, column } = cause;
  const place = line === undefined || column === undefined ? {} : { line, column };
  return new CommandError(code, message, { hint, place: { file: "CONDITION", ...place }, cause });
}
