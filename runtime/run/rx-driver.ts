/** The driver that runs things: each start is an Observable of that one attempt, cancelled by unsubscribing. */
import { Observable, type Subscription } from "rxjs";
import type { Clock } from "../clock.ts";
import type { Start } from "../scheduler/advance.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Driver, DriverHost } from "./driver.ts";

export function createRxDriver(host: DriverHost, clock: Clock): Driver {
  /** Attempts that have not ended, by node run: no operator between them, as each of those costs as much as a small step. */
  const attempts = new Map<number, Subscription>();
  const underWay = new Map<Promise<unknown>, number>();
  const deadlines = new Map<number | string, () => void>();
  let isStopped = false;

  function start(one: Start): void {
    if (isStopped) return;
    // A node run has one attempt at a time: what may still be due of the last one is called off.
    attempts.get(one.id)?.unsubscribe();
    const subscription = attempt$(one).subscribe({
      next: (completion) => host.post(completion),
      complete: () => attempts.delete(one.id),
    });
    if (!subscription.closed) attempts.set(one.id, subscription);
  }

  function attempt$(start: Start): Observable<Completion> {
    const { notBefore } = start;
    if (notBefore === undefined || notBefore <= clock.now()) return perform$(start);
    return new Observable((subscriber) => {
      let work: Subscription | undefined;
      const begin = () => {
        work = perform$(start).subscribe(subscriber);
      };
      const takeBack = clock.after(notBefore - clock.now(), begin);
      return () => {
        takeBack();
        work?.unsubscribe();
      };
    });
  }

  function perform$(start: Start): Observable<Completion> {
    return new Observable((subscriber) => {
      const controller = new AbortController();
      let isOver = false;
      const work = host.perform(start, controller.signal).then((completion) => {
        underWay.delete(work);
        isOver = true;
        // One that never began has no deadline; the node run's next start may have one by now.
        if (completion !== undefined && !subscriber.closed) {
          forget(start.id);
          subscriber.next(completion);
        }
        subscriber.complete();
      });
      underWay.set(work, start.id);
      // What has ended has nothing to call off, and the error that an abort makes takes longer than a small step.
      return () => isOver || controller.abort();
    });
  }

  function keep(timer: Timer): void {
    const { id = RUN, sub, interrupt, due } = timer;
    const key = interrupt ?? (sub === undefined ? id : calledBy(sub));
    deadlines.get(key)?.();
    const call = () => host.post({ kind: "timer", timer, at: clock.now() });
    deadlines.set(key, clock.after(due - clock.now(), call));
  }

  function forget(key: number): void {
    deadlines.get(key)?.();
    deadlines.delete(key);
  }

  function cancel(id: number): void {
    forget(id);
    forget(calledBy(id));
    attempts.get(id)?.unsubscribe();
    attempts.delete(id);
  }

  async function stop(): Promise<readonly string[]> {
    for (const takeBack of deadlines.values()) takeBack();
    deadlines.clear();
    isStopped = true;
    for (const attempt of attempts.values()) attempt.unsubscribe();
    attempts.clear();
    const ended = Promise.allSettled(underWay.keys()).then(() => {});
    await Promise.race([ended, grace(clock, ended)]);
    return [...underWay.values()].map((id) => host.label(id));
  }

  return { start, cancel, keep, stop };
}

/** The key of the run's own deadline. */
const RUN = -1;

/** The key of the deadline of what a node run calls. */
function calledBy(id: number): number {
  return -2 - id;
}

/** How long a cancelled attempt may take to end before the run goes on without it. */
const GRACE_MS = 2000;

function grace(clock: Clock, ended: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const takeBack = clock.after(GRACE_MS, resolve);
    void ended.then(takeBack);
  });
}
