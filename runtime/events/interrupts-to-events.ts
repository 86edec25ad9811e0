/** Questions and their answers, as events. */

import { factsOf } from "../interrupt.ts";
import type {
  AnswerRecord,
  InterruptRecord,
  LogRecord,
  OpinionRecord,
} from "../records/records.ts";
import type { EventContext } from "./context.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { startFactsOf } from "./shared-facts.ts";

export function ofInterrupt(record: LogRecord & InterruptRecord, context: EventContext): EventBody {
  const { seq: span, interrupt, ask, question } = record;
  return {
    kind: "interrupt.opened",
    ...startFactsOf(context, record, record.attempt),
    span,
    interrupt,
    ask,
    question,
    ...factsOf(record),
  };
}

export function ofAnswer(record: LogRecord & AnswerRecord, context: EventContext): EventBody[] {
  const { interrupt, answer, from, by, usage, attempt, at } = record;
  const asked = context.memory.interrupts.get(interrupt);
  // Only a log that lost its question comes here.
  if (asked === undefined) return [];
  const { ask, question, seq: span } = asked;
  return [
    {
      kind: "interrupt.answered",
      ...startFactsOf(context, asked, attempt),
      span,
      interrupt,
      ask,
      question,
      answer,
      from,
      durationMs: at - asked.at,
      ...(by === undefined ? {} : { by }),
      ...(usage === undefined ? {} : { usage }),
    },
  ];
}

export function ofOpinion(
  { interrupt, by, reason, usage, attempt }: OpinionRecord,
  context: EventContext,
): EventBody[] {
  const asked = context.memory.interrupts.get(interrupt);
  if (asked === undefined) return [];
  return [
    {
      kind: "interrupt.left",
      ...startFactsOf(context, asked, attempt),
      interrupt,
      ask: asked.ask,
      by,
      ...(reason === undefined ? {} : { reason }),
      ...(usage === undefined ? {} : { usage }),
    },
  ];
}
