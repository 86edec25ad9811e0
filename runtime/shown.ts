/** What people are shown of a run: without what is private in it, and without what looks like a secret. */
import type { Ir } from "../dsl/index.ts";
import type { RunEvent } from "./events.ts";
import { PrivateValues } from "./private-values.ts";
import { redactForTrace } from "./redact.ts";

/** A run, as far as it says what is private in it. */
export interface Showing {
  readonly ir: Ir;
  readonly state: unknown;
}

/** A value of the run for people: its state, its output, what it asks. `await run.output` itself is exact. */
export function shownValue<T>(value: T, { ir, state }: Showing): T {
  const hidden = PrivateValues.of(ir);
  if (hidden === undefined) return redactForTrace(value) as T;
  hidden.learn(state);
  hidden.learn(value);
  // The same shape with other texts in it.
  return redactForTrace(hidden.hide(value)) as T;
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
