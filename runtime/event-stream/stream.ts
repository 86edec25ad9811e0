/** Events on their way to whoever listens: as an async iterable, buffered, ended when the run stands still. */
import type { Observable } from "rxjs";
import type { ModelStep } from "../agents/models/model-step.ts";
import type { EventBase, NodeFacts } from "../events/kinds/event-base.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import type { RunStep } from "../history/step.ts";
import type { StreamMessage, StreamMode, Streams, StreamUpdate } from "./stream-types.ts";

/** What a mode shows of an event, if anything. */
export type Show<M extends StreamMode> = (
  event: RunEvent,
  step: () => RunStep | undefined,
) => Streams[M] | undefined;

export const shows: { readonly [M in StreamMode]: Show<M> } = {
  values: (_, step) => step()?.state,
  updates: (event) => (event.kind === "commit" ? updateOf(event) : undefined),
  messages: messageOf,
  events: (event) => (event.kind === "model.delta" ? undefined : event),
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
  // What judges say, and summaries, is no part of a conversation.
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
  const { event: heard, controller: model } = event;
  if (heard.kind !== "message_completed") return undefined;
  return { kind: "message", ...speaker(event), model, text: heard.text, calls: [] };
}

function speaker({ node, label, nodeRunId, attempt, path }: NodeFacts & Pick<EventBase, "path">) {
  const where = path === undefined ? {} : { path };
  return { node, label, nodeRunId, attempt, ...where };
}

/** `pick` picks and turns what is yielded; what it gives `undefined` for is left out. */
export function toAsyncIterable<T, R>(
  source: Observable<T>,
  end: Promise<void>,
  pick: (value: T) => R | undefined,
): AsyncIterable<R> {
  return { [Symbol.asyncIterator]: () => iterate(source, end, pick) };
}

async function* iterate<T, R>(
  source: Observable<T>,
  end: Promise<void>,
  pick: (value: T) => R | undefined,
): AsyncGenerator<R> {
  const waiting: R[] = [];
  let wake = () => {};
  let ended = false;
  const stop = () => {
    ended = true;
    wake();
  };
  const subscription = source.subscribe((value) => {
    const one = pick(value);
    if (one === undefined) return;
    waiting.push(one);
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

/** A promise that nobody need wait for: the status and the events say the same. */
export function unwatched<T>() {
  const promise = Promise.withResolvers<T>();
  promise.promise.catch(() => {});
  return promise;
}
