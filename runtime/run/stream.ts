/** An event stream as an async iterable: buffered, ended when the run stands still. */
import type { Observable } from "rxjs";

/** `shown` picks and turns what is yielded; what it gives `undefined` for is left out. */
export function toAsyncIterable<T>(
  source: Observable<T>,
  end: Promise<void>,
  shown: (value: T) => unknown,
): AsyncIterable<unknown> {
  return { [Symbol.asyncIterator]: () => iterate(source, end, shown) };
}

async function* iterate<T>(
  source: Observable<T>,
  end: Promise<void>,
  shown: (value: T) => unknown,
): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = () => {};
  let ended = false;
  const stop = () => {
    ended = true;
    wake();
  };
  const subscription = source.subscribe((value) => {
    const one = shown(value);
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
