/** `madrigal export RUN --otlp [FILE|URL]`: writes or sends a run as spans of OpenTelemetry. */
import { shortRunId } from "../../../../runtime/index.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CommandCall } from "../../arguments.ts";
import { print, printJson, tell } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";

/** Exits 1 where the receiver took only a part. */
export async function exportSpans(call: CommandCall): Promise<number> {
  const [id = "", to] = call.arguments;
  const session = openRunsToRead();
  try {
    const content = call.flag("content");
    const { runId, spans, rejected, reason, ...rest } = await session.spans.export(id, to, {
      content,
    });
    if (call.flag("json")) {
      const reasonMember = reason === undefined ? {} : { reason };
      printJson({ run_id: runId, to: rest.to, spans, content, rejected, ...reasonMember });
    } else {
      const where = /^https?:/.test(rest.to) ? "went to" : spans === 1 ? "is in" : "are in";
      print(`${shortRunId(runId)}: ${counted(spans, "span")} ${where} ${rest.to}`);
      if (!content) print("without what people, models and tools said; --content adds it");
    }
    if (rejected > 0)
      tell(`the receiver rejected ${rejected} of them${reason === undefined ? "" : `: ${reason}`}`);
    return rejected > 0 ? EXIT.wrong : EXIT.done;
  } finally {
    await session.close();
  }
}
