/** Holds a value that changes, and tells it to whoever subscribes. */
import { AsyncLocalStorage } from "node:async_hooks";
import { BehaviorSubject, Observable } from "rxjs";

export class CurrentValue<T> {
  readonly #subject: BehaviorSubject<T>;
  /** The value as it is now, and each later one. A subscriber is called as if from where it subscribed. */
  readonly value$: Observable<T>;

  constructor(value: T) {
    this.#subject = new BehaviorSubject(value);
    this.value$ = new Observable((subscriber) => {
      const inContext = AsyncLocalStorage.snapshot();
      return this.#subject.subscribe((next) => inContext(() => subscriber.next(next)));
    });
  }

  get value(): T {
    return this.#subject.value;
  }

  set value(value: T) {
    this.#subject.next(value);
  }

  /** The value as it is now, then later ones; who is slower than they come gets the last. */
  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let isNew = Promise.withResolvers<void>();
    const subscription = this.#subject.subscribe(() => isNew.resolve());
    try {
      for (;;) {
        await isNew.promise;
        isNew = Promise.withResolvers();
        yield this.value;
      }
    } finally {
      subscription.unsubscribe();
    }
  }
}
