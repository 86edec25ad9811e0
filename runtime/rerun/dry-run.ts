/** A run that performs nothing: it goes as far as what is recorded takes it, in no time, to say what a real one would do. */

import type { RunServing } from "../attempt/attempt-host.ts";
import { Cancellation } from "../cancellation.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Driver, DriverHost } from "../engine/driver.ts";
import type { Attempt } from "../performer.ts";
import type { ServedFrom } from "../records/call-records.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import type { RunParts } from "../run/run-parts.ts";
import type { Start } from "../scheduler/advance.ts";
import type { Located } from "../scheduler/called-snapshots.ts";
import { recordedAnswers } from "./answers.ts";
import type { AttemptContent } from "./content.ts";
import type { RecordedAttempt } from "./recorded-types.ts";
import type { Served, Serving, ServingChoice } from "./serving.ts";

/** An attempt that nothing is recorded of, and what stands in its place in the recorded run. */
export interface Unserved {
  readonly label: string;
  readonly place: string;
  readonly content: AttemptContent;
  readonly counterpart: RecordedAttempt | undefined;
}

/** The assumption for attempts without a recording: they do not end, or they end as recorded in their place. */
export type Assumption = "nothing" | "as before";

export class DryRun {
  readonly served: Served[] = [];
  readonly unserved: Unserved[] = [];
  readonly #assumption: Assumption;
  readonly #clock = new DryClock();
  readonly #open = new Set<number>();
  #driver: DryDriver | undefined;
  #serving: Serving | undefined;

  constructor(assumption: Assumption) {
    this.#assumption = assumption;
  }

  /** The same run, without anything that it would do. */
  partsOf(parts: RunParts): RunParts {
    const { started: _, recorded: __, stored: ___, snapshots: ____, ...rest } = parts;
    return {
      ...rest,
      clock: this.#clock,
      answerers: [recordedAnswers(() => this.#serving?.recorded, parts.meta)],
      engine: (log) => {
        const { performer: _, driver: __, serving, ...made } = parts.engine(log);
        this.#serving = serving as Serving | undefined;
        return {
          ...made,
          performer: { perform: () => Promise.reject(new Error("M9000: a dry run performs")) },
          driver: (host) => this.#newDriver(host),
          ...(serving === undefined ? {} : { serving: this.#drying(serving as Serving) }),
        };
      },
    };
  }

  /** Resolves when nothing more follows from what is recorded; then the run is given up. */
  async finish(run: DrivenRun): Promise<void> {
    for (let quiet = 0, before = -1; quiet < QUIET_TURNS && run.isUnderWay; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const { length } = run.position.records;
      const isBusy = length !== before || this.#driver?.isBusy(this.#open) === true;
      before = length;
      quiet = isBusy ? 0 : quiet + 1;
      if (quiet === QUIET_TURNS && this.#driver?.letTimePass(this.#clock) === true) quiet = 0;
    }
    await run.pause({ now: true });
  }

  #newDriver(host: DriverHost): DryDriver {
    this.#driver = new DryDriver(host, this.#clock);
    return this.#driver;
  }

  #drying(serving: Serving): RunServing {
    return {
      verdictOf: (given, output) => serving.verdictOf(given, output),
      viewed: (place, call) => serving.viewed(place, call),
      find: (given, located, before) => this.#find(serving, given, { located, before }),
    };
  }

  #find(
    serving: Serving,
    given: Attempt,
    { located, before }: { readonly located: Located; readonly before: ServedFrom | undefined },
  ): ServingChoice {
    const found = serving.find(given, located, before);
    if (found !== undefined && found !== "open") {
      this.served.push(found);
      return found;
    }
    const counterpart = serving.counterpart(located);
    const content = serving.contentOf(given);
    this.unserved.push({ ...serving.nameOf(located), content, counterpart });
    const assumed = this.#assumption === "nothing" ? undefined : serving.take(counterpart);
    if (assumed === undefined) this.#open.add(located.run.id);
    return assumed ?? "open";
  }
}

/** Turns of the event loop in which nothing happens. */
const QUIET_TURNS = 4;

class DryClock implements Clock {
  #now = systemClock.now();

  now(): number {
    return this.#now;
  }

  advanceTo(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  /** Nothing takes so long that a deadline would pass. */
  after(): () => void {
    return () => {};
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

class DryDriver implements Driver {
  readonly #host: DriverHost;
  readonly #clock: Clock;
  readonly #active = new Map<number, Cancellation>();
  #later: Start[] = [];

  constructor(host: DriverHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  start(one: Start): void {
    this.cancel(one.id);
    const { notBefore = 0 } = one;
    if (notBefore > this.#clock.now()) this.#later.push(one);
    else this.#begin(one);
  }

  cancel(id: number): void {
    this.#later = this.#later.filter((one) => one.id !== id);
    const cancellation = this.#active.get(id);
    this.#active.delete(id);
    cancellation?.cancel();
  }

  keep(): void {
    // Nothing takes so long that a deadline would pass.
  }

  release(): void {
    // It keeps no deadline that could hold the process.
  }

  async stop(): Promise<readonly string[]> {
    this.#later = [];
    for (const id of [...this.#active.keys()]) this.cancel(id);
    return [];
  }

  /** Tells whether somebody is at work who is not left open. */
  isBusy(open: ReadonlySet<number>): boolean {
    return [...this.#active.keys()].some((id) => !open.has(id));
  }

  /** Goes on to the next moment for which something waits; false where nothing does. */
  letTimePass(clock: DryClock): boolean {
    const next = Math.min(...this.#later.map(({ notBefore = 0 }) => notBefore));
    if (this.#later.length === 0) return false;
    clock.advanceTo(next);
    const due = this.#later.filter(({ notBefore = 0 }) => notBefore <= next);
    this.#later = this.#later.filter((one) => !due.includes(one));
    for (const one of due) this.#begin(one);
    return true;
  }

  #begin(start: Start): void {
    const cancellation = new Cancellation();
    this.#active.set(start.id, cancellation);
    this.#host.perform(start, {
      cancellation,
      ended: (completion) => {
        if (this.#active.get(start.id) !== cancellation) return;
        this.#active.delete(start.id);
        if (completion !== undefined) this.#host.post(completion);
      },
    });
  }
}
