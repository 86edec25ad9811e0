/** L9, from the log alone: what is asked is answered once, by the first or a next one, and what is answered was asked. */
import { pathOf } from "../../../runtime/history/log-path.ts";
import { innermost } from "../../../runtime/records/records.ts";
import { openInterrupts } from "../../../runtime/scheduler/interrupts.ts";
import type { Ran } from "../../support/run-graph.ts";

/** What is wrong with the questions of a run. */
export function questionsHold({ records, snapshot, status }: Ran): string | undefined {
  const open = new Map<string, boolean>();
  const passed = new Map<string, number>();
  for (const record of pathOf(records).map(innermost)) {
    if (record.kind === "interrupt") {
      // One that goes to the next person is open, and says of one more that they did not answer.
      const before = record.passed?.length ?? 0;
      const isNext = before > 0 && passed.get(record.interrupt) === before - 1;
      if (isNext ? open.get(record.interrupt) !== true : open.has(record.interrupt))
        return `${record.interrupt} is asked twice`;
      open.set(record.interrupt, true);
      passed.set(record.interrupt, before);
    }
    if (record.kind !== "answer") continue;
    if (open.get(record.interrupt) !== true) return `${record.interrupt} is answered, not asked`;
    open.set(record.interrupt, false);
  }
  if (status !== "succeeded" || snapshot.open.size > 0) return undefined;
  const left = openInterrupts(snapshot).map(({ question }) => question.interrupt);
  return left.length === 0 ? undefined : `it ends with questions: ${left.join(" ")}`;
}

/** Whether anybody is asked anything. */
export function hasQuestions({ records }: Ran): boolean {
  return records.some((record) => innermost(record).kind === "interrupt");
}
