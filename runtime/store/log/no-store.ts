/** Implements a log that stores nothing, for runs with `store: "none"`. */
import type { LogRecord } from "../../records/records.ts";
import type { RunLog } from "../run-store.ts";

/** A log that keeps nothing: whatever it is given counts as stored at once. It ends with whoever holds its run. */
export function noLog(runId: string, lastSeq = -1): RunLog {
  let last = lastSeq;
  const kept = () => Promise.resolve();
  return {
    runId,
    get flushedSeq() {
      return last;
    },
    append: ({ seq }: LogRecord) => {
      last = seq;
    },
    flush: kept,
    close: kept,
  };
}
