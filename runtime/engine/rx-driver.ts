/**
 * Executes the scheduler's starts and timers. Each attempt is an Observable of its completion: delayed until it is due,
 * performed when it is subscribed to, cancelled when it is unsubscribed from. A deadline is an Observable of the same kind.
 */
import {
  filter,
  firstValueFrom,
  map,
  mergeMap,
  Observable,
  of,
  race,
  Subject,
  type Subscription,
} from "rxjs";
import { Cancellation } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { Start } from "../scheduler/advance.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Driver, DriverHost } from "./driver.ts";

export function createRxDriver(host: DriverHost, clock: Clock): Driver {
  /** The attempts under way, by node run: each has one at a time. */
  const attempts: Subscriptions<number> = new Map();
  const deadlines: Subscriptions<number | string> = new Map();
  /** The timers of the deadlines, by the same keys. */
  const timers = new Map<number | string, Timer>();
  /** Node runs by the attempts of theirs that have begun and not ended, cancelled ones among them. */
  const inFlight = new Map<Cancellation, number>();
  const ended$ = new Subject<void>();
  let isStopped = false;

  /** Subscribes the one observer of all attempts and deadlines, in place of an earlier one of the same key. */
  function subscribe<K>(subscriptions: Subscriptions<K>, key: K, work$: Observable<Completion>) {
    if (isStopped) return;
    subscriptions.get(key)?.unsubscribe();
    // One subscription for each, not `mergeMap` over all of them: that costs each attempt three subscribers more.
    subscriptions.set(key, work$.subscribe(observer));
  }

  const observer = { next: host.post, error: host.broken };

  function attempt(start: Start): Observable<Completion> {
    const { notBefore } = start;
    if (notBefore === undefined || notBefore <= clock.now()) return perform(start);
    return after(notBefore - clock.now(), clock).pipe(mergeMap(() => perform(start)));
  }

  function perform(start: Start): Observable<Completion> {
    return new Observable((subscriber) => {
      const cancellation = new Cancellation();
      inFlight.set(cancellation, start.id);
      const ended = (completion: Completion | undefined) => {
        inFlight.delete(cancellation);
        // Without a completion, the scheduler had no use for the attempt any more.
        if (completion !== undefined && !subscriber.closed) {
          attempts.delete(start.id);
          drop(start.id);
          subscriber.next(completion);
        }
        subscriber.complete();
        ended$.next();
      };
      try {
        host.perform(start, { cancellation, ended });
      } catch (error) {
        inFlight.delete(cancellation);
        throw error;
      }
      return () => {
        if (inFlight.has(cancellation)) cancellation.cancel();
      };
    });
  }

  function keep(timer: Timer, options?: { readonly background: boolean }): void {
    const key = keyOf(timer);
    timers.set(key, timer);
    subscribe(deadlines, key, deadline(timer, options));
  }

  function deadline(
    timer: Timer,
    options?: { readonly background: boolean },
  ): Observable<Completion> {
    const delayMs = timer.due - clock.now();
    // Posted at once, an overdue deadline comes before the run gives up waiting: a timer of 0 ms came before it or after.
    const due$ = delayMs > 0 ? after(delayMs, clock, options) : of(undefined);
    return due$.pipe(map(() => ({ kind: "timer", timer, at: clock.now() })));
  }

  function cancel(id: number): void {
    drop(id);
    drop(calledBy(id));
    cancelOne(attempts, id);
  }

  function drop(key: number | string): void {
    timers.delete(key);
    cancelOne(deadlines, key);
  }

  function release(): void {
    for (const [key, timer] of timers)
      if (deadlines.get(key)?.closed === false) keep(timer, { background: true });
  }

  async function stop(): Promise<readonly string[]> {
    isStopped = true;
    for (const subscription of [...deadlines.values(), ...attempts.values()]) {
      subscription.unsubscribe();
    }
    if (inFlight.size > 0) {
      const allEnded$ = ended$.pipe(filter(() => inFlight.size === 0));
      await firstValueFrom(race(allEnded$, after(GRACE_MS, clock)));
    }
    return [...inFlight.values()].map((id) => host.label(id));
  }

  return {
    start: (start) => subscribe(attempts, start.id, attempt(start)),
    keep,
    release,
    cancel,
    stop,
  };
}

/** The time, in milliseconds, that a cancelled attempt has to end before the run continues without it. */
const GRACE_MS = 2000;

/** Emits once after `ms` milliseconds of a clock that tests may advance by hand. */
function after(
  ms: number,
  clock: Clock,
  options?: { readonly background: boolean },
): Observable<void> {
  return new Observable((subscriber) =>
    clock.after(
      ms,
      () => {
        subscriber.next();
        subscriber.complete();
      },
      options,
    ),
  );
}

type Subscriptions<K> = Map<K, Subscription>;

function cancelOne<K>(subscriptions: Subscriptions<K>, key: K): void {
  const subscription = subscriptions.get(key);
  if (subscription === undefined) return;
  subscriptions.delete(key);
  subscription.unsubscribe();
}

/** The key of a deadline: of the run, of a node run, of what a node run calls, or of one question of these. */
function keyOf({ id = RUN, sub, interrupt }: Timer): number | string {
  const owner = sub === undefined ? id : calledBy(sub);
  // Graphs that one graph calls may ask questions of one name.
  return interrupt === undefined ? owner : `${owner} ${interrupt}`;
}

/** The key of the run's own deadline. */
const RUN = -1;

/** The key of the deadline of what a node run calls. */
function calledBy(id: number): number {
  return -2 - id;
}
