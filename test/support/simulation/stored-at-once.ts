/** Which records are on disk before anybody acts on them, whatever the durability. */
import { innermost, type RecordBody } from "../../../runtime/records/records.ts";

/** Whoever is told of one of these, or sees what came of it, can rely on it. */
export function isStoredAtOnce(logged: RecordBody): boolean {
  const record = innermost(logged);
  if (record.kind === "intent") return record.external === true;
  if (record.kind === "control") return record.verb === "pause" || record.verb === "abort";
  return STORED.includes(record.kind);
}

const STORED: readonly RecordBody["kind"][] = ["end", "answer", "edit", "steer", "use", "modify"];
