/** Lists the messages between the nodes of a run. */
import { type Envelope, envelopeOf } from "../envelope.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { pathOf } from "./log-path.ts";

/** The messages that were sent so far, without those that rewinds undid. */
export function messagesIn(
  records: readonly LogRecord[],
  run: { readonly runId: string; readonly threadId: string },
): readonly Envelope[] {
  const commits = pathOf(records).flatMap((of) => {
    const record = innermost(of);
    return record.kind === "commit" ? (record.messages ?? []) : [];
  });
  return commits.map((message) => envelopeOf(message, run));
}
