/** The events of sentinels, out of what their records say. */

import type { JudgedCondition } from "../records/directions.ts";
import type { AttemptRecord, CommitRecord, LogRecord, StartRecord } from "../records/records.ts";
import type { EventContext } from "./context.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { nodeFactsOf, startFactsOf } from "./shared-facts.ts";

export function sentinelStarted(
  record: LogRecord & StartRecord,
  context: EventContext,
): readonly EventBody[] {
  if (record.round !== 1 || record.attempt !== 1) return [];
  return [{ kind: "sentinel.started", ...startFactsOf(context, record, record.attempt) }];
}

export function sentinelChecked(
  record: LogRecord & CommitRecord,
  context: EventContext,
): readonly EventBody[] {
  const { check, step, at } = record;
  if (check === undefined) return [];
  const { number, of, condition, met, reason, errors, since, next } = check;
  const facts = nodeFactsOf(context, record);
  const sinceStartMs = at - since;
  const checked: EventBody = {
    kind: "sentinel.checked",
    ...facts,
    step,
    check: number,
    met,
    errors,
    sinceStartMs,
    ...(of === undefined ? {} : { of }),
    ...(condition === undefined ? {} : { condition }),
    ...(reason === undefined ? {} : { reason }),
  };
  if (next === undefined) {
    const ended = { checks: number, reason: endOf(check), sinceStartMs };
    return [checked, { kind: "sentinel.finished", ...facts, ...ended }];
  }
  const { sleepReason } = check;
  const sleeping: EventBody = {
    kind: "sentinel.sleeping",
    ...facts,
    check: number,
    until: next,
    sleepMs: Math.max(0, next - at),
    ...(sleepReason === undefined ? {} : { reason: sleepReason }),
  };
  return [checked, sleeping];
}

export function sentinelFailed(
  record: LogRecord & AttemptRecord,
  context: EventContext,
): readonly EventBody[] {
  const { next, errors = 0, failure, notBefore = record.at, at } = record;
  const start = context.memory.starts.get(record.id);
  const { round } = start ?? {};
  if (round === undefined) return [];
  const facts = nodeFactsOf(context, record);
  if (next === "again") {
    return [
      { kind: "sentinel.failed", ...facts, check: round, errors, failure },
      {
        kind: "sentinel.sleeping",
        ...facts,
        check: round,
        until: notBefore,
        sleepMs: Math.max(0, notBefore - at),
      },
    ];
  }
  if (next === "retry" || next === "repair") return [];
  const sinceStartMs = at - (start?.at ?? at);
  return [{ kind: "sentinel.finished", ...facts, checks: round, reason: "errors", sinceStartMs }];
}

/** Returns the reason why no round follows: the condition is met, all rounds are done, or the maximum is reached. */
function endOf({ met, of, limited }: JudgedCondition): "met" | "times" | "max" {
  if (limited === true) return "max";
  return met && of === undefined ? "met" : "times";
}
