/** The events of interceptors: what they changed and forbade of a call, a node, a run. */
import type { Interception } from "../intercept/interception.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import type { LogRecord, RunRecord } from "../records/records.ts";
import { INTERCEPTOR } from "../scheduler/flow/intercepted-end.ts";
import type { EventContext } from "./context.ts";
import type { InterceptedEvent } from "./kinds/call-events.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { nodeFactsOf } from "./shared-facts.ts";

type About = Pick<InterceptedEvent, "on" | "name"> & Partial<InterceptedEvent>;

/** Of a call of an attempt: before it with its intent, behind it with its outcome. */
export function callIntercepted(
  record: LogRecord & (IntentRecord | OutcomeRecord),
  context: EventContext,
): EventBody[] {
  const { intercepted = [], effect, name, served } = record;
  const on = effect === "model" || effect === "tool" ? effect : "node";
  const again = served === undefined ? {} : { served };
  const about: About = { ...nodeFactsOf(context, record), on, name, ...again };
  return intercepted.map((one) => interceptedEvent(one, about));
}

/** Of an attempt as a whole: the value of the effect by which interceptors were asked. */
export function nodeIntercepted(
  record: LogRecord & OutcomeRecord,
  context: EventContext,
): EventBody[] {
  const made = (record.value ?? []) as readonly Interception[];
  const again = record.served === undefined ? {} : { served: record.served };
  const facts = nodeFactsOf(context, record);
  return made.map((one) =>
    interceptedEvent(one, { ...facts, on: "node", name: record.node, ...again }),
  );
}

/** Of the input of a run. */
export function inputIntercepted(
  { interception = {} }: RunRecord,
  { graph }: EventContext,
): EventBody[] {
  return (interception.made ?? []).map((one) => interceptedEvent(one, { on: "run", name: graph }));
}

/** Of the output of a run: the results of the calls by which interceptors were asked. */
export function outputIntercepted({ calls = [] }: LogRecord, { graph }: EventContext): EventBody[] {
  const asked = calls.filter(({ name }) => name.startsWith(INTERCEPTOR));
  return asked.flatMap(({ value = [] }) =>
    (value as readonly Interception[]).map((one) =>
      interceptedEvent(one, { on: "run", name: graph }),
    ),
  );
}

function interceptedEvent({ by, when, value, reason }: Interception, about: About): EventBody {
  return {
    kind: "intercepted",
    ...about,
    by,
    when,
    ...(value === undefined ? {} : { changes: value }),
    ...(reason === undefined ? {} : { veto: reason }),
  };
}
