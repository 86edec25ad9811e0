/** Events on their way to whoever listens: as an async iterable, buffered, ended when the run stands still. */
import { type Observable, ReplaySubject } from "rxjs";
import type { RunEvent } from "../events.ts";
import type { StreamMode } from "./handle.ts";
import type { RunStep } from "./step.ts";

/** What a mode shows of an event. */
export function shown(event: RunEvent, mode: StreamMode, step: () => RunStep | undefined): unknown {
  switch (mode) {
    case "events":
      return event.kind === "model.delta" ? undefined : event;
    case "debug":
      return event;
    case "messages":
      return event.kind === "model.delta" ? event : undefined;
    case "updates":
      return event.kind === "commit" ? updateOf(event) : undefined;
    case "values":
      return step()?.state;
  }
}

/** What a step changed; in a called graph also where that is. */
function updateOf({ node, patches, path }: RunEvent & { readonly kind: "commit" }) {
  return path === undefined ? { node, patches } : { node, patches, path };
}

/** `pick` picks and turns what is yielded; what it gives `undefined` for is left out. */
export function toAsyncIterable<T>(
  source: Observable<T>,
  end: Promise<void>,
  pick: (value: T) => unknown,
): AsyncIterable<unknown> {
  return { [Symbol.asyncIterator]: () => iterate(source, end, pick) };
}

async function* iterate<T>(
  source: Observable<T>,
  end: Promise<void>,
  pick: (value: T) => unknown,
): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
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
      while (waiting.length > 0) yield waiting.shift();
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

/** The same events again, with more to come. */
export function continued<T>(events: ReplaySubject<T>): ReplaySubject<T> {
  const more = new ReplaySubject<T>();
  events.subscribe((event) => more.next(event));
  return more;
}
