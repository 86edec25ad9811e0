/** Reads values that come one after another, in their own time: from an AsyncIterable or an Observable. */

/** Returns whether a value is an AsyncIterable or an Observable. */
export function isStreamSource(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Symbol.asyncIterator in value || isObservable(value);
}

function isObservable(value: object): boolean {
  return "subscribe" in value && typeof value.subscribe === "function";
}

/** Number of values of an Observable that may wait to be read, unless a caller asks for another. */
export const BUFFERED_MAX = 1000;

/** Thrown when more values of an Observable wait to be read than may. */
export class Overflow extends Error {}

interface Subscribable {
  subscribe(observer: {
    next(value: unknown): void;
    error(error: unknown): void;
    complete(): void;
  }): { unsubscribe(): void };
}

/**
 * Returns an iterator over a source, or over a list. Throws `TypeError` for anything else. `next` rejects with `Overflow` when
 * more than `bufferedMax` values of an Observable wait to be read.
 */
export function iteratorOf(source: unknown, bufferedMax = BUFFERED_MAX): AsyncIterator<unknown> {
  if (typeof source === "object" && source !== null) {
    if (Symbol.asyncIterator in source)
      return (source as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    if ("subscribe" in source) return iterate(source as Subscribable, bufferedMax);
  }
  // A source that continues after an item may also give the rest as a list.
  if (Array.isArray(source)) return listed(source);
  throw new TypeError("it is no AsyncIterable and no Observable any more");
}

async function* listed(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items;
}

/** Keeps the values that an Observable emits before they are read, since an Observable can't be told to wait. */
function iterate(source: Subscribable, bufferedMax: number): AsyncIterator<unknown> {
  const kept: unknown[] = [];
  let end: { readonly error?: unknown } | undefined;
  let asked: PromiseWithResolvers<void> | undefined;
  const wake = () => asked?.resolve();
  const subscription = source.subscribe({
    next: (value) => {
      if (end !== undefined) return;
      if (kept.length < bufferedMax) kept.push(value);
      else end = { error: new Overflow() };
      wake();
    },
    error: (error) => {
      end ??= { error };
      wake();
    },
    complete: () => {
      end ??= {};
      wake();
    },
  });
  return {
    next: async () => {
      if (kept.length === 0 && end === undefined) {
        asked = Promise.withResolvers();
        await asked.promise;
        asked = undefined;
      }
      if (kept.length > 0 && !(end?.error instanceof Overflow)) {
        return { done: false, value: kept.shift() };
      }
      if (end !== undefined && "error" in end) throw end.error;
      return { done: true, value: undefined };
    },
    return: async () => {
      end ??= {};
      subscription.unsubscribe();
      wake();
      return { done: true, value: undefined };
    },
  };
}
