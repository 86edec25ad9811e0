/** The driver that runs things: each start is a subscription to that one attempt, called off by unsubscribing. */
// The package's own door reads two hundred files more.
import { Subscription } from "rxjs/internal/Subscription";
import { Cancellation } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import type { Start } from "../scheduler/consequences.ts";
import type { Driver, DriverHost } from "./driver.ts";

/** An attempt that is due or under way. An Observable of its one completion would cost as much as a small step. */
class Attempt extends Subscription {
  readonly cancellation = new Cancellation();
  hasBegun = false;

  override unsubscribe(): void {
    if (this.closed) return;
    super.unsubscribe();
    this.cancellation.cancel();
  }

  /** It has ended by itself: nothing is called off. */
  end(): void {
    this.closed = true;
  }
}

export function createRxDriver(host: DriverHost, clock: Clock): Driver {
  /** Attempts that have not ended, by node run. */
  const attempts = new Map<number, Attempt>();
  /** Those that were called off in their midst, and have not ended yet. */
  const leaving = new Map<Attempt, number>();
  /** Called when the last of them has ended. */
  let idle: (() => void) | undefined;
  const deadlines = new Map<number | string, () => void>();
  let isStopped = false;

  function start(one: Start): void {
    if (isStopped) return;
    // A node run has one attempt at a time: what may still be due of the last one is called off.
    callOff(one.id);
    const attempt = new Attempt();
    attempts.set(one.id, attempt);
    const { notBefore } = one;
    if (notBefore === undefined || notBefore <= clock.now()) begin(one, attempt);
    else attempt.add(clock.after(notBefore - clock.now(), () => begin(one, attempt)));
  }

  function begin(start: Start, attempt: Attempt): void {
    const { id } = start;
    const ended = (completion: Completion | undefined) => {
      if (attempt.closed) {
        leaving.delete(attempt);
        if (leaving.size === 0) idle?.();
        return;
      }
      attempt.end();
      attempts.delete(id);
      // One that never began has no deadline; the node run's next start may have one by now.
      if (completion === undefined) return;
      forget(id);
      host.post(completion);
    };
    attempt.hasBegun = true;
    host.perform(start, { cancellation: attempt.cancellation, ended });
  }

  function callOff(id: number): void {
    const attempt = attempts.get(id);
    if (attempt === undefined) return;
    attempts.delete(id);
    if (attempt.hasBegun) leaving.set(attempt, id);
    attempt.unsubscribe();
  }

  function keep(timer: Timer): void {
    const { id = RUN, sub, interrupt, due } = timer;
    const place = sub === undefined ? id : calledBy(sub);
    // Graphs that one graph calls may ask questions of one name.
    const key = interrupt === undefined ? place : `${place} ${interrupt}`;
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
    callOff(id);
  }

  async function stop(): Promise<readonly string[]> {
    for (const takeBack of deadlines.values()) takeBack();
    deadlines.clear();
    isStopped = true;
    for (const id of attempts.keys()) callOff(id);
    if (leaving.size > 0) await inGrace(clock, (ended) => (idle = ended));
    return [...leaving.values()].map((id) => host.label(id));
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
