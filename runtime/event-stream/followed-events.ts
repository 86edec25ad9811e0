/** Makes the events of a run that lives elsewhere an Observable, as those of a run of this process are. */
import { Observable } from "rxjs";
import type { RunEvent } from "../events/kinds/run-event.ts";

/** Tells each event to `next`, and resolves when the run is over; rejects where it can't be followed. */
export type FollowEvents = (to: {
  readonly next: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}) => Promise<void>;

/** Each subscriber is told all events, and ends its own following when it leaves. */
export function followedEvents(follow: FollowEvents): Observable<RunEvent> {
  return new Observable((subscriber) => {
    const leaving = new AbortController();
    const { signal } = leaving;
    follow({ next: (event) => subscriber.next(event), signal }).then(
      () => subscriber.complete(),
      (thrown: unknown) => {
        if (!signal.aborted) subscriber.error(thrown);
      },
    );
    return () => leaving.abort();
  });
}
