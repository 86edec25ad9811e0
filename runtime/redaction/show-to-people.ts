/** Hides private values and likely secrets in what people are shown of a run. */
import type { Ir } from "../../dsl/index.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { PrivateValues } from "./private-values.ts";
import { redactForTrace } from "./redact.ts";

/** A run, as far as it says what is private in it. */
export interface Showing {
  readonly ir: Ir;
  readonly state: unknown;
  /** The input, the steps and the edits of the run: their private parts may be shown although the state no longer has them. */
  readonly position?: {
    readonly snapshot: { readonly input: unknown };
    readonly records?: readonly LogRecord[];
  };
  readonly steps?: readonly { readonly patches: unknown }[];
}

/** The known private values of a run, kept so that its steps are searched once. */
interface KnownSecrets {
  readonly hidden: PrivateValues | undefined;
  steps: number;
  records: number;
}

const known = new WeakMap<Showing, KnownSecrets>();

function hiddenOf(run: Showing): PrivateValues | undefined {
  const of = known.get(run) ?? { hidden: PrivateValues.of(run.ir), steps: 0, records: 0 };
  known.set(run, of);
  const { hidden } = of;
  if (hidden === undefined) return undefined;
  const { state, position, steps = [] } = run;
  hidden.learn(state);
  hidden.learn(position?.snapshot.input);
  // A rewind takes steps away.
  const from = steps.length < of.steps ? 0 : of.steps;
  for (const { patches } of steps.slice(from)) hidden.learn(patches);
  of.steps = steps.length;
  const records = position?.records ?? [];
  for (const record of records.slice(of.records).map(innermost))
    if (record.kind === "edit") hidden.learn(record.values);
  of.records = records.length;
  return hidden;
}

/** A value of the run for people: its state, its output, what it asks. `await run.output` itself is exact. */
export function shownValue<T>(value: T, run: Showing): T {
  const hidden = hiddenOf(run);
  if (hidden === undefined) return redactForTrace(value) as T;
  hidden.learn(value);
  // The same shape with other texts in it.
  return redactForTrace(hidden.hide(value)) as T;
}

/** Returns a node's output as text: a mark where it is private, whatever else it contains. */
export function shownOutput(text: string, node: string | undefined, run: Showing): string {
  return hiddenOf(run)?.wholeOf(node, text) ?? shownValue(text, run);
}

/** Hides in the events of one run what is private or looks like a secret. */
export interface EventShower {
  /** To be told each event, in their order. */
  learn(event: RunEvent): void;
  show<E extends RunEvent>(event: E): E;
}

export function eventShower(ir: Ir): EventShower {
  const hidden = PrivateValues.of(ir);
  return {
    learn: (event) => hidden?.learnEvent(event),
    show: (event) => redactForTrace(hidden?.hideEvent(event) ?? event) as typeof event,
  };
}
