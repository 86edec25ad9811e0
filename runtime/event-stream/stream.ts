/** Turns the events of a run into what its streams show, as an Observable and as an async iterable. */
import { filter, map, type Observable, type OperatorFunction, pipe } from "rxjs";
import type { ModelStep } from "../agents/models/model-step.ts";
import type { EventBase, NodeFacts } from "../events/kinds/event-base.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import { isTransient } from "../events/transient.ts";
import type { RunStep } from "../history/step.ts";
import type { StreamMessage, StreamMode, Streams, StreamUpdate } from "./stream-types.ts";

/** Shows an event as a mode does; undefined for an event that the mode leaves out. */
export type Show<M extends StreamMode> = (
  event: RunEvent,
  step: () => RunStep | undefined,
) => Streams[M] | undefined;

export const shows: { readonly [M in StreamMode]: Show<M> } = {
  values: (_, step) => step()?.state,
  updates: (event) => (event.kind === "commit" ? updateOf(event) : undefined),
  messages: messageOf,
  events: (event) => (isTransient(event) ? undefined : event),
  debug: (event) => event,
};

function updateOf(event: RunEvent & { readonly kind: "commit" }): StreamUpdate {
  const { step, output, patches } = event;
  return {
    step,
    ...speaker(event),
    ...(output === undefined ? {} : { output }),
    patches,
  };
}

function messageOf(event: RunEvent): StreamMessage | undefined {
  if (event.kind === "model.delta") return { kind: "delta", ...speaker(event), text: event.text };
  if (event.kind === "controller.event") return saidByAgent(event);
  // Calls of judges and summaries are no part of a conversation.
  if (event.kind !== "model.response" || event.purpose !== undefined) return undefined;
  const { model, value } = event;
  if (value === undefined) return undefined;
  const { text, toolCalls } = value as ModelStep;
  const calls = toolCalls.map(({ name, input }) => ({ tool: name, input }));
  return { kind: "message", ...speaker(event), model, text, calls };
}

/** A strong agent's own words; its tools are events like any other. */
function saidByAgent(
  event: RunEvent & { readonly kind: "controller.event" },
): StreamMessage | undefined {
  const { event: controllerEvent, controller: model } = event;
  if (controllerEvent.kind !== "message_completed") return undefined;
  return { kind: "message", ...speaker(event), model, text: controllerEvent.text, calls: [] };
}

function speaker({ node, label, nodeRunId, attempt, path }: NodeFacts & Pick<EventBase, "path">) {
  const where = path === undefined ? {} : { path };
  return { node, label, nodeRunId, attempt, ...where };
}

/** Maps each value, and leaves out those for which `show` gives undefined. */
export function mapDefined<T, R>(show: (value: T) => R | undefined): OperatorFunction<T, R> {
  return pipe(
    map(show),
    filter((shown) => shown !== undefined),
  );
}

/** Yields what the source gives until `end` settles; values that wait to be read are kept. Rejects as `end` does. */
export function toAsyncIterable<T>(source: Observable<T>, end: Promise<void>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => iterate(source, end) };
}

async function* iterate<T>(source: Observable<T>, end: Promise<void>): AsyncGenerator<T> {
  const waiting: T[] = [];
  let wake = () => {};
  let ended = false;
  const stop = () => {
    ended = true;
    wake();
  };
  const subscription = source.subscribe((value) => {
    waiting.push(value);
    wake();
  });
  end.then(stop, stop);
  try {
    for (;;) {
      while (waiting.length > 0) yield* waiting.splice(0);
      if (ended) break;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
    await end;
  } finally {
    subscription.unsubscribe();
  }
}

/** A promise whose rejection nobody need handle: the status and the events say the same. */
export function unwatched<T>() {
  const promise = Promise.withResolvers<T>();
  promise.promise.catch(() => {});
  return promise;
}
