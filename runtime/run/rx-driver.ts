/** The driver that runs things: each start is an Observable of that one attempt, cancelled by unsubscribing. */
import type { Subscription } from "rxjs";
// The package's own door reads two hundred files more.
import { Observable } from "rxjs/internal/Observable";
import { Cancellation } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Start } from "../scheduler/consequences.ts";
import type { Driver, DriverHost } from "./driver.ts";

export function createRxDriver(host: DriverHost, clock: Clock): Driver {
  /** Attempts that have not ended, by node run: no operator between them, as each of those costs as much as a small step. */
  const attempts = new Map<number, Subscription>();
  const underWay = new Map<Cancellation, number>();
  /** Called when the last of them has ended. */
  let idle: (() => void) | undefined;
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
      const cancellation = new Cancellation();
      let isOver = false;
      const ended = (completion: Completion | undefined) => {
        isOver = true;
        underWay.delete(cancellation);
        // One that never began has no deadline; the node run's next start may have one by now.
        if (completion !== undefined && !subscriber.closed) {
          forget(start.id);
          subscriber.next(completion);
        }
        subscriber.complete();
        if (underWay.size === 0) idle?.();
      };
      underWay.set(cancellation, start.id);
      host.perform(start, { cancellation, ended });
      // What has ended has nothing to call off.
      return () => isOver || cancellation.cancel();
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
    if (underWay.size > 0) await inGrace(clock, (ended) => (idle = ended));
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

function inGrace(clock: Clock, wait: (ended: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const takeBack = clock.after(GRACE_MS, resolve);
    wait(() => {
      takeBack();
      resolve();
    });
  });
}
