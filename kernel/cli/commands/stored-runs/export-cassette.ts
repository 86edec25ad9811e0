/** `madrigal export RUN --cassette [FILE]`: writes the model calls of a run as a cassette. */
import { shortRunId } from "../../../../runtime/index.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CommandCall } from "../../arguments.ts";
import { print, printJson, tell } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";

/** Tells the nodes with calls that the log has only in part. */
export async function exportCassette(call: CommandCall): Promise<number> {
  const [id = "", path] = call.arguments;
  const session = openRunsToRead();
  try {
    const { runId, file, calls, leftOut } = await session.stored.cassette(id, path);
    if (call.flag("json")) printJson({ run_id: runId, file, calls, left_out: leftOut });
    else print(`${shortRunId(runId)}: ${counted(calls, "model call")} in ${file}`);
    for (const node of leftOut)
      tell(
        `left out: calls of \`${node}\`, which show an earlier conversation or a shortened one; \`run --record\` has them`,
      );
    return EXIT.done;
  } finally {
    await session.close();
  }
}
