/** The driver that runs things: each start is an Observable of that one attempt, cancelled by unsubscribing. */
import {
  catchError,
  EMPTY,
  filter,
  mergeMap,
  Observable,
  Subject,
  switchMap,
  takeUntil,
} from "rxjs";
import type { Clock } from "../clock.ts";
import type { Start } from "../scheduler/advance.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Driver, DriverHost } from "./driver.ts";

export function createRxDriver(host: DriverHost, clock: Clock): Driver {
  const starts$ = new Subject<Start>();
  const cancelled$ = new Subject<number>();
  const stopped$ = new Subject<void>();
  const underWay = new Map<Promise<unknown>, number>();
  const deadlines = new Map<number, () => void>();

  const completions$ = starts$.pipe(
    mergeMap((start) =>
      attempt$(start).pipe(takeUntil(cancelled$.pipe(filter((id) => id === start.id)))),
    ),
    takeUntil(stopped$),
  );
  completions$.subscribe((completion) => host.post(completion));

  function attempt$(start: Start): Observable<Completion> {
    return until$(clock, start.notBefore).pipe(
      switchMap(() => perform$(start)),
      catchError(() => EMPTY),
    );
  }

  function perform$(start: Start): Observable<Completion> {
    return new Observable((subscriber) => {
      const controller = new AbortController();
      let isOver = false;
      const work = host.perform(start, controller.signal).then((completion) => {
        underWay.delete(work);
        isOver = true;
        // One that never began has no deadline; the node run's next start may have one by now.
        if (completion !== undefined) {
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

  function keep({ id = RUN, due }: Timer): void {
    deadlines.get(id)?.();
    const timer = { due, ...(id === RUN ? {} : { id }) };
    const call = () => host.post({ kind: "timer", timer, at: clock.now() });
    deadlines.set(id, clock.after(due - clock.now(), call));
  }

  function forget(id: number): void {
    deadlines.get(id)?.();
    deadlines.delete(id);
  }

  function cancel(id: number): void {
    forget(id);
    cancelled$.next(id);
  }

  async function stop(): Promise<readonly string[]> {
    for (const takeBack of deadlines.values()) takeBack();
    deadlines.clear();
    stopped$.next();
    const ended = Promise.allSettled(underWay.keys()).then(() => {});
    await Promise.race([ended, grace(clock, ended)]);
    return [...underWay.values()].map((id) => host.label(id));
  }

  return { start: (start) => starts$.next(start), cancel, keep, stop };
}

/** The key of the run's own deadline. */
const RUN = -1;

/** How long a cancelled attempt may take to end before the run goes on without it. */
const GRACE_MS = 2000;

function grace(clock: Clock, ended: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const takeBack = clock.after(GRACE_MS, resolve);
    void ended.then(takeBack);
  });
}

/** Emits once, when `due` is reached. */
function until$(clock: Clock, due: number | undefined): Observable<void> {
  return new Observable((subscriber) => {
    const go = () => {
      subscriber.next();
      // The attempt goes on behind this value; unsubscribing cancels it.
      subscriber.complete();
    };
    if (due === undefined || due <= clock.now()) {
      go();
      return () => {};
    }
    return clock.after(due - clock.now(), go);
  });
}
