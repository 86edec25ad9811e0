/** Keeps with a record what ended its attempt, so that a replay can ask the scheduler the same question again. */

import { directionsOf, type EndedBy } from "../records/directions.ts";
import type { RecordBody } from "../records/records.ts";
import type { Completion } from "./completion.ts";

/** The record of an attempt that had not failed by itself, or of what is asked, with what it came of; any other record as it is. */
export function withCause(record: RecordBody, completion: Completion): RecordBody {
  if (record.kind === "sub") return { ...record, record: withCause(record.record, completion) };
  const isDecided = record.kind === "commit" && completion.kind === "started";
  if (record.kind !== "attempt" && record.kind !== "interrupt" && !isDecided) return record;
  const ended = endedBy(record, completion);
  return ended === undefined ? record : { ...record, ended };
}

function endedBy(record: RecordBody, completion: Completion): EndedBy | undefined {
  switch (completion.kind) {
    case "intent":
      return { by: "call", effect: completion.effect };
    case "succeeded":
      return { by: "output", output: completion.output, ...directionsOf(completion) };
    case "started":
      return { by: "start" };
    case "timer":
      return { by: "time" };
    case "failed":
      return record.kind === "interrupt"
        ? { by: "failure", failure: completion.failure }
        : undefined;
    default:
      return undefined;
  }
}
