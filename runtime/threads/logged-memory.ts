/** Restores from the log of a run what the attempts of its agents remembered when they called their models. */
import type { LoggedMemory } from "../agents/models/cassette/from-log.ts";
import { Journal } from "../history/journal.ts";
import type { ConversationMessage } from "../messages/message.ts";
import type { IntentRecord } from "../records/call-records.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { type Located, locate } from "../scheduler/called-snapshots.ts";
import { applyRecord } from "../scheduler/fold.ts";
import { keptView } from "../scheduler/frames.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot } from "../scheduler/snapshot/snapshot.ts";
import { plain } from "../state/persistent.ts";
import { talksBefore } from "./thread-talks.ts";

/** The memory behind each model call that shows earlier conversations. */
export function memoriesIn(
  program: Program,
  records: readonly LogRecord[],
  earlier: () => readonly (readonly LogRecord[])[],
): ReadonlyMap<IntentRecord, LoggedMemory> {
  const found = new Map<IntentRecord, LoggedMemory>();
  const journal = Journal.of(records);
  let snapshot = emptySnapshot();
  for (const record of records) {
    snapshot = applyRecord(program, snapshot, record, record.at);
    const intent = innermost(record);
    if (intent.kind !== "intent" || !showsHistory(intent)) continue;
    const located = locate(program, snapshot, intent.id);
    const node = located?.program.nodes[located.run.node]?.ir;
    if (located === undefined || node === undefined) continue;
    const talks = talksBefore({ journal, earlier }, located);
    const session = journal.session(intent.id, 0, intent.attempt + 1);
    const conversation = conversationOf(located, node.history?.field?.name);
    found.set(intent, { node, talks, session, ...conversation });
  }
  return found;
}

function conversationOf({ program, snapshot, run }: Located, field: string | undefined) {
  if (field === undefined) return {};
  const kept = keptView(snapshot, run.frame, program.fieldNumbers.get(field) ?? -1);
  return { conversation: (plain(kept) ?? []) as readonly ConversationMessage[] };
}

function showsHistory({ effect, request }: IntentRecord): boolean {
  return effect === "model" && typeof request === "object" && "history" in Object(request);
}
