/**
 * Publishes the events of a run to its subscribers, past events first. Events are many times as large as their records, so
 * past ones are derived from the records again; of those that no record has, pieces of text are kept, and progress, which is
 * over when it is past, is not.
 */
import { Observable, Subject, type Subscriber } from "rxjs";
import type { EventReader } from "../events/event-reader.ts";
import type { ModelDelta } from "../events/kinds/call-events.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import { isTransient } from "../events/transient.ts";
import type { LogRecord } from "../records/records.ts";

/** Text as it came, behind so many events of the log. */
interface TapedDelta {
  readonly behind: number;
  readonly delta: ModelDelta;
}

export class Tape {
  /** Gives one that has read nothing. */
  readonly #newReader: () => EventReader;
  readonly #records: LogRecord[] = [];
  readonly #deltas: TapedDelta[] = [];
  /** The number of events of these records that have been emitted. */
  #eventCount = 0;
  #live = new Subject<RunEvent>();
  #isEnded = false;

  constructor(newReader: () => EventReader) {
    this.#newReader = newReader;
  }

  /** All from the first on. */
  get events$(): Observable<RunEvent> {
    return new Observable((subscriber) => {
      this.#repeat(subscriber);
      return this.#isEnded ? subscriber.complete() : this.#live.subscribe(subscriber);
    });
  }

  /** The record whose events are said next. */
  follow(record: LogRecord): void {
    this.#records.push(record);
  }

  say(event: RunEvent): void {
    if (event.kind === "model.delta") this.#deltas.push({ behind: this.#eventCount, delta: event });
    else if (!isTransient(event)) this.#eventCount += 1;
    this.#live.next(event);
  }

  /** No events come any more, unless it goes on. */
  end(): void {
    this.#isEnded = true;
    this.#live.complete();
  }

  reopen(): void {
    if (!this.#isEnded) return;
    this.#isEnded = false;
    this.#live = new Subject();
  }

  /** Also what is said meanwhile. */
  #repeat(subscriber: Subscriber<RunEvent>): void {
    if (this.#eventCount + this.#deltas.length === 0) return;
    const reader = this.#newReader();
    let [eventCount, deltas] = [0, 0];
    const hear = () => {
      for (
        let next = this.#deltas[deltas];
        next?.behind === eventCount;
        next = this.#deltas[deltas]
      ) {
        deltas += 1;
        subscriber.next(next.delta);
      }
    };
    hear();
    for (let at = 0; at < this.#records.length && eventCount < this.#eventCount; at += 1) {
      const record = this.#records[at];
      for (const event of record === undefined ? [] : reader.read(record)) {
        if (eventCount === this.#eventCount || subscriber.closed) return;
        eventCount += 1;
        subscriber.next(event);
        hear();
      }
    }
  }
}
