/** Words a question of a run for whoever answers it from another program. */
import { type Interrupt, type Run, type RunEvent, redaction } from "../runtime/index.ts";

/** The question without what is private. */
export function shownQuestion(question: Interrupt, run: Run): Interrupt {
  return redaction.shownValue(question, run) as Interrupt;
}

/** The question with what it is about. */
export function messageFor(question: Interrupt): string {
  const shown = question.shown === undefined ? "" : `\n${JSON.stringify(question.shown, null, 2)}`;
  return `${question.question}${shown}`;
}

/** Tells whether an event is of an answer that was given by these means, also of one of several persons. */
export function isAnsweredBy(event: RunEvent, by: string): boolean {
  if (event.kind === "interrupt.opened")
    return [...(event.agreed ?? []), ...(event.declined ?? [])].some((one) => one.by === by);
  return event.kind === "interrupt.answered" && event.by === by;
}
